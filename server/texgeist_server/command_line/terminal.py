"""Output of the command line: results on standard output, messages and progress on standard error. All
foreign text goes through `without_controls`."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.segment import Segment

if TYPE_CHECKING:
    from rich.table import Table
    from texgeist_retrieval.monitor import StopEvent

# Control characters and bidirectional marks: with them, foreign text could forge the output.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\r(?!\n)"
)


@dataclass(frozen=True, slots=True)
class Manner:
    quiet: bool = False
    as_json: bool = False


MANNER: ContextVar[Manner] = ContextVar("manner", default=Manner())  # noqa: B039


def without_controls(text: str) -> str:
    """Replaces each control character and bidirectional mark by U+FFFD."""
    return _UNSEEN.sub("\N{REPLACEMENT CHARACTER}", text)


class Terminal(Console):
    """A console that replaces control characters in the printed texts. The codes with which Rich sets colours
    are kept."""

    def _render_buffer(self, buffer: Iterable[Segment]) -> str:
        shown = (one if one.control else Segment(without_controls(one.text), one.style) for one in buffer)
        return super()._render_buffer(shown)


def echo(text: object = "", err: bool = False, nl: bool = True) -> None:
    """Prints the text without control characters."""
    typer.echo(without_controls(str(text)), err=err, nl=nl)


def messages() -> Console:
    """The console for messages: standard error, so that standard output holds only the result. Silent with
    `-q`."""
    return Terminal(stderr=True, highlight=False, soft_wrap=True, quiet=MANNER.get().quiet)


def complaints() -> Console:
    """The console for failures: standard error, even with `-q`."""
    return Terminal(stderr=True, highlight=False, soft_wrap=True, emoji=False)


def inform(text: object) -> None:
    """Prints a message for the user."""
    messages().print(text, markup=False)


def warn(text: object) -> None:
    messages().print(text, style="yellow", markup=False)


def show_table(table: Table) -> None:
    """Prints a table on standard output."""
    Terminal(highlight=False, markup=False, emoji=False).print(table)


class _Lines:
    """Prints progress line by line: every second for a program that shows it to its user
    (`TEXGEIST_PROGRESS=lines`). Where standard error is no terminal, after ten seconds, then after ever longer
    times up to a minute, and never the same line twice."""

    def __init__(self, is_terminal: bool) -> None:
        self._often = os.environ.get("TEXGEIST_PROGRESS") == "lines"
        self._wanted = self._often or not (is_terminal or MANNER.get().quiet)
        self._last = ("", "", time.monotonic())
        self._pause = 1.0 if self._often else 10.0

    def tell(self, step: str, words: str) -> None:
        before, printed, at = self._last
        new = self._often and step != before
        soon = not new and time.monotonic() - at < self._pause
        if not self._wanted or soon or words == printed:
            return
        self._last = (step, words, time.monotonic())
        if not self._often:
            self._pause = min(self._pause * 1.5, 60.0)
        echo(words, err=True)


@contextlib.contextmanager
def working(title: str) -> Iterator[StopEvent]:
    """Yields a monitor that shows a progress bar on a terminal and stops on Ctrl+C."""
    from rich.progress import (
        BarColumn,
        Progress,
        SpinnerColumn,
        TextColumn,
        TimeElapsedColumn,
    )
    from texgeist_retrieval.monitor import Pace, StopEvent

    stop = threading.Event()
    console = messages()
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=None)

        lines, pace = _Lines(console.is_terminal), Pace()

        def tell(message: str, done: int | None, total: int | None) -> None:
            words = pace.words(message, done, total)
            lines.tell(message, words)
            if done is None:  # without a count only the text changes
                bar.update(task, description=words)
            else:
                bar.update(task, description=words, completed=done, total=total)

        with _stopping(stop):
            yield StopEvent(stop, tell)


@contextlib.contextmanager
def _stopping(stop: threading.Event) -> Iterator[None]:
    """The first Ctrl+C asks the work to stop at its next step; the second aborts it."""

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
