"""Replaces several files together or not at all.

All new contents are first written to temporary files and flushed to disk; then they replace the files in the
given order. If a replacement fails, the previous ones are reverted; after a crash, `journal.recover`
completes them. All operations use open folders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..errors import Changed, Unwritable
from .folder import Folder, opened
from .journal import Replacement, journal_of, journal_text
from .paths import real

OWN = ".texgeist"  # the folder of the provenance record
_A_WHILE, _A_DAY = 600.0, 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Change:
    folder: Folder  # the folder of the file, with links resolved
    name: str
    shown: str  # the name for messages
    old: bytes | None  # None for a new file
    new: bytes


def replace_all(changes: Sequence[Change], root: Path) -> None:
    """Replaces the files. Raises Changed if a file has changed since it was read, and Unwritable if a file
    cannot be written. In both cases all files are as before."""
    staged: list[tuple[str, Change]] = []
    try:
        for change in changes:
            with _naming(change.shown):
                staged.append((change.folder.stage(change.name, change.new), change))
        with _journal(root, staged):
            for temporary, change in staged:
                with _naming(change.shown):
                    _put(temporary, change)
    finally:
        for temporary, change in staged:
            change.folder.remove(temporary)
    sweep(root, [change.folder for change in changes])


def sweep(root: Path, folders: Sequence[Folder] = ()) -> None:
    """Removes temporary files of killed processes, beside the root, in the record's folder and in `folders`.
    The files in `folders` may belong to another document's journal, so they are kept longer."""
    home = Path(real(root.parent))
    with contextlib.suppress(OSError), opened(home) as beside_root:
        if beside_root.has_journal():
            return
        beside_root.sweep(_A_WHILE)
        with contextlib.suppress(OSError), opened(home / OWN) as own:
            own.sweep(_A_WHILE)
        for folder in folders:
            if not folder.has_journal():
                folder.sweep(_A_DAY)


@contextlib.contextmanager
def _journal(root: Path, staged: Sequence[tuple[str, Change]]) -> Iterator[None]:
    """Keeps the journal while files are replaced and, on failure, reverted."""
    file = journal_of(root)
    with opened(file.parent) as home:
        if len(staged) > 1:
            with _naming(file.name):
                home.put(file.name, journal_text(home.path, [_step(*each) for each in staged]))
        try:
            yield
        except BaseException as error:
            if stuck := [change.shown for _, change in reversed(staged) if not _put_back(change)]:
                raise Unwritable(
                    f"{', '.join(stuck)} could not be restored after another file of this edit failed.",
                    "Check the file before you try again.",
                ) from error
            raise
        finally:
            home.remove(file.name)


def _step(temporary: str, change: Change) -> Replacement:
    return Replacement(change.folder.path / change.name, temporary, change.old, change.new)


def _put(temporary: str, change: Change) -> None:
    """Replaces the file, after checking it again, because staging several files takes time."""
    now = change.folder.content(change.name)
    if now == change.new:
        return  # another process has recovered our journal
    if now != change.old:
        raise Changed(f"{change.shown} was changed meanwhile.", "Nothing was written; try again.")
    change.folder.replace(temporary, change.name)


def _put_back(change: Change) -> bool:
    """Reverts the file, unless another program has changed it. Returns False on failure."""
    try:
        if change.old != change.new == change.folder.content(change.name):
            if change.old is None:
                change.folder.remove(change.name)
            else:
                change.folder.put(change.name, change.old)
    except OSError:
        return False
    return True


@contextlib.contextmanager
def _naming(shown: str) -> Iterator[None]:
    """Uses the name of the file, not of its temporary file, in errors."""
    try:
        yield
    except OSError as error:
        raise Unwritable(
            f"{shown} cannot be written: {error.strerror or error}. Nothing was changed."
        ) from error
