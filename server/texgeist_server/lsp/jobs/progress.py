"""Shows a job's progress and its end: work done progress, and a message on failure."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError

from ...errors import UNCHANGED, EditDeclined, ServerError, TaskFailed
from ..connection.editor import LOG, Mend, mends_of

if TYPE_CHECKING:
    from ..connection.editor import Editor
    from .jobs import Job, Jobs

EVERY = 0.1  # minimal seconds between reports


@dataclass
class Progress:
    """Receives the progress of a job. `word`: the final message, shown when the progress ends."""

    editor: Editor
    jobs: Jobs
    job: Job
    shown: bool  # whether the editor shows work done progress
    word: str = ""
    _last: float = field(default=0.0, repr=False)

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        job = self.job
        said_before = job.message
        self.jobs.moved(job, message, done, total)
        now = time.monotonic()
        if not self.shown or (message == said_before and now - self._last < EVERY):
            return
        self._last = now
        _send(
            self.editor,
            job,
            lsp.WorkDoneProgressReport(message=message, cancellable=True, percentage=job.percentage),
        )


@contextlib.asynccontextmanager
async def progress(editor: Editor, jobs: Jobs, job: Job) -> AsyncIterator[Progress]:
    """A context manager that begins and always ends the editor's progress. An editor without progress gets a
    message that the work has started."""
    client = editor.client
    shown = client.progress and not client.own_progress and await _create(editor, job)
    block = Progress(editor, jobs, job, shown)
    if shown:
        _send(
            editor,
            job,
            lsp.WorkDoneProgressBegin(title=f"texgeist: {job.title}", cancellable=True, percentage=0),
        )
    elif not client.own_progress:
        editor.say(f"{job.title} has started in the background.")
    try:
        yield block
    except asyncio.CancelledError:
        block.word = "Cancelled"
        raise
    finally:
        if shown:
            _send(editor, job, lsp.WorkDoneProgressEnd(message=block.word or None))


async def _create(editor: Editor, job: Job) -> bool:
    params = lsp.WorkDoneProgressCreateParams(job.token)
    try:
        async with asyncio.timeout(2):
            await editor.server.window_work_done_progress_create_async(params)
    except Exception:  # noqa: BLE001  (such an editor gets messages instead)
        return False
    return True


def _send(
    editor: Editor,
    job: Job,
    value: lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd,
) -> None:
    editor.notify(lsp.PROGRESS, lsp.ProgressParams(job.token, value))


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Telling:
    editor: Editor
    jobs: Jobs

    @contextlib.asynccontextmanager
    async def of(self, job: Job) -> AsyncIterator[Progress]:
        """A context manager for a job's progress. It passes on cancellation, and shows any other error
        instead of raising it."""
        async with progress(self.editor, self.jobs, job) as block:
            try:
                yield block
            except asyncio.CancelledError as error:
                self._ended("")
                what = cancelled(error)
                self.editor.say(f"{job.title}: {what[:1].lower()}{what[1:]}")
                raise
            except EditDeclined as error:
                block.word = "Discarded"
                self._ended("")
                self.editor.say(error.sentence())
            except (ServerError, LatexError) as error:
                self._failed(block, error.sentence(), mends_of(error))
                if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                    self.jobs.problem, self.jobs.offline = "", error.sentence()
            except Exception as error:
                log.exception("unexpected")
                self._failed(block, f"{type(error).__name__}: {error}. The log has the details.", (LOG,))
            else:
                self._ended("")

    def _failed(self, block: Progress, sentence: str, mends: tuple[Mend, ...]) -> None:
        block.word = "Failed"
        self._ended(sentence)
        self.editor.complain(sentence, mends)

    def _ended(self, problem: str) -> None:
        self.jobs.problem, self.jobs.offline = problem, ""


def cancelled(error: asyncio.CancelledError) -> str:
    """The message on a cancelled job. If anything was changed before, the error contains the message."""
    return str(error.args[0]) if error.args else f"cancelled, {UNCHANGED}"
