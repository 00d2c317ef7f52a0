"""Two paragraphs may end on the draft, beside the last: a third is mended in the one repair, or stays."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Query
from texgeist_retrieval.writing import AnthropicModel, ModelWriter
from texgeist_retrieval.writing.model.clauses import ending_faults


def said(text: str, *evidence: str, more: Sequence[dict[str, Any]] = ()) -> dict[str, Any]:
    return {"lead": "", "text": text, "evidence": [*evidence], "textual": False, "more": [*more]}


ONE = said("One line of work ranks passages by meaning.", "1a")
TWO = said("Another kind has pages of its own.", "2a")
THREE = said("Both kinds have been measured since.", "1a", "2a")
CONTRASTS = [
    said(
        "Ranking serves readers here,",
        "1a",
        more=[{"text": "whereas this paper serves writers.", "evidence": []}],
    ),
    said("In contrast, we cite what was found."),
    said("Our system goes on from there."),
]
LAST = said("This work closes that gap.")


def answer(*paragraphs: list[dict[str, Any]]) -> dict[str, Any]:
    return {"paragraphs": [{"theme": "t", "sentences": p} for p in paragraphs], "unused": []}


FORMULA = answer([ONE, CONTRASTS[0]], [TWO, CONTRASTS[1]], [CONTRASTS[2]], [LAST])


def write(server: Any, turn: Any, selected: Any, query: Query, *answers: Any) -> list[list[str]]:
    told = list(answers)
    server.brain = lambda request: turn(told.pop(0))
    writer = ModelWriter(AnthropicModel("test", "sk-test", server.url, 20.0), summaries=False)
    written = writer.write(query, selected(2), Silent())
    return [[s.text for s in p.sentences] for p in written.section.paragraphs]


def test_the_third_from_the_end_is_mended(server: Any, turn: Any, selected: Any, query: Query) -> None:
    new = {"number": 2, "added": False, **said("Ranking serves readers there.", "1a")}
    texts = write(server, turn, selected, query, FORMULA, {"sentences": [new], "unused": []})
    assert texts[0] == [ONE["text"], "Ranking serves readers there."]
    assert texts[1][-1] == CONTRASTS[1]["text"] and texts[3] == [LAST["text"]]
    asked = json.dumps(server.requests[1], ensure_ascii=False)
    assert "Sentence 2: 3 paragraphs end on the draft" in asked and "Sentence 4: " not in asked


def test_a_formula_costs_no_section(server: Any, turn: Any, selected: Any, query: Query) -> None:
    """What only manner speaks against stands, where the repair keeps it, or brings what cannot stand."""
    same = {"number": 2, "added": False, **CONTRASTS[0]}
    worse = {"number": 2, "added": False, **said(r"See \cite{smith}.", "1a")}
    for repair in (same, worse):
        server.requests.clear()
        texts = write(server, turn, selected, query, FORMULA, {"sentences": [repair], "unused": []})
        assert texts[0][-1] == "Ranking serves readers here, whereas this paper serves writers."
        assert len(server.requests) == 2


def test_two_and_the_last_may_turn(server: Any, turn: Any, selected: Any, query: Query) -> None:
    write(server, turn, selected, query, answer([ONE, CONTRASTS[0]], [TWO, CONTRASTS[1]], [THREE], [LAST]))
    assert len(server.requests) == 1


@pytest.mark.parametrize("end", ["Westward ranking is ours to judge.", "This work ends.", "Here, we rank."])
def test_what_speaks_of_the_draft(end: str) -> None:
    assert [*ending_faults([[said(end)], [said("We cite.")], [said("Our kind.")], [LAST]])] == [1]


@pytest.mark.parametrize(
    "end", ["The work of others ends.", "Hours went by.", "Answers owe much to Webster."]
)
def test_what_speaks_of_others(end: str) -> None:
    assert not ending_faults([[said(end)], [said("We cite.")], [said("Our kind.")], [LAST]])


def test_what_has_no_form_passes() -> None:
    assert not ending_faults([[None], [], [3], ["we"], [{"text": 4}]]) and not ending_faults([])
