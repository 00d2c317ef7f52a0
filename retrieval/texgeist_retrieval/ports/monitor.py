"""The port by which a job reports its progress and is cancelled."""

from __future__ import annotations

from typing import Protocol


class Monitor(Protocol):
    """Progress and cancellation of a job. Can be called from any thread."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

    def check(self) -> None:
        """Raises `Cancelled` if the user has asked to stop."""
        ...
