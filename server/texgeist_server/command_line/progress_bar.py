"""Work that takes a while: a bar on a terminal, lines for a program, and Ctrl+C as its stop."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from .speaking import messages

if TYPE_CHECKING:
    from texgeist_retrieval.monitor import StopEvent


class _Lines:
    """Progress as lines, for a program that shows it to its user (`TEXGEIST_PROGRESS=lines`)."""

    def __init__(self) -> None:
        self._wanted = os.environ.get("TEXGEIST_PROGRESS") == "lines"
        self._last = ("", 0.0)

    def tell(self, message: str, done: int | None, total: int | None) -> None:
        said, at = self._last
        if not self._wanted or (message == said and time.monotonic() - at < 1):
            return
        self._last = (message, time.monotonic())
        share = f", {round(100 * done / total)} %" if total and done is not None else ""
        sys.stderr.write(f"{message}{share}\n")
        sys.stderr.flush()


@contextlib.contextmanager
def working(title: str) -> Iterator[StopEvent]:
    """A monitor with a progress bar on a terminal, and Ctrl+C as its stop."""
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )
    from texgeist_retrieval.monitor import StopEvent

    stop = threading.Event()
    console = messages()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        lines = _Lines()

        def tell(message: str, done: int | None, total: int | None) -> None:
            lines.tell(message, done, total)
            if done is None:  # a word in between: the bar stays where it is
                bar.update(task, description=message)
            else:
                bar.update(task, description=message, completed=done, total=total)

        with _stopping(stop):
            yield StopEvent(stop, tell)


@contextlib.contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    """The first Ctrl+C asks the work to stop between two steps, the second ends it."""

    def on_interrupt(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, on_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
