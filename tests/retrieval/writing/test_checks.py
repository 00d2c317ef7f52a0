"""What a model may not do, one by one."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from texgeist_retrieval.evidence.drafting import material_of
from texgeist_retrieval.types import Query, QueryPart
from texgeist_retrieval.writing.model.checks import Material, check_section, retells
from texgeist_retrieval.writing.model.preparation import _checked

from .conftest import selected


@pytest.fixture
def material() -> Material:
    return Material.of(selected(3))


def answer(*sentences: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"paragraphs": [{"theme": "t", "sentences": list(sentences)}], "unused": [], **more}


def sentence(text: str, *evidence: str, textual: bool = False) -> dict[str, Any]:
    return {"text": text, "evidence": list(evidence), "textual": textual}


def problems(given: Any, material: Material, most_words: int = 500) -> str:
    return " ".join(check_section(given, material, {"P1", "P2", "P3"}, most_words).problems)


def test_a_good_answer_has_no_problems(material: Material) -> None:
    good = answer(
        sentence("Ranking by meaning is common to these papers."),
        sentence("rank passages with two encoders.", "1a", textual=True),
        sentence("Page texts are ranked as well.", "2p", "3a"),
    )
    checked = check_section(good, material, {"P1"}, 500)
    assert not checked.problems
    assert [s.evidence for s in checked.section.paragraphs[0].sentences] == [(), ("1a",), ("2p", "3a")]
    assert checked.section.paragraphs[0].sentences[1].textual


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (sentence("A claim.", "99"), "does not exist"),
        (sentence("", "1a"), "empty"),
        (sentence("word " * 95, "1a"), "more than 90 words"),
        (sentence(r"As shown in \citet{smith2020}, ranking works.", "1a"), "LaTeX"),
        (sentence(r"We write \input{/etc/passwd} here.", "1a"), "LaTeX"),
        (sentence(r"\immediate\write18{rm -rf} is a command.", "1a"), "LaTeX"),
        (sentence("A passage ends </passage> here.", "1a"), "markup"),
        (sentence("% texgeist:end 1 stands in the text.", "1a"), "markup"),
        (sentence("See https://example.org for more.", "1a"), "address"),
        (sentence("Write to eve@example.org for access.", "1a"), "address"),
        (sentence("Ranking works well [12].", "1a"), "cites by hand"),
        (sentence("Ranking works well [1, E3].", "1a"), "cites by hand"),
        (sentence("Ranking works well (Smith et al., 2020).", "1a"), "cites by hand"),
        (sentence("Miller and Stone (2019) rank passages.", "1a"), "cites by hand"),
        (sentence("Vaswani et al. introduced attention.", "1a"), "cites by hand"),
        (sentence("rank passages by meaning.", textual=True), "no subject"),
        (sentence("rank passages by meaning.", "1a", "2a", textual=True), "several papers"),
        (sentence("They rank passages by meaning.", "1a", textual=True), "subject of its own"),
    ],
)
def test_each_fault_is_named(bad: dict[str, Any], words: str, material: Material) -> None:
    assert words in problems(answer(sentence("Good as gold.", "1a"), bad), material)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        [],
        "text",
        {},
        {"paragraphs": "x"},
        {"paragraphs": []},
        {"paragraphs": [None]},
        answer(),
        answer(None),  # type: ignore[arg-type]
        answer(sentence("Nothing is cited.")),
    ],
)
def test_what_is_no_section_is_rejected(bad: Any, material: Material) -> None:
    assert problems(bad, material)


def test_the_sources_we_does_not_become_the_drafts(material: Material) -> None:
    stolen = answer(sentence("We propose a retriever of kind 1 that ranks.", "1a"))
    assert "word for word" in problems(stolen, material)
    own = answer(sentence("We rank passages too, though for drafts.", "1a"))
    assert not problems(own, material)


DRAFT = (
    "We present a writing assistant that retrieves papers for a draft and writes a section in which every "
    "sentence is linked to the passage that supports it."
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A writing assistant that retrieves papers for a draft and writes a section exists.", "of itself"),
        ("The draft uses a retriever of many kinds.", 'say "this paper"'),
        ("The draft paper introduces ranking.", 'say "this paper"'),
        ("This paper proposes a retriever of kind 1 that ranks passages.", "word for word"),
        ("The draft proposes a retriever of kind 1 that ranks passages.", "word for word"),
    ],
)
def test_a_paper_is_not_cited_for_what_the_draft_does(text: str, words: str) -> None:
    """What a small model wrote in a real run: the draft's abstract, with other papers cited for it."""
    material = Material.of(selected(3), DRAFT)
    assert words in problems(answer(sentence(text, "1a")), material)


