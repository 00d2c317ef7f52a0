"""Several papers in one sentence, each at its own place; and the checks see each part and the whole."""

from __future__ import annotations

from typing import Any

import pytest
from texgeist_retrieval.types import Candidate, Clause, Evidence, Paper, Passage, Selected
from texgeist_retrieval.writing.model.checks import check_section
from texgeist_retrieval.writing.model.clauses import MOST_PARTS, parts_of
from texgeist_retrieval.writing.model.material import Material

ONE = (
    "SASRec models a history of actions with causal self attention over items and predicts the next of them."
)
TWO = "BERT4Rec reads a history in both directions and is trained to fill in masked items of a session."
DRAFT = "We study how the length of a history changes what a recommender can learn from it."


def paper(id: str, title: str, text: str, author: str) -> Selected:
    about = Paper(f"p{id}", title, text, (author,), 2018)
    return Selected(Candidate(about, 0.6, 1), (Evidence(id, Passage(about.id, None, text), 0.6),), 0.6)


MATERIAL = Material.of(
    [
        paper("1", "SASRec: Self-Attentive Recommendation", ONE, "Wang Kang"),
        paper("2", "BERT4Rec: Reading Both Ways", TWO, "Fei Sun"),
    ],
    DRAFT,
)


def sentence(text: str, *ids: str, more: Any = (), **other: Any) -> dict[str, Any]:
    parts = [{"text": t, "evidence": list(i)} for t, *i in more]
    return {"lead": "", "text": text, "evidence": list(ids), "textual": False, "more": parts, **other}


def check(*sentences: Any, drop: bool = False) -> Any:
    answer = {"paragraphs": [{"theme": "", "sentences": list(sentences)}], "unused": []}
    return check_section(answer, MATERIAL, (), 1000, drop)


def test_each_part_has_its_own_evidence_and_the_sentence_all() -> None:
    checked = check(
        sentence("SASRec attends to the past,", "1", more=[("while BERT4Rec looks both ways.", "2")])
    )
    (told,) = checked.section.paragraphs[0].sentences
    assert not checked.problems
    assert told.text == "SASRec attends to the past, while BERT4Rec looks both ways."
    assert told.evidence == ("1", "2")
    assert told.clauses == (
        Clause("SASRec attends to the past,", ("1",)),
        Clause("while BERT4Rec looks both ways.", ("2",)),
    )


def test_a_whole_sentence_in_a_part_becomes_one() -> None:
    """A part that ends with a full stop, and one behind it with a capital: two sentences, each with its own."""
    raw = sentence(
        "attend to the past.", "1", more=[("BERT4Rec looks both ways.", "2")], textual=True, lead="Before,"
    )
    checked = check(raw)
    first, second = checked.section.paragraphs[0].sentences
    assert not checked.problems and first.textual and first.lead == "Before," and first.evidence == ("1",)
    assert (second.text, second.evidence, second.textual) == ("BERT4Rec looks both ways.", ("2",), False)
    goes_on = sentence("SASRec attends to the past.", "1", more=[("while BERT4Rec looks both ways.", "2")])
    (told,) = check(goes_on).section.paragraphs[0].sentences
    assert told.text == "SASRec attends to the past, while BERT4Rec looks both ways."
    copied = sentence("SASRec attends to the past.", "1", more=[(TWO, "2")])
    assert any("copies its source" in problem for problem in check(copied).problems)


def test_a_sentence_in_a_part_cites_nothing_that_it_does_not_name() -> None:
    raw = sentence("SASRec attends to the past.", "1")
    first, second = (
        check({**raw, "more": [{"text": "Others look both ways."}]}).section.paragraphs[0].sentences
    )
    assert (first.evidence, second.evidence) == (("1",), ())


def test_a_part_of_the_draft_stands_beside_a_cited_one() -> None:
    own = "whereas this paper asks how much of a history a recommender can use."
    assert not check(sentence("SASRec attends to the past,", "1", more=[(own,)])).problems
    taken = "whereas we ask how the length of a history changes what is learnt."
    credited = check(sentence("SASRec attends to the past,", "1", more=[(taken, "2")]))
    assert any("cites papers for what the draft says of itself" in p for p in credited.problems)


def test_a_copy_in_two_halves_is_a_copy() -> None:
    words = ONE.split()
    halves = sentence(" ".join(words[:9]), "1", more=[(" ".join(words[9:]), "1")])
    assert any("copies its source" in problem for problem in check(halves).problems)
    assert check(halves, sentence("Both read histories.", "1", "2"), drop=True).dropped


@pytest.mark.parametrize(
    "part", [r"see \cite{x}.", "see www.example.org.", "as (Kang, 2018) does.", "as in [3]."]
)
def test_hostile_parts_are_refused(part: str) -> None:
    assert check(sentence("SASRec attends to the past,", "1", more=[(part, "2")])).problems


def test_a_textual_subject_is_the_first_parts_paper_alone() -> None:
    raw = sentence(
        "attend to the past,",
        "1",
        more=[("which BERT4Rec reads both ways.", "2")],
        textual=True,
        lead="Before,",
    )
    checked = check(raw)
    (told,) = checked.section.paragraphs[0].sentences
    assert not checked.problems and told.textual and told.lead == "Before,"
    assert told.clauses[0] == Clause("attend to the past,", ("1",))


def test_a_lead_cannot_smuggle_a_command() -> None:
    raw = sentence("attend to items.", "1", textual=True, lead=r"\input{secret}")
    assert any("LaTeX" in problem for problem in check(raw).problems)


def test_evidence_of_a_part_without_words_is_not_lost_and_parts_end() -> None:
    empty = parts_of(sentence("Items matter.", "1", more=[("", "2")]))
    assert [p.evidence for p in empty] == [("1", "2")]
    many = parts_of(sentence("a", "1", more=[(f"b{n}", "2") for n in range(20)]))
    assert len(many) == MOST_PARTS and many[-1].text.endswith("b19")
    inner = parts_of(sentence("A full stop.", "1", more=[("and more.", "2")]))
    assert inner[0].text == "A full stop,"
    assert parts_of({"text": "x", "more": "none"}) == [Clause("x")]
