"""Files that a command writes because the command line names them. The same rule holds for all such commands."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import typer
from texgeist_latex.disk.gate import is_bibliography
from texgeist_latex.disk.paths import real
from texgeist_latex.errors import LatexError, Unwritable

FORCE = typer.Option(False, "--force", help="Replace the file if it exists.")


@contextmanager
def new_file(named: Path, suffixes: tuple[str, ...], force: bool) -> Iterator[Path]:
    """Yields a path to write to. What the block wrote there becomes the file `named` if the block ends without
    an error; until then no file of that name appears or changes.

    Raises BadParameter for a name that the command does not write, and Unwritable for a file that exists (unless
    `force`) or that a LaTeX project reads as its bibliography (always). Both are checked before the block, which may take long, and
    again after it."""
    target = Path(real(named))  # a link is followed: what counts is the file that would be replaced
    if target.suffix.lower() not in suffixes:
        raise typer.BadParameter(f"{named} does not end in {' or '.join(suffixes)}, so it is not written.")
    if target.is_dir() or not target.parent.is_dir():
        raise typer.BadParameter(f"No file can be made at {named}.")
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
    """Who reads the bibliography `target`: the root document of the project around it or of the one in the current folder, or
    the user's settings. Returns "" if none of them does."""
    from texgeist_latex.reading.draft import read_draft

    from ..config import user_file

    for start in (target, Path().absolute()):
        with suppress(LatexError):
            draft = read_draft(start, programs=False)
            if str(target) in {real(b.path) for b in draft.bibliographies}:
                return f"the document {draft.root.name}"
    own = user_file.own_bibliographies(user_file.load()[0])
    return "your settings (papers.bibliographies)" if str(target) in map(real, own) else ""
