"""Replaces several files together or not at all.

All new contents are first written to temporary files and flushed to disk; then they replace the files in the
given order. If a replacement fails, the previous ones are reverted. A crash between two replacements, which
take microseconds, leaves the later files as they were. All operations use open folders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..errors import Changed, Unwritable
from .folder import Folder


@dataclass(frozen=True, slots=True)
class Change:
    folder: Folder  # the folder of the file, with links resolved
    name: str
    shown: str  # the name for messages
    old: bytes | None  # None for a new file
    new: bytes


def replace_all(changes: Sequence[Change]) -> None:
    """Replaces the files. Raises Changed if a file has changed since it was read, and Unwritable if a file
    cannot be written. In both cases all files are as before. Then removes temporary files of killed
    processes."""
    staged: list[tuple[str, Change]] = []
    try:
        for change in changes:
            with _naming(change.shown):
                staged.append((change.folder.stage(change.name, change.new), change))
        _replace(staged)
    finally:
        for temporary, change in staged:
            change.folder.remove(temporary)
    for change in changes:
        change.folder.sweep()


def _replace(staged: Sequence[tuple[str, Change]]) -> None:
    done: list[Change] = []
    try:
        for temporary, change in staged:
            with _naming(change.shown):
                done.append(change)
                _put(temporary, change)
    except BaseException as error:
        if stuck := [change.shown for change in reversed(done) if not _put_back(change)]:
            raise Unwritable(
                f"{', '.join(stuck)} could not be restored after another file of this edit failed.",
                "Check the file before you try again.",
            ) from error
        raise


def _put(temporary: str, change: Change) -> None:
    """Replaces the file, after checking it again, because staging several files takes time."""
    if change.folder.content(change.name) != change.old:
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