def test_a_sentence_with_anothers_words_may_fall_out_but_not_most_of_them(material: Material) -> None:
    stolen = sentence("We propose a retriever of kind 1 that ranks.", "1a")
    kept = sentence("Ranking is common.", "2a")
    checked = check_section(answer(kept, stolen), material, set(), 500, drop=True)
    assert not checked.problems and len(checked.dropped) == 1 and "word for word" in checked.dropped[0]
    assert [s.text for s in checked.section.paragraphs[0].sentences] == ["Ranking is common."]
    other = sentence("We propose a retriever of kind 3 that ranks.", "3a")
    assert check_section(answer(kept, stolen, other), material, set(), 500, drop=True).problems
    invented = answer(kept, kept, sentence("A claim.", "99"))
    assert check_section(invented, material, set(), 500, drop=True).problems, (
        "no such evidence: rejected whole"
    )


def test_a_figure_of_an_answer_names_its_evidence() -> None:
    answers = material_of(Query("question", (QueryPart("How?", "question"),), text="How?"), selected(3))
    figure = "In most adults recall rises by 43 percent after a night of sleep."
    good = sentence("Ranking by meaning is common.", "1a")
    assert "names no evidence" in problems(answer(good, sentence(figure)), answers)
    assert check_section(answer(good, sentence(figure)), answers, set(), 500, drop=True).dropped
    assert "names no evidence" not in problems(answer(good, sentence(figure, "1a")), answers)
    assert not problems(answer(good, sentence("Recall rises in most adults, as GPT-4 says.")), answers)


def test_what_is_said_of_one_paper_cites_one(material: Material) -> None:
    for subject in ("The paper presents", "The system uses"):  # a small model's, with every id it was given
        given = sentence(f"{subject} a method that ranks.", "1a", "2a")
        assert "of that one alone" in problems(answer(given), material)
    assert not problems(answer(sentence("The paper presents a method that ranks.", "1a", "1p")), material)


def test_the_draft_may_be_spoken_of_and_drafts_too() -> None:
    material = Material.of(selected(3), DRAFT)
    good = answer(
        sentence("Ranking is common.", "1a"),
        sentence("This paper is a writing assistant that retrieves papers for a draft and writes a section."),
        sentence("The draft tokens are verified by a larger model.", "2a"),
        sentence("The drafts of authors are ranked.", "3a"),
    )
    assert not problems(good, material)


def test_a_summary_of_the_draft_is_no_summary_of_the_paper() -> None:
    retold = f"The paper says: {DRAFT}"
    assert retells(retold, DRAFT) and not retells("It ranks passages for a draft by two encoders.", DRAFT)
    passages = [{"id": "1", "relevance": 5, "supports": "Ranking."}]
    _, wrong = _checked({"summary": retold, "passages": passages}, ["1"], DRAFT)
    assert "retells the draft" in " ".join(wrong)


def test_authors_at_the_start_of_a_textual_sentence_are_not_said_twice(material: Material) -> None:
    given = answer(
        sentence("Miller and Stone1 propose a ranker.", "1a", textual=True),
        sentence("Propose another ranker.", "2a", textual=True),
        sentence("BERT is fine-tuned for ranking.", "3a", textual=True),
    )
    checked = check_section(given, material, set(), 500)
    texts = [s.text for s in checked.section.paragraphs[0].sentences]
    assert texts == ["propose a ranker.", "propose another ranker.", "BERT is fine-tuned for ranking."]
    forms = [s.textual for s in checked.section.paragraphs[0].sentences]
    assert forms == [True, True, False], "the last one has a subject of its own"


def test_a_whole_sentence_that_is_marked_textual_gets_its_citations_at_the_end(material: Material) -> None:
    given = answer(sentence("this paper builds on retrieval by meaning.", "1a", "2a", textual=True))
    checked = check_section(given, material, set(), 500)
    read = checked.section.paragraphs[0].sentences[0]
    assert not checked.problems and not read.textual
    assert read.text == "This paper builds on retrieval by meaning."


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["paragraphs", "sentences", "text", "evidence", "textual", "theme", "unused", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=15,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(json_values)
def test_no_answer_breaks_the_check_or_brings_an_unknown_id(material: Material, value: Any) -> None:
    checked = check_section(value, material, {"P1"}, 100)
    cited = {i for p in checked.section.paragraphs for s in p.sentences for i in s.evidence}
    assert cited <= set(material.owner)


def test_a_flood_is_refused_before_its_sentences_are_judged(
    material: Material, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each sentence that is judged costs time, and nobody can cancel it."""
    from texgeist_retrieval.writing.model import checks

    judged: list[str] = []

    def judge(raw: str, *_: Any, **more: Any) -> list[str]:
        judged.append(raw)
        return []

    monkeypatch.setattr(checks, "word_problems", judge)
    flood = {"paragraphs": [{"sentences": [sentence("", "1a"), 7]}] * 10_000, "unused": []}
    assert problems(flood, material) == "The section has 20000 words; 500 are the most."
    assert not judged
    assert "has 12 words" in problems(answer(sentence("a b c d e f g h i j k l.", "1a")), material, 10)
    assert len(judged) == 1, "a little too long is read, and told all that is wrong"
