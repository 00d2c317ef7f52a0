"""A repair asks for the faulty sentences, shows the whole answer, and keeps what was right. So it does with paragraphs
that end on the draft: two may, beside the last."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.writing import ModelWriter
from texgeist_retrieval.writing.model.clauses import ending_faults
from texgeist_retrieval.writing.model.repair import mended, sentences_of

from ..model_server import Turn, model_at
from .conftest import QUERY, selected

GOOD: dict[str, Any] = {
    "text": "Passages are ranked by meaning in one line of work.",
    "evidence": ["1a"],
    "textual": False,
}
BAD = {"text": r"See \cite{smith} for more.", "evidence": ["2a"], "textual": False}
LAST = {"text": "Our work writes from what it finds.", "evidence": [], "textual": False}
ANSWER = {
    "paragraphs": [{"theme": "t", "sentences": [GOOD, BAD]}, {"theme": "u", "sentences": [LAST]}],
    "unused": [],
}


def write(server: Any, *answers: Any) -> Any:
    told = list(answers)
    server.brain = lambda _: Turn(told.pop(0))
    return ModelWriter(model_at("anthropic", server.url), summaries=False).write(QUERY, selected(2), Silent())


def texts_of(written: Any) -> list[str]:
    return [text for paragraph in paragraphs(written) for text in paragraph]


def paragraphs(written: Any) -> list[list[str]]:
    return [[s.text for s in p.sentences] for p in written.section.paragraphs]


def test_only_the_faulty_sentence_is_asked_for(server: Any) -> None:
    new = {"number": 2, "added": False, "lead": "", "text": "A second kind has its own passages.",
           "evidence": ["2a"], "textual": False, "more": []}  # fmt: skip
    written = write(server, ANSWER, {"sentences": [new], "unused": []})
    texts = texts_of(written)
    assert texts == [GOOD["text"], new["text"], LAST["text"]]
    assert len(server.requests) == 2
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert "Sentence 2: " in asked and "Sentence 1: " not in asked
    assert GOOD["text"] in asked, "the answer is shown whole"
    assert "holds LaTeX" in asked


def test_a_forgotten_paper_is_added_behind_a_sentence(server: Any) -> None:
    first = {"paragraphs": [{"theme": "t", "sentences": [GOOD, LAST]}], "unused": []}
    new = {"number": 1, "added": True, "text": "Another kind exists.", "evidence": ["2a"], "textual": False}
    written = write(server, first, {"sentences": [new], "unused": []})
    texts = texts_of(written)
    assert texts == [GOOD["text"], "Another kind exists.", LAST["text"]] and not written.unused


def test_a_repair_leaves_out_nothing_that_was_right(server: Any) -> None:
    """Else a section shrinks to the one sentence that was asked for."""
    new = {"number": 2, "added": False, "text": "Another kind exists.", "evidence": ["2a"], "textual": False}
    gone = [{**new, "number": n, "text": "", "evidence": []} for n in (1, 3)]
    written = write(server, ANSWER, {"sentences": [*gone, new], "unused": []})
    texts = texts_of(written)
    assert texts == [GOOD["text"], "Another kind exists.", LAST["text"]] and not written.unused


def test_mending_takes_what_has_the_form_and_nothing_else() -> None:
    strange = {
        "sentences": [None, 3, {"number": "2"}, {"number": True, "text": 4}, {"number": 99, "text": "x"}]
    }
    assert sentences_of(mended(ANSWER, strange)) == [GOOD, BAD, LAST]
    assert mended(ANSWER, [1]) == [1] and mended(ANSWER, {"paragraphs": []}) == {"paragraphs": []}
    assert sentences_of({"paragraphs": [1, {"sentences": 3}]}) == []


def ended(text: str, *evidence: str, more: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"lead": "", "text": text, "evidence": [*evidence], "textual": False, "more": [*more]}


ONE = ended("One line of work ranks passages by meaning.", "1a")
TWO = ended("Another kind has pages of its own.", "2a")
CONTRASTS = [
    ended(
        "Ranking serves readers here,",
        "1a",
        more=[{"text": "whereas this paper serves writers.", "evidence": []}],
    ),
    ended("In contrast, we cite what was found."),
    ended("Our system goes on from there."),
]
CLOSE = ended("This work closes that gap.")


def answer(*paragraphs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"paragraphs": [{"theme": "t", "sentences": p} for p in paragraphs], "unused": []}


FORMULA = answer([ONE, CONTRASTS[0]], [TWO, CONTRASTS[1]], [CONTRASTS[2]], [CLOSE])


def test_the_third_from_the_end_is_mended(server: Any) -> None:
    new = {"number": 2, "added": False, **ended("Ranking serves readers there.", "1a")}
    texts = paragraphs(write(server, FORMULA, {"sentences": [new], "unused": []}))
    assert texts[0] == [ONE["text"], "Ranking serves readers there."]
    assert texts[1][-1] == CONTRASTS[1]["text"] and texts[3] == [CLOSE["text"]]
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert "Sentence 2: 3 paragraphs end on the draft" in asked and "Sentence 4: " not in asked


def test_a_formula_costs_no_section(server: Any) -> None:
    """What only manner speaks against stands, where the repair keeps it, or brings what cannot stand."""
    same = {"number": 2, "added": False, **CONTRASTS[0]}
    worse = {"number": 2, "added": False, **ended(r"See \cite{smith}.", "1a")}
    for repair in (same, worse):
        server.requests.clear()
        texts = paragraphs(write(server, FORMULA, {"sentences": [repair], "unused": []}))
        assert texts[0][-1] == "Ranking serves readers here, whereas this paper serves writers."
        assert len(server.requests) == 2


@pytest.mark.parametrize("end", ["Westward ranking is ours to judge.", "This work ends.", "Here, we rank."])
def test_what_speaks_of_the_draft(end: str) -> None:
    assert [*ending_faults([[ended(end)], [ended("We cite.")], [ended("Our kind.")], [CLOSE]])] == [1]


@pytest.mark.parametrize(
    "end", ["The work of others ends.", "Hours went by.", "Answers owe much to Webster."]
)
def test_what_speaks_of_others(end: str) -> None:
    assert not ending_faults([[ended(end)], [ended("We cite.")], [ended("Our kind.")], [CLOSE]])
