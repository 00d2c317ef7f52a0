"""Progress and cancellation of a job: the protocol, and monitors that need no editor."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Protocol

from .errors import Cancelled


class Monitor(Protocol):
    """Progress and cancellation of a job. Can be called from any thread."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

    def check(self) -> None:
        """Raises `Cancelled` if the user has asked to stop."""
        ...


class Silent:
    """Reports nothing and is never cancelled."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None:
        return None

    def check(self) -> None:
        return None


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
