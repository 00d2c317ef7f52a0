"""Progress and cancellation of a job: the protocol, and monitors that need no editor."""

from __future__ import annotations

import contextlib
import os
import re
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from .errors import Cancelled


class Monitor(Protocol):
    """Progress and cancellation of a job. Can be called from any thread."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

    def check(self) -> None:
        """Raises `Cancelled` if the user has asked to stop."""
        ...


class Pace:
    """Says how much of a step is done and, after some seconds, how long it will still take."""

    def __init__(self) -> None:
        self._total, self._began, self._first, self._done = 0, 0.0, 0, 0

    def words(self, step: str, done: int | None, total: int | None) -> str:
        if done is None or not total:
            return step
        if total != self._total or done < self._done:  # a new step
            self._total, self._began, self._first = total, time.monotonic(), done
        self._done = done
        share = f"{100 * done // total} %"
        if total < _BYTES and not re.search(r"\d", step):  # otherwise the step has counts of another kind
            share = f"{done:,} of {total:,}"
        words = f"{step}: {share}"
        spent = time.monotonic() - self._began
        if spent < _SOON or done == self._first or done >= total:
            return words
        minutes = spent * (total - done) / (done - self._first) / 60
        return f"{words}, " + (f"about {minutes:.0f} min left" if minutes >= 1 else "less than a minute left")


class Announcing:
    """A monitor that also writes the progress to a file, for programs that wait until this job is done. The file
    exists during the job."""

    def __init__(self, monitor: Monitor, file: Path) -> None:
        self._monitor, self._file = monitor, file
        self._pace, self._last = Pace(), 0.0

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        self._monitor.report(message, done, total)
        words = self._pace.words(message, done, total)
        if time.monotonic() - self._last >= _ANNOUNCED:
            self._last = time.monotonic()
            with contextlib.suppress(OSError):  # only the waiting program's message suffers
                self._file.write_text(f"process {os.getpid()}: {words}", "utf-8")

    def check(self) -> None:
        self._monitor.check()


def announced(file: Path) -> str:
    """The progress of the job that announces itself in `file`; "" if this is not known."""
    try:
        return file.read_text("utf-8", "replace")[:200].strip()
    except OSError:
        return ""


_ANNOUNCED = 1.0  # seconds between two announcements
_STEP = 0.05  # seconds between checks for cancellation
_SOON = 5.0  # seconds before an estimate is made
_BYTES = 1_000_000  # a total from here on is a number of bytes


class Silent:
    """Reports nothing and is never cancelled."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        return None

    def check(self) -> None:
        return None


SILENT = Silent()


def pause(seconds: float, monitor: Monitor) -> None:
    """Sleeps. Raises `Cancelled` if the user asks to stop meanwhile."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        monitor.check()
        time.sleep(min(left, _STEP))


class StopEvent:
    """A monitor that reports through `tell`, and is cancelled when `stop` is set."""

    def __init__(self, stop: threading.Event, tell: Callable[[str, int | None, int | None], None]) -> None:
        self._stop = stop
        self._tell = tell

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        self.check()
        self._tell(message, done, total)

    def check(self) -> None:
        if self._stop.is_set():
            raise Cancelled
