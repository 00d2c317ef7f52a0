"""The running jobs, at most one for each project, and `Tasks`, the only access to the worker process."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from texgeist_retrieval.monitor import Pace

from ...errors import Busy, Untrusted
from ...sections.requests import A, Request
from ...worker.client import Progress as Report
from ...worker.client import Worker
from ..connection.configuration import Configuration

log = logging.getLogger(__name__)
_EVERY = 0.05  # minimal seconds between status messages


@dataclass(eq=False)
class Job:
    """A running job; `token` is its work done progress token."""

    id: str
    project: Path
    title: str
    message: str = ""
    percentage: int | None = None
    pace: Pace = field(default_factory=Pace, repr=False)
    task: asyncio.Task[None] | None = field(default=None, repr=False)

    @property
    def token(self) -> str:
        return f"texgeist-{self.id}"


class Jobs:
    """The running jobs, and the last failure. Used on the event loop; `tell` is called shortly after a job
    has changed."""

    def __init__(self) -> None:
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

    def start(
        self,
        project: Path,
        title: str,
        work: Callable[[Job], Awaitable[object]],
    ) -> Job:
        """Runs `work` in the background and returns at once. Raises `Busy`.

        `work` must handle its failures: exceptions are only logged.
        """
        if other := self.of(project):
            raise Busy(f"texgeist is busy with this project: {other.title}.", "Cancel that, or wait for it.")
        job = Job(uuid4().hex[:8], project, title)
        self._jobs[job.id] = job
        job.task = asyncio.get_running_loop().create_task(self._run(job, work))
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
        chosen = [
            job
            for job in self._jobs.values()
            if (id is None and token is None) or job.id == id or job.token == token
        ]
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

    def moved(self, job: Job, message: str, done: int | None, total: int | None) -> None:
        job.message = job.pace.words(message, done, total)
        job.percentage = round(100 * done / total) if total and done is not None else None
        self.changed()

    async def _run(self, job: Job, work: Callable[[Job], Awaitable[object]]) -> None:
        try:
            await work(job)
        except asyncio.CancelledError:
            log.info("cancelled: %s", job.title)
        except Exception:
            log.exception("failed: %s", job.title)
        finally:
            self._jobs.pop(job.id, None)
            self.changed()


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
