"""Runs several calls in parallel, with a limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from ..errors import WriterDenied, WriterError
from ..ports import Monitor

_PATIENCE = 0.1  # seconds between checks for cancellation

T = TypeVar("T")


def side_by_side(
    jobs: Sequence[Callable[[], T]], concurrency: int, monitor: Monitor, message: str = ""
) -> list[T | WriterError]:
    """Returns results in the order of the jobs, with a `WriterError` for a failed job. Raises `WriterDenied`
    at once if the key is refused."""
    if not jobs:
        return []
    pool = ThreadPoolExecutor(
        max_workers=max(1, min(concurrency, len(jobs))), thread_name_prefix="texgeist-model"
    )
    try:
        futures: list[Future[T]] = [pool.submit(job) for job in jobs]
        waiting: set[Future[T]] = set(futures)
        while waiting:
            done, waiting = wait(waiting, timeout=_PATIENCE, return_when=FIRST_COMPLETED)
            monitor.check()
            for future in done:
                if isinstance(error := future.exception(), WriterDenied):
                    raise error
            if done and message:
                monitor.report(message, len(jobs) - len(waiting), len(jobs))
        outcomes: list[T | WriterError] = []
        for future in futures:
            outcomes.append(_outcome(future))
        return outcomes
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _outcome(future: Future[Any]) -> Any:
    """The result of a finished job, or its `WriterError`. Raises any other error of the job."""
    error = future.exception()
    if error is None:
        return future.result()
    if isinstance(error, WriterError):
        return error
    raise error
