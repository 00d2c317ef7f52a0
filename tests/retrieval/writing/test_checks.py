"""What a model may not do, one by one."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from texgeist_retrieval.evidence.drafting import material_of
from texgeist_retrieval.types import Query, QueryPart, Selected
from texgeist_retrieval.writing.model.checks import Material, faults_of, retells
from texgeist_retrieval.writing.model.prose import read_text
from texgeist_retrieval.writing.model.summaries import _checked

from .conftest import selected
from .texts import faults, found_in


@pytest.fixture
def material() -> Material:
    return Material.of(selected(3))


def test_a_good_text_has_no_faults(material: Material) -> None:
    good = (
        "**Ranking.** Ranking by meaning is common. Miller et al. [1a] rank passages with two encoders. "
        "Page texts are ranked as well [2p, 3a], whereas we rank drafts. "
        "One method ranks passages [1a], and others rank page texts [2p]."
    )
    assert not found_in(good, material)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A claim [99].", "id 99 was not given"),
        ("A claim, which others make too [1a, 98].", "id 98 was not given"),
        ("word " * 95 + "[1a].", "more than 90 words"),
        (r"As shown in \citet{smith2020}, ranking works [1a].", "LaTeX"),
        (r"We write \input{/etc/passwd} here [1a].", "LaTeX"),
        (r"\immediate\write18{rm -rf} is a command [1a].", "LaTeX"),
        ("A passage ends </passage> here [1a].", "markup"),
        ("A passage is **bold** here [1a].", "markup"),
        ("% texgeist:end 1 stands in the text [1a].", "markup"),
        ("See https://example.org for more [1a].", "address"),
        ("Write to eve@example.org for access [1a].", "address"),
        ("Ranking works well (Smith et al., 2020) [1a].", "cites by hand"),
        ("Miller and Stone (2019) rank passages [1a].", "cites by hand"),
        ("Vaswani et al. introduced attention [1a].", "cites by hand"),
        ("Vaswani et al. [1a] introduced attention.", "cites by hand"),
        ("Ranking works well, as Miller shows [1a].", "cites by hand"),
        ("The paper presents a method that ranks [1a, 2a].", "of one paper and cites several"),
        ("We propose a retriever of kind 1 that ranks [1a].", "word for word"),
        ("Recall rises by 43 percent [1a].", "the figure 43"),
    ],
)
def test_each_fault_is_named(text: str, words: str, material: Material) -> None:
    assert words in found_in(f"Good as gold [1a]. {text}", material)


@pytest.mark.parametrize(
    "text", ["", "  \n\n ", "**Only a heading.**", "Nothing is cited.", "Cited [99] wrongly."]
)
def test_what_is_no_section_is_rejected(text: str, material: Material) -> None:
    assert found_in(text, material)


def test_copied_passages_are_noticed() -> None:
    text = " ".join(f"word{n}" for n in range(60)) + "."
    one: Selected = selected(1)[0]
    passage = replace(one.evidence[0].passage, text=text)
    material = Material.of([replace(one, evidence=(replace(one.evidence[0], passage=passage),))])
    assert "word for word" in faults(text, material, "1a")
    words = text.split()
    halves = f"{' '.join(words[:9])} [1a] {' '.join(words[9:18])} [1a]."
    assert "word for word" in found_in(halves, material), "a copy in two halves is a copy"


DRAFT = (
    "We present a writing assistant that retrieves papers for a draft and writes a section in which every "
    "sentence is linked to the passage that supports it."
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A writing assistant that retrieves papers for a draft and writes a section exists.", "of itself"),
        ("The draft uses a retriever of many kinds.", '"this paper"'),
        ("The draft paper introduces ranking.", '"this paper"'),
        ("This paper proposes a retriever of kind 1 that ranks passages.", "word for word"),
        ("The draft proposes a retriever of kind 1 that ranks passages.", "word for word"),
    ],
)
def test_a_paper_is_not_cited_for_what_the_draft_does(text: str, words: str) -> None:
    """What a small model wrote in a real run: the draft's abstract, with other papers cited for it."""
    assert words in faults(text, Material.of(selected(3), DRAFT), "1a")


def test_the_draft_may_be_spoken_of_and_drafts_too() -> None:
    good = (
        "Ranking is common [1a]. We rank passages too, though for drafts [1a]. "
        "This paper is a writing assistant that retrieves papers for a draft and writes a section. "
        "The draft tokens are verified by a larger model [2a]. The drafts of authors are ranked [3a]. "
        "Ranking orders passages [1a], whereas we present a writing assistant that retrieves papers for a text."
    )
    assert not found_in(good, Material.of(selected(3), DRAFT))


def test_a_figure_of_an_answer_cites_something() -> None:
    answers = material_of(Query("question", (QueryPart("How?", "question"),), text="How?"), selected(3))
    figure = "In most adults recall rises by 43 percent after a night of sleep."
    assert "cites nothing" in faults(figure, answers)
    assert "cites nothing" not in faults(figure, answers, "1a")
    assert not faults("Recall rises in most adults, as GPT-4 says.", answers)


def test_a_summary_of_the_draft_is_no_summary_of_the_paper() -> None:
    retold = f"The paper says: {DRAFT}"
    assert retells(retold, DRAFT) and not retells("It ranks passages for a draft by two encoders.", DRAFT)
    passages = [{"id": "1", "relevance": 5, "supports": "Ranking."}]
    _, wrong = _checked({"summary": retold, "passages": passages}, ["1"], DRAFT)
    assert "retells the draft" in " ".join(wrong)


pieces = st.lists(
    st.sampled_from(
        ["[1a]", "[2a, 99]", "[", "]", "**", "\n\n", "# ", ". ", "Miller ", "et al. ", "x ", "[0, 1]", "\\"]
    )
    | st.text(max_size=8),
    max_size=30,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces)
def test_no_text_breaks_the_reading_or_brings_an_unknown_id(material: Material, given: list[str]) -> None:
    for paragraph in read_text("".join(given), material.ids):
        for marked in paragraph.sentences:
            faults_of(marked, material)
            assert set(marked.sentence.evidence) <= set(material.owner)
            assert {i for c in marked.sentence.clauses for i in c.evidence} <= set(marked.sentence.evidence)
