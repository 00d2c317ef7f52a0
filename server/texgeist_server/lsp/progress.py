"""Progress of a job, shown in the way that this editor can."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from .messages import say

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from .clients import Client
    from .jobs import Job, Jobs

EVERY = 0.1  # seconds between two reports: more often is noise on the wire


@dataclass
class Progress:
    """What a job reports to. `word` is the last one, shown when the progress ends."""

    server: LanguageServer
    jobs: Jobs
    job: Job
    shown: bool  # by work done progress
    word: str = ""
    also: Callable[[str, int | None], None] | None = None  # hears every report too: message, percentage
    _last: float = field(default=0.0, repr=False)

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        job = self.job
        said_before = job.message
        self.jobs.moved(job, message, done, total)
        if self.also:
            self.also(message, job.percentage)
        now = time.monotonic()
        if not self.shown or (message == said_before and now - self._last < EVERY):
            return
        self._last = now
        _send(
            self.server,
            job,
            lsp.WorkDoneProgressReport(message=message, cancellable=True, percentage=job.percentage),
        )


@contextlib.asynccontextmanager
async def progress(server: LanguageServer, client: Client, jobs: Jobs, job: Job) -> AsyncIterator[Progress]:
    """A block that begins, and always ends, the editor's progress. Where the editor shows none, a message
    says that the work has begun."""
    shown = client.progress and not client.own_progress and await _create(server, job)
    block = Progress(server, jobs, job, shown)
    if shown:
        _send(
            server,
            job,
            lsp.WorkDoneProgressBegin(title=f"texgeist: {job.title}", cancellable=True, percentage=0),
        )
    elif not client.own_progress:
        say(server, f"{job.title} has begun, in the background.")
    try:
        yield block
    except asyncio.CancelledError:
        block.word = "Cancelled"
        raise
    finally:
        if shown:
            _send(server, job, lsp.WorkDoneProgressEnd(message=block.word or None))


async def _create(server: LanguageServer, job: Job) -> bool:
    params = lsp.WorkDoneProgressCreateParams(job.token)
    try:
        async with asyncio.timeout(2):
            await server.window_work_done_progress_create_async(params)
    except Exception:  # noqa: BLE001  (an editor that cannot is told by messages)
        return False
    return True


def _send(
    server: LanguageServer,
    job: Job,
    value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
) -> None:
    server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(job.token, value))
