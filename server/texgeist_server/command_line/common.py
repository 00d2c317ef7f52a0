"""What the commands share: settings, errors as one sentence, progress on standard error, JSON alone on
standard output."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from texgeist_retrieval.models.providers import NAMES

from .exits import MANNER
from .exits import plainly as plainly  # where the commands look for it

if TYPE_CHECKING:
    from rich.table import Table
    from texgeist_retrieval.monitor import StopEvent

    from ..config.settings import Settings

LONGEST_INPUT = 10_000_000  # bytes

INDEX = typer.Option(
    None, "--index", metavar="PATH_OR_URI", help="The index to search (default: the settings')."
)
JSON = typer.Option(False, "--json", help="Print one JSON document and nothing else.")
WRITERS = ("auto", "extractive", *NAMES)


def writer_option(default: str, help_: str) -> Any:
    """Who writes: a word of the command line, not an enumeration, since the providers are declared elsewhere."""
    return typer.Option(default, metavar=f"[{'|'.join(WRITERS)}]", help=help_, callback=_known_writer)


def _known_writer(name: str) -> str:
    if name not in WRITERS:
        raise typer.BadParameter(f"{name!r} is not one of {', '.join(WRITERS)}.")
    return name


def messages() -> Console:
    """For people: standard error, which leaves standard output to the result. Silent with `-q`."""
    return Console(stderr=True, highlight=False, soft_wrap=True, quiet=MANNER.get().quiet)


def load_settings(given: Mapping[str, Any] | None = None) -> Settings:
    from ..config import user_file

    settings, problems = user_file.load(given)
    for problem in problems:
        messages().print(problem, style="yellow", markup=False)
    return settings


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


def print_json(value: Any) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=2)
    sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")  # halves of surrogate pairs are no text


def overrides(**values: Any) -> dict[str, Any]:
    """The options that were given."""
    return {name: value for name, value in values.items() if value is not None}


def given(text: str) -> str:
    """The words of an argument; `-` stands for standard input."""
    if text != "-":
        return text
    return sys.stdin.buffer.read(LONGEST_INPUT).decode("utf-8", "replace").strip()


def draft_from(file: Path) -> tuple[Path, dict[Path, str]]:
    """The file of a draft and the texts that stand for what is on the disk: `-` is a document read from
    standard input, as if it lay in the folder that the command is called in. Its bibliographies are found
    there, and nothing can be written into it."""
    if str(file) != "-":
        return file, {}
    path = Path("standard-input.tex").absolute()
    return path, {path: given("-")}


def refuse_to_write(file: Path, writes: bool) -> None:
    """Raises `BadParameter` where standard input is to be written to."""
    if writes and str(file) == "-":
        raise typer.BadParameter("Standard input cannot be written to: leave --apply out, or name a file.")


def table_of(*columns: str) -> Table:
    """A table. A column marked by a star is never cut, since its words are to be copied: it is folded."""
    from rich.table import Table

    table = Table()
    for column in columns:
        starred = column.startswith("*")
        table.add_column(column.removeprefix("*"), overflow="fold" if starred else "ellipsis", no_wrap=False)
    return table
