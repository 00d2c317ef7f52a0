"""How paragraphs open: nothing is said to follow from what only stands beside it."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.extractive.english import openings
from texgeist_retrieval.writing.extractive.english.composing import _by_year
from texgeist_retrieval.writing.extractive.english.keyphrases import surface, without_article
from texgeist_retrieval.writing.extractive.english.saying import Source
from texgeist_retrieval.writing.extractive.english.subjects import Theme, theme


@pytest.mark.parametrize("place", range(5))
@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_an_opening_says_no_more_than_how_many_papers_name_the_theme(place: int, size: int) -> None:
    used: set[str] = set()
    whole = Theme(("execution traces",), (frozenset(range(size)),), size)
    text = openings.opening(place, whole, size, used)
    assert "execution traces" in text and openings.number(size) in text.lower()
    listed = openings.listing(size)
    assert openings.number(size) in listed.lower()
    for said in (text, listed):
        assert ("paper " in said or "paper." in said) == (size == 1), said


def test_papers_that_share_no_phrase_have_no_opening() -> None:
    assert openings.opening(0, Theme((), (), 3), 3, set()) == ""


def test_a_theme_is_what_half_of_the_papers_name_where_the_draft_names_nothing_of_theirs() -> None:
    titles = ["Pruning KV caches", "Merging KV caches", "Attention sinks", "Sparse routing"]
    texts = ["We prune KV caches.", "We merge KV caches.", "We study attention sinks.", "We route tokens."]
    found = theme(titles, texts, ["Serverless functions start cold."], "Serving language models quickly.")
    assert (found.phrases, found.covers) == (("KV caches",), (frozenset({0, 1}),))
    assert theme(titles[1:], texts[1:], [], "Serving language models quickly.").phrases == ()


def test_an_opening_counts_the_papers_that_name_the_theme() -> None:
    some = Theme(("execution traces",), (frozenset({0, 2}),), 3)
    assert (
        openings.opening(0, some, 3, set())
        == "Of the three papers that follow, two speak of execution traces."
    )


@pytest.mark.parametrize(
    ("gap", "lead"), [(2, "Two years later,"), (12, "Twelve years later,"), (14, "Much later,")]
)
def test_no_sentence_begins_with_a_figure(gap: int, lead: str) -> None:
    first, later = (Source("t", "x", year, True, True, (), ()) for year in (2000, 2000 + gap))
    assert _by_year(later, first, last=False) == [lead]


@pytest.mark.parametrize(
    ("phrase", "bare"),
    [
        ("annotated corpus", "annotated corpora"),
        ("persistence diagram", "persistence diagrams"),
        ("persistence diagrams", "persistence diagrams"),
        ("citation recommendation", "citation recommendation"),
    ],
)
def test_what_is_counted_is_plural_where_no_article_stands(phrase: str, bare: str) -> None:
    assert without_article(phrase) == bare
    key = phrase if phrase.endswith("us") else phrase.removesuffix("s")
    assert surface(key, f"We study {phrase}.") == bare
