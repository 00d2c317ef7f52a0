"""The server's end of the worker: whatever the process does, nobody waits for ever."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from texgeist_retrieval.codec import from_plain
from texgeist_retrieval.errors import Cancelled
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.errors import TaskFailed, WorkerDied
from texgeist_server.sections.requests import (
    Choice,
    Ping,
    RelatedWorkRequest,
    Request,
    WriteChosenRequest,
    answer_type,
)
from texgeist_server.worker.__main__ import TASKS, read_call
from texgeist_server.worker.client import Worker, call_of, left_behind


def quiet(*_: Any) -> None: ...


async def test_a_frame_that_cannot_be_read_ends_the_wait() -> None:
    worker = Worker()
    await worker.do(Ping(), Settings(), Keys(), quiet)
    assert worker._process and worker._process.stdout
    waiting: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    worker._waiting[99] = (worker._process, waiting, quiet)
    worker._process.stdout.feed_data(b"this is no frame\n")
    with pytest.raises(WorkerDied):
        await asyncio.wait_for(waiting, 20)
    assert await worker.do(Ping(), Settings(), Keys(), quiet)  # by another process
    await worker.close()


async def test_the_end_of_one_process_fails_no_task_of_the_next() -> None:
    worker = Worker()
    first = await worker.do(Ping(), Settings(), Keys(), quiet)
    old = worker._process
    worker._process = None  # as when it is known to have ended before its last words were read
    second = asyncio.create_task(worker.do(Ping(), Settings(), Keys(), quiet))
    while not worker._waiting:
        await asyncio.sleep(0.01)
    assert old
    old.kill()
    await old.wait()
    assert await asyncio.wait_for(second, 60) != first
    await worker.close()


@pytest.mark.parametrize("steps", range(1, 12, 3))
async def test_a_worker_that_is_closed_while_it_starts_leaves_no_process_and_starts_none(steps: int) -> None:
    worker = Worker()
    first = asyncio.create_task(worker.do(Ping(), Settings(), Keys(), quiet))
    for _ in range(steps):
        await asyncio.sleep(0)
    await asyncio.wait_for(worker.close(), 30)
    await asyncio.wait({first}, timeout=30)
    assert first.done() and (first.exception() is None or isinstance(first.exception(), WorkerDied))
    with pytest.raises(WorkerDied):
        await worker.do(Ping(), Settings(), Keys(), quiet)
    assert worker.pid is None


@pytest.mark.parametrize(
    ("kind", "given"),
    [
        (WriteChosenRequest, {"search": 1, "choice": {}}),
        (WriteChosenRequest, {"search": "a"}),
        (WriteChosenRequest, {"search": "a", "choice": {"breadth": "many"}}),
        (RelatedWorkRequest, {"query": {"kind": "abstrac", "parts": []}}),
        (RelatedWorkRequest, {"query": None}),
    ],
)
def test_what_is_no_request_is_refused(kind: type[Request[Any]], given: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        from_plain(kind, given)


def test_every_request_has_a_task_and_travels() -> None:
    assert all(answer_type(kind) is not None for kind in TASKS)
    request = WriteChosenRequest("a", Choice(None, 3, 0.5, ("x",), ("y",)))
    call = json.loads(json.dumps(call_of(request, Settings(), Keys("token", {"openai": "key"}))))
    assert read_call(call) == (request, Settings(), Keys("token", {"openai": "key"}))


def test_what_a_cancelled_task_left_behind_is_in_its_own_words() -> None:
    async def said(error: Exception | None) -> str:
        future: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        future.set_exception(error) if error else future.set_result({})
        return left_behind(future)

    kept = TaskFailed("Cancelled", "Cancelled. Until then: 5 papers put into the index.", "Go on.")
    assert asyncio.run(said(kept)) == "Cancelled. Until then: 5 papers put into the index. Go on."
    for nothing in (None, TaskFailed("Cancelled", str(Cancelled())), TaskFailed("SearchError", "Gone.")):
        assert asyncio.run(said(nothing)) == ""
