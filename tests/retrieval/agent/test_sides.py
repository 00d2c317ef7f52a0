"""What speaks for and against a statement, with a judge over real HTTP."""

from __future__ import annotations

import json
import threading
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, WriterDenied
from texgeist_retrieval.monitor import StopEvent
from texgeist_retrieval.pipeline.support import for_and_against

from ..model_server import Turn

STATEMENT = "Sleep after learning improves recall of word pairs."
AGAINST = "Older adults gain nothing from a night between learning and test."


def silent() -> StopEvent:
    return StopEvent(threading.Event(), lambda *_: None)


def judge(turn: Any) -> Any:
    """Finds for what speaks of sleep after learning, against what names older adults, neither for the rest."""

    def brain(request: dict[str, Any]) -> Any:
        said = json.dumps(request["messages"])
        if "Passage:" not in said:
            return turn({"supports": "Sleep improves recall.", "contradicts": AGAINST})
        label = "contradicted" if "Older" in said else "supported" if "by a fifth" in said else "not stated"
        return turn({"label": label, "sureness": 90, "missing": "" if label == "supported" else "the age"})

    return brain


def test_both_sides_are_searched_for_and_judged(library: Any, server: Any, make_model: Any) -> None:
    server.brain = judge(Turn)
    sides = for_and_against(STATEMENT, library, silent(), make_model())
    assert library.asked == [STATEMENT, "Sleep improves recall.", AGAINST] == list(sides.queries)
    assert [one.evidence.passage.paper_id for one in sides.of("supports")] == ["sleep"]
    assert [one.evidence.passage.paper_id for one in sides.of("contradicts")] == ["age"]
    assert [one.side for one in sides.found][:2] == ["supports", "contradicts"]
    assert sides.of("contradicts")[0].support.missing == "the age"
    assert {one.evidence.passage.paper_id for one in sides.found} == {paper.id for paper in sides.papers}
    ids = [one.evidence.id for one in sides.found]
    assert ids == [str(n) for n in range(1, len(ids) + 1)] and not sides.notes
    assert len(server.requests) == 1 + len(ids)


@pytest.mark.parametrize("answer", ["prose", {"label": "true", "sureness": 50}, {"label": "supported"}])
def test_a_judge_that_answers_badly_leaves_passages_not_judged(
    library: Any, server: Any, make_model: Any, answer: Any
) -> None:
    server.brain = lambda request: Turn(answer)
    sides = for_and_against(STATEMENT, library, silent(), make_model())
    assert sides.found and {one.side for one in sides.found} == {"not judged"}
    assert "not judged:" in sides.notes[-1]


def test_a_refused_key_and_a_cancel_end_it(library: Any, server: Any, make_model: Any) -> None:
    server.brain = lambda request: Turn(status=401, message="no such key")
    with pytest.raises(WriterDenied):
        for_and_against(STATEMENT, library, silent(), make_model())
    event = threading.Event()
    event.set()
    with pytest.raises(Cancelled):
        for_and_against(STATEMENT, library, StopEvent(event, lambda *_: None), make_model())
