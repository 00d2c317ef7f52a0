"""Shared by the commands: settings, options, JSON output, reading standard input, and writing new files."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_latex.disk.gate import is_bibliography
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import LatexError, Unwritable
from texgeist_retrieval.models.providers import NAMES

from .exits import KNOWN
from .exits import plainly as plainly
from .terminal import messages as messages
from .terminal import warn
from .terminal import working as working

if TYPE_CHECKING:
    from rich.table import Table

    from ..adapters import Setup
    from ..config.settings import Settings
    from ..plain_drafts import GivenDraft

LONGEST_INPUT = 10_000_000  # bytes

INDEX = typer.Option(
    None, "--index", metavar="PATH_OR_URI", help="The index (default: `index.location` of your settings)."
)
DISCOVER = typer.Option(
    False,
    "--discover",
    help="Also discover papers, in the services of `index.discover` or, if it is empty, in OpenAlex, Semantic "
    "Scholar, arXiv and Crossref. They receive the title, key words, two sentences with citations (or what your "
    "language model names; for `cite`, your sentence), and ids and titles of cited works.",
)
JSON = typer.Option(False, "--json", help="Print one JSON document and nothing else.")
WRITERS = ("auto", "extractive", *NAMES)


def writer_option(default: str, help_: str, names: Sequence[str] = WRITERS) -> Any:
    """The option `--writer`. It is a string and not an enumeration, because the providers are declared
    elsewhere."""

    def known(name: str) -> str:
        if name not in names:
            raise typer.BadParameter(f"{name!r} is not one of {', '.join(names)}.")
        return name

    return typer.Option(default, metavar=f"[{'|'.join(names)}]", help=help_, callback=known)


def load_settings(given: Mapping[str, Any] | None = None, discover: bool = False) -> Settings:
    from ..config import user_file

    settings, problems = user_file.load(given)
    for problem in problems:
        warn(problem)
    return settings.with_discovery() if discover else settings


def setup_for(settings: Settings, index: str | None = None, writer: str = "auto") -> Setup:
    """The settings with the keys of the environment, and the index and writer that the options name."""
    from ..adapters import setup_of
    from ..config.credentials import keys_from_environment

    KNOWN.set(replace(KNOWN.get(), index=index))
    return setup_of(settings, keys_from_environment(), index, writer)


def print_json(value: Any) -> None:
    """Prints JSON on standard output. If its encoding is not UTF-8 (a pipe on Windows), non-ASCII characters
    are written as JSON escapes."""
    utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not utf8, indent=2)
    sys.stdout.write(text.encode("utf-8", "replace").decode() + "\n")  # unpaired surrogates cannot be encoded


def given(text: str) -> str:
    """The text of an argument; if it is `-`, the text on standard input."""
    if text != "-":
        return text
    return sys.stdin.buffer.read(LONGEST_INPUT).decode("utf-8", "replace").strip()


DRAFT = typer.Argument(..., help="Any .tex file of the project, or a PDF; - reads LaTeX or plain text.")


def draft_from(file: Path) -> GivenDraft:
    """The draft at the path `file`, or from standard input if `file` is `-`. Warns about parts of a PDF that
    could not be read."""
    from ..plain_drafts import GivenDraft, draft_of_pdf, draft_of_text

    if str(file) == "-":
        return draft_of_text(given("-"))
    if not is_pdf(file):
        return GivenDraft(file)
    draft = draft_of_pdf(file)
    if draft.note:
        warn(draft.note)
    return draft


def is_pdf(file: Path) -> bool:
    return file.suffix.lower() == ".pdf"


def refuse_to_write(file: Path, writes: bool) -> None:
    """Raises `BadParameter` if the command would write to standard input or a PDF."""
    if writes and (str(file) == "-" or is_pdf(file)):
        raise typer.BadParameter(
            "Only a LaTeX project can be written to: leave --apply out, or name a .tex file."
        )


def table_of(*columns: str) -> Table:
    """An empty table. A column whose name starts with a star is wrapped and never cut, since users copy its
    text."""
    from rich.table import Table

    table = Table()
    for column in columns:
        starred = column.startswith("*")
        table.add_column(column.removeprefix("*"), overflow="fold" if starred else "ellipsis", no_wrap=False)
    return table


FORCE = typer.Option(False, "--force", help="Replace the file if it exists.")


@contextmanager
def new_file(named: Path, suffixes: tuple[str, ...], force: bool) -> Iterator[Path]:
    """Yields a temporary path. The file written there replaces `named` if the block ends without an error.

    Raises BadParameter for a wrong suffix, and Unwritable if the file exists (unless `force`) or if a LaTeX
    project uses it as its bibliography (always). Both are checked before the block, which may take long, and
    again after it.
    """
    target = Path(real(named))  # follow a link: the check is about the file that would be replaced
    if target.suffix.lower() not in suffixes:
        raise typer.BadParameter(f"{named} does not end in {' or '.join(suffixes)}, so it is not written.")
    if target.is_dir() or not target.parent.is_dir():
        raise typer.BadParameter(f"No file can be created at {named}.")
    _check_replaceable(named, target, force)
    folder = Path(tempfile.mkdtemp(prefix=".texgeist-", dir=target.parent))
    try:
        yield folder / target.name
        _check_replaceable(named, target, force)
        (folder / target.name).replace(target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _check_replaceable(named: Path, target: Path, force: bool) -> None:
    if not os.path.lexists(target):
        return
    if is_bibliography(target) and (reader := _reader_of(target)):
        raise Unwritable(f"{named} is a bibliography of {reader} and was not touched.", "Name another file.")
    if not force:
        raise Unwritable(
            f"{named} exists and was not touched.", "Name another file, or replace it with --force."
        )


def _reader_of(target: Path) -> str:
    """Says what uses the bibliography `target`: a document of the project around it or in the current folder,
    or the user's settings. Returns "" if nothing uses it."""
    from texgeist_latex.reading.draft import read_draft

    from ..config import user_file

    for start in (target, Path().absolute()):
        with suppress(LatexError):
            draft = read_draft(start, programs=False)
            if str(target) in {real(b.path) for b in draft.bibliographies}:
                return f"the document {draft.root.name}"
    own = user_file.own_bibliographies(user_file.load()[0])
    return "your settings (papers.bibliographies)" if str(target) in map(real, own) else ""
