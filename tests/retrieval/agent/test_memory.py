"""What was paid for is kept: a run that is asked for again on the same draft costs nothing."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, WriterInvalid
from texgeist_retrieval.evidence.agent import gather_evidence
from texgeist_retrieval.models.memory import RememberingModel
from texgeist_retrieval.models.structured_call import Prompt, ask
from texgeist_retrieval.monitor import Silent, StopEvent

from ..model_server import Turn
from .conftest import SECTION, WordEmbedder
from .test_agent import MODEL_QUERIES, searches


def test_a_run_that_was_cancelled_goes_on_where_it_was(
    make_model: Any, server: Any, library: Any, tmp_path: Path
) -> None:
    """Cancelled while the third answer is waited for: the two that had arrived are not asked for again."""
    first, second = searches(MODEL_QUERIES[0]), searches(MODEL_QUERIES[1])
    server.script = [first, second, Turn("late", seconds=15.0)]
    stop = threading.Event()

    def tell(message: str, done: int | None, total: int | None) -> None:
        if len(server.requests) >= 2:
            threading.Timer(0.3, stop.set).start()

    model = RememberingModel(make_model(), tmp_path / "cache" / "answers.sqlite")
    with pytest.raises(Cancelled):
        gather_evidence(SECTION, library, WordEmbedder(), StopEvent(stop, tell), model)
    assert len(server.requests) == 3

    server.script = [searches(enough="All there.")]
    run = gather_evidence(SECTION, library, WordEmbedder(), Silent(), model)
    assert len(server.requests) == 4 and run.usage.calls == 1
    assert [q.text for q in run.queries if q.by == "model"] == MODEL_QUERIES[:2]
    assert run.stopped.endswith("All there.")


def test_an_answer_that_fails_its_check_is_asked_for_anew(
    make_model: Any, server: Any, tmp_path: Path
) -> None:
    model = RememberingModel(make_model(), tmp_path / "answers.sqlite")
    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}

    def word() -> Any:
        def check(answer: Any, last: bool) -> Any:
            return answer["word"], [] if answer["word"] == "good" else ["It is bad."]

        return ask(model, Prompt("Be brief.", "", "One.", 20), schema, check, Silent())

    server.script = [Turn({"word": "bad"}), Turn({"word": "worse"}), Turn({"word": "good"})]
    with pytest.raises(WriterInvalid):
        word()
    assert word()[0] == "good" and word()[0] == "good" and len(server.requests) == 3


def test_the_same_name_at_another_address_is_another_model(
    make_model: Any, server: Any, tmp_path: Path
) -> None:
    server.script = [Turn({"word": "a"}), Turn({"word": "b"})]
    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    for address, word in (("http://a", "a"), ("http://b", "b"), ("http://a", "a")):
        model = RememberingModel(make_model(), tmp_path / "answers.sqlite", address=address)
        answer, _ = model.complete_json("Be brief.", "One.", schema, max_tokens=20, monitor=Silent())
        assert answer == {"word": word}
