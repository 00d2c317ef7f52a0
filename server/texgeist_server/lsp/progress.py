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
    from .jobs import Job
    from .session import Session

EVERY = 0.1  # seconds between two reports: more often is noise on the wire


@dataclass
class Progress:
    """What a job reports to. `word` is the last one, shown when the progress ends."""

    session: Session
    job: Job
    shown: bool  # by work done progress
    word: str = ""
    also: Callable[[str, int | None], None] | None = None  # hears every report too: message, percentage
    _last: float = field(default=0.0, repr=False)

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        job = self.job
        said_before = job.message
        self.session.jobs.moved(job, message, done, total)
        if self.also:
            self.also(message, job.percentage)
        now = time.monotonic()
        if not self.shown or (message == said_before and now - self._last < EVERY):
            return
        self._last = now
        _send(
            self.session,
            job,
            lsp.WorkDoneProgressReport(message=message, cancellable=True, percentage=job.percentage),
        )


@contextlib.asynccontextmanager
async def progress(session: Session, job: Job) -> AsyncIterator[Progress]:
    """A block that begins, and always ends, the editor's progress. Where the editor shows none, a message
    says that the work has begun."""
    shown = session.client.progress and not session.client.own_progress and await _create(session, job)
    block = Progress(session, job, shown)
    if shown:
        _send(
            session,
            job,
            lsp.WorkDoneProgressBegin(title=f"texgeist: {job.title}", cancellable=True, percentage=0),
        )
    elif not session.client.own_progress:
        say(session.server, f"{job.title} has begun, in the background.")
    try:
        yield block
    except asyncio.CancelledError:
        block.word = "Cancelled"
        raise
    finally:
        if shown:
            _send(session, job, lsp.WorkDoneProgressEnd(message=block.word or None))


async def _create(session: Session, job: Job) -> bool:
    params = lsp.WorkDoneProgressCreateParams(job.token)
    try:
        await asyncio.wait_for(session.server.window_work_done_progress_create_async(params), 2)
    except Exception:  # noqa: BLE001  (an editor that cannot is told by messages)
        return False
    return True


def _send(
    session: Session,
    job: Job,
    value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
) -> None:
    session.server.protocol.notify(lsp.PROGRESS, lsp.ProgressParams(job.token, value))
