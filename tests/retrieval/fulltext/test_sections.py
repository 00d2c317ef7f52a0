"""Headings to types, full texts to passages."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_retrieval.fulltext.sections import (
    LONGEST,
    OVERLAP,
    bare_heading,
    chunks_of,
    section_type,
    section_types,
    tokens_in,
)
from texgeist_retrieval.types import Block, TextSection


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("Abstract", "abstract"), ("Abstract ::: Methods", "abstract"), ("1 Introduction", "introduction"),
        ("I. INTRODUCTION", "introduction"), ("I NTRODUCTION", "introduction"),
        ("2. Related Work.", "related work"), ("III. PREVIOUS WORK", "related work"),
        ("State of the Art", "related work"), ("3.2 Model Architecture", "methods"),
        ("Materials and Methods", "methods"), ("Experimental Setup", "methods"),
        ("4 Experiments and Results", "results"), ("Results and Discussion", "results"),
        ("Error Analysis", "discussion"), ("Limitations", "discussion"),
        ("Conclusions and Future Work", "conclusion"), ("5.", "other"), ("", "other"),
        ("The Potsdam Treebank", "other"), ("1 Einleitung", "introduction"), ("3 Ergebnisse", "results"),
        ("Material und Methoden", "methods"), ("Verwandte Arbeiten", "related work"),
        ("Zusammenfassung und Ausblick", "conclusion"), ("Résumé", "abstract"),
        ("2. Méthodologie", "methods"), ("Résultats", "results"), ("État de l’art", "related work"),
        ("4 Discusión", "discussion"), ("Vitamins", "other"),
    ],
)  # fmt: skip
def test_a_heading_tells_the_type(heading: str, kind: str) -> None:
    assert section_type(heading) == kind


def test_a_heading_that_tells_nothing_is_of_the_chapter_above_it_or_of_its_place() -> None:
    headings = [
        "1 Introduction", "2 The Penn Way", "3 Experiments", "3.1 Penn Treebank", "4 Thoughts",
        "5 Conclusion",
    ]  # fmt: skip
    assert section_types(headings) == ("introduction", "methods", "results", "results", "other", "conclusion")


def test_numbers_are_no_part_of_a_heading() -> None:
    assert [bare_heading(h) for h in ("2.1. Data", "IV. Data", "A. Data", "Data", "Section 3: Data")] == [
        "Data"
    ] * 5


sentences = st.lists(
    st.tuples(st.integers(1, 900), st.booleans()).map(
        lambda pair: Block(" ".join(["word"] * pair[0]), whole=pair[1])
    ),
    min_size=1,
    max_size=40,
)


@settings(deadline=None, max_examples=60)
@given(st.lists(sentences, min_size=1, max_size=4))
def test_nothing_is_lost_cut_or_carried_over_a_border(parts: list[list[Block]]) -> None:
    numbered = [
        [Block(b.text.replace("word", f"s{s}b{n}w"), whole=b.whole) for n, b in enumerate(part)]
        for s, part in enumerate(parts)
    ]
    chunks = chunks_of("p", [TextSection(f"H{s}", tuple(part)) for s, part in enumerate(numbered)])
    assert [chunk.place for chunk in chunks] == list(range(1, len(chunks) + 1))
    for s, part in enumerate(numbered):
        own = [chunk.text for chunk in chunks if chunk.heading == f"H{s}"]
        assert not any(f"s{other}b" in text for text in own for other in range(len(parts)) if other != s)
        for block in part:
            size, held = tokens_in(block.text), sum(block.text in text for text in own)
            if block.whole or size <= LONGEST:
                assert held, "a sentence or an equation was cut or lost"
                assert size <= OVERLAP or held == 1, "it is in two passages"
            assert any(block.text.split()[0] in text for text in own), "it begins nowhere"
            assert any(block.text.split()[-1] in text for text in own), "it ends nowhere"


def test_passages_are_of_300_to_500_tokens_and_overlap() -> None:
    blocks = tuple(
        Block(f"Sentence number {n} says what nobody has said before about things.") for n in range(300)
    )
    chunks = chunks_of("p", [TextSection("Methods", blocks)])
    sizes = [tokens_in(chunk.text) for chunk in chunks]
    assert all(300 <= size <= LONGEST for size in sizes), sizes
    shared = [
        tokens_in(" ".join(s for s in a.text.split(". ") if s in b.text.split(". ")))
        for a, b in pairwise(chunks)
    ]
    assert all(0.5 * OVERLAP <= size <= 1.6 * OVERLAP for size in shared), shared
