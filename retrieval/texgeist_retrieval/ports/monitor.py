"""How a job tells how far it is, and hears that it is to stop."""

from __future__ import annotations

from typing import Protocol


class Monitor(Protocol):
    """Progress and cancel of one job. Safe to call from any thread."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

    def check(self) -> None:
        """Raises `Cancelled` once the user has asked to stop."""
        ...
