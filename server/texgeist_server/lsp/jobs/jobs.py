"""The running jobs, at most one for each project: their work done progress, and a message when they fail. `Tasks`
is the only access to the worker process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_retrieval.monitor import Pace

from ...errors import UNCHANGED, Busy, EditDeclined, ServerError, TaskFailed, Untrusted
from ...sections.requests import A, Request
from ...worker.client import Progress as Report
from ...worker.client import Worker
from ..connection.configuration import Configuration
from ..connection.editor import LOG, Editor, Mend, mends_of

log = logging.getLogger(__name__)
Work = Callable[["Job"], Awaitable[object]]
Stopped = Callable[[str, bool], None]  # receives a message, and whether the job was cancelled
_EVERY = 0.05  # minimal seconds between status messages
_REPORTED = 0.1  # minimal seconds between reports of the same work
_ProgressValue = lsp.WorkDoneProgressBegin | lsp.WorkDoneProgressReport | lsp.WorkDoneProgressEnd


@dataclass(eq=False)
class Job:
    """A running job. `word`: the final message, shown when the progress ends."""

    jobs: Jobs = field(repr=False)
    project: Path
    title: str
    id: str = field(default_factory=lambda: uuid4().hex[:8])
    message: str = ""
    percentage: int | None = None
    word: str = ""
    task: asyncio.Task[None] | None = field(default=None, repr=False)
    shown: bool = False  # whether the editor shows work done progress
    _pace: Pace = field(default_factory=Pace, repr=False)
    _step: str = field(default="", repr=False)
    _last: float = field(default=0.0, repr=False)

    @property
    def token(self) -> str:
        """The work done progress token."""
        return f"texgeist-{self.id}"

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        same, self._step = message == self._step, message
        self.message = self._pace.words(message, done, total)
        self.percentage = round(100 * done / total) if total and done is not None else None
        self.jobs.changed()
        now = time.monotonic()
        if self.shown and not (same and now - self._last < _REPORTED):
            self._last = now
            self.send(
                lsp.WorkDoneProgressReport(message=self.message, cancellable=True, percentage=self.percentage)
            )

    def say(self, words: str) -> None:
        """Shows the final message, also to editors that do not show progress."""
        self.word = words
        self.jobs.editor.say(words)

    def send(self, value: _ProgressValue) -> None:
        self.jobs.editor.notify(lsp.PROGRESS, lsp.ProgressParams(self.token, value))


class Jobs:
    """The running jobs, and the last failure. Used on the event loop; `tell` is called shortly after a job
    has changed."""

    def __init__(self, editor: Editor) -> None:
        self.editor = editor
        self.problem = ""  # the message of the last failure
        self.offline = ""  # a message on the last server that could not be reached
        self.tell: Callable[[], None] = lambda: None
        self._jobs: dict[str, Job] = {}
        self._due: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(_EVERY, self._tell)

    def _tell(self) -> None:
        self._due = None
        self.tell()

    def start(self, project: Path, title: str, work: Work, stopped: Stopped = lambda *_: None) -> Job:
        """Runs `work` in the background and returns at once. If it fails or is cancelled, the user gets a
        message, and `stopped` is called. Raises `Untrusted` and `Busy`."""
        if not self.editor.configuration.trusted:
            raise Untrusted
        if other := self.of(project):
            raise Busy(f"texgeist is busy with this project: {other.title}.", "Cancel that, or wait for it.")
        job = Job(self, project, title)
        self._jobs[job.id] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job, work, stopped))
        self.changed()
        return job

    def of(self, project: Path) -> Job | None:
        return next((job for job in self._jobs.values() if job.project == project), None)

    async def ended(self, title: str) -> None:
        """Waits for the jobs of this title, however they end."""
        tasks = [job.task for job in self._jobs.values() if job.title == title and job.task]
        await asyncio.gather(*map(asyncio.shield, tasks), return_exceptions=True)

    def all(self) -> list[Job]:
        return list(self._jobs.values())

    def cancel(self, id: str | None = None, token: str | int | None = None) -> int:
        """Cancels the job with this id or token or, if both are None, all jobs. Returns the number of these
        jobs."""
        everything = id is None and token is None
        chosen = [job for job in self._jobs.values() if everything or job.id == id or job.token == token]
        for job in chosen:
            if job.task:
                job.task.cancel()
        return len(chosen)

    async def close(self) -> None:
        tasks = [job.task for job in self._jobs.values() if job.task]
        self.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(3):
                await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self, job: Job, work: Work, stopped: Stopped) -> None:
        try:
            async with self._shown(job):
                await self._reported(job, work, stopped)
        except asyncio.CancelledError as error:
            self.problem = self.offline = ""
            words = cancelled(error)
            self.editor.say(f"{job.title}: {words}")
            stopped(words[:1].upper() + words[1:], True)
        finally:
            self._jobs.pop(job.id, None)
            self.changed()

    async def _reported(self, job: Job, work: Work, stopped: Stopped) -> None:
        """Runs `work`. Shows an error to the user instead of raising it."""
        problem, offline = "", ""
        try:
            await work(job)
        except EditDeclined as error:
            job.word = "Discarded"
            self.editor.say(error.sentence())
            stopped(error.sentence(), False)
        except (ServerError, LatexError) as error:
            problem = self._failed(job, error.sentence(), mends_of(error), stopped)
            if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                problem, offline = "", problem
        except Exception as error:
            log.exception("unexpected")
            words = f"{type(error).__name__}: {error}. The log has the details."
            problem = self._failed(job, words, (LOG,), stopped)
        self.problem, self.offline = problem, offline

    def _failed(self, job: Job, sentence: str, mends: tuple[Mend, ...], stopped: Stopped) -> str:
        job.word = "Failed"
        self.editor.complain(sentence, mends)
        stopped(sentence, False)
        return sentence

    @contextlib.asynccontextmanager
    async def _shown(self, job: Job) -> AsyncIterator[None]:
        """Begins and always ends the editor's progress. An editor without progress gets a message that the
        work has started."""
        client = self.editor.client
        job.shown = client.progress and not client.own_progress and await self._create_progress(job)
        if job.shown:
            job.send(lsp.WorkDoneProgressBegin(f"texgeist: {job.title}", cancellable=True, percentage=0))
        elif not client.own_progress:
            self.editor.say(f"{job.title} has started in the background.")
        try:
            yield
        except asyncio.CancelledError:
            job.word = "Cancelled"
            raise
        finally:
            if job.shown:
                job.send(lsp.WorkDoneProgressEnd(message=job.word or None))

    async def _create_progress(self, job: Job) -> bool:
        params = lsp.WorkDoneProgressCreateParams(job.token)
        try:
            async with asyncio.timeout(2):
                await self.editor.server.window_work_done_progress_create_async(params)
        except Exception:  # noqa: BLE001  (such an editor gets messages instead)
            return False
        return True


def cancelled(error: asyncio.CancelledError) -> str:
    """The message on a cancelled job. If anything was changed before, the error contains the message."""
    words = str(error.args[0]) if error.args else f"cancelled, {UNCHANGED}"
    return words[:1].lower() + words[1:]


def silent(message: str, done: int | None, total: int | None) -> None:
    """Ignores the progress of background work."""


class Tasks:
    """The only access to the worker process. Refuses requests in untrusted workspaces."""

    def __init__(self, configuration: Configuration) -> None:
        self._configuration = configuration
        self._worker = Worker()

    async def do(self, request: Request[A], report: Report = silent) -> A:
        """Returns the worker's answer. Raises `Untrusted`, `TaskFailed` and `WorkerDied`."""
        if not self._configuration.trusted:
            raise Untrusted
        settings = await self._configuration.loaded()
        return await self._worker.do(request, settings, self._configuration.keys, report)

    async def close(self) -> None:
        await self._worker.close()
