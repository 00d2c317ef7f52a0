"""How a job goes and how it ends, shown to the user: progress, and one sentence on a failure."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError

from ...errors import UNCHANGED, EditDeclined, ServerError, TaskFailed
from ..connection.editor import LOG, Mend, complain, mends_of, say

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..connection.clients import Client
    from ..connection.configuration import Configuration
    from .jobs import Job, Jobs

_EVERY = 0.05  # seconds between two tellings, at least


class Status:
    """On the event loop alone. `tell` tells the editor, whenever something has changed."""

    def __init__(self) -> None:
        self.problem = ""  # what went wrong last, in words
        self.offline = ""  # what could not be reached last, in words
        self.tell: Callable[[], None] = lambda: None
        self._due: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(_EVERY, self._tell)

    def _tell(self) -> None:
        self._due = None
        self.tell()


EVERY = 0.1  # seconds between two reports: more often is noise on the wire


@dataclass
class Progress:
    """What a job reports to. `word` is the last one, shown when the progress ends."""

    server: LanguageServer
    jobs: Jobs
    job: Job
    shown: bool  # by work done progress
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


log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Telling:
    server: LanguageServer
    configuration: Configuration
    jobs: Jobs
    status: Status

    @contextlib.asynccontextmanager
    async def of(self, job: Job) -> AsyncIterator[Progress]:
        """A block of progress that passes on cancelling, and tells whatever else goes wrong in place of
        raising it."""
        async with progress(self.server, self.configuration.client, self.jobs, job) as block:
            try:
                yield block
            except asyncio.CancelledError as error:
                self._ended("")
                what = cancelled(error)
                say(self.server, f"{job.title}: {what[:1].lower()}{what[1:]}")
                raise
            except EditDeclined as error:
                block.word = "Discarded"
                self._ended("")
                say(self.server, error.sentence())
            except (ServerError, LatexError) as error:
                self._failed(block, error.sentence(), mends_of(error))
                if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                    self.status.problem, self.status.offline = "", error.sentence()
            except Exception as error:
                log.exception("unexpected")
                self._failed(block, f"{type(error).__name__}: {error}. The log has the details.", (LOG,))
            else:
                self._ended("")

    def _failed(self, block: Progress, sentence: str, mends: tuple[Mend, ...]) -> None:
        block.word = "Failed"
        self._ended(sentence)
        complain(self.server, sentence, mends if self.configuration.client.buttons else ())

    def _ended(self, problem: str) -> None:
        self.status.problem, self.status.offline = problem, ""


def cancelled(error: asyncio.CancelledError) -> str:
    """What to say of it: where something had been changed by then, the error says what."""
    return str(error.args[0]) if error.args else f"cancelled, {UNCHANGED}"
