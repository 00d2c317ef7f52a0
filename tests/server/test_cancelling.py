"""Cancelling in the very moment in which the editor answers: the job ends all the same."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from texgeist_server.lsp.connection.configuration import Client
from texgeist_server.lsp.connection.editor import Editor
from texgeist_server.lsp.jobs.jobs import Job, Jobs


class Server:
    """An editor that is asked for progress, and whose answer the test gives."""

    def __init__(self) -> None:
        self.asked: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.answer: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.protocol = self

    async def window_work_done_progress_create_async(self, _: Any) -> None:
        self.asked.set_result(None)
        await self.answer

    def notify(self, *_: Any) -> None:
        pass

    window_show_message = notify


async def test_a_cancel_that_comes_with_the_editors_answer_is_heard() -> None:
    server, worked = Server(), False
    configuration = SimpleNamespace(client=Client(progress=True), trusted=True)
    jobs = Jobs(Editor(server, configuration, None, None))  # type: ignore[arg-type]
    ends: list[tuple[str, bool]] = []

    async def work(job: Job) -> None:
        nonlocal worked
        await asyncio.sleep(0)
        worked = True

    job = jobs.start(Path("paper"), "writing", work, lambda *end: ends.append(end))
    await server.asked
    server.answer.set_result(None)  # both are read from the editor at once
    await asyncio.sleep(0)  # what waits for the answer is done, the job has not gone on yet
    assert jobs.cancel() == 1
    assert job.task
    await asyncio.wait({job.task})
    assert not worked and not jobs.all() and ends == [("Cancelled, nothing was changed.", True)]
