"""Several files that change together or not at all.

Every file is first written whole beside the old one and flushed to the disk; only when all of them are
there do they take the old ones' places, in the order given. What fails half-way is put back, and what a
crash cuts short is finished by `journal.recover`. All of it goes through folders that are held open.
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

OWN = ".texgeist"  # the folder of the record
_A_WHILE, _A_DAY = 600.0, 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Change:
    folder: Folder  # where the file itself lies, links followed
    name: str
    shown: str  # for people
    old: bytes | None  # None for a new file
    new: bytes


def replace_all(changes: Sequence[Change], root: Path) -> None:
    """Raises Changed where a file is no longer what it was, Unwritable where one cannot be written: then all
    are as they were."""
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
    """Takes away what killed processes left beside the root, in the record's folder and in `folders`. A file of
    several documents may wait for the journal of another one, so that much time is left for finishing it."""
    home = Path(real(root.parent))
    with contextlib.suppress(OSError), opened(home) as beside_root:
        if beside_root.waits():
            return
        beside_root.sweep(_A_WHILE)
        with contextlib.suppress(OSError), opened(home / OWN) as own:
            own.sweep(_A_WHILE)
        for folder in folders:
            if not folder.waits():
                folder.sweep(_A_DAY)


@contextlib.contextmanager
def _journal(root: Path, staged: Sequence[tuple[str, Change]]) -> Iterator[None]:
    """Kept while the files take their places, and while they are put back where one of them cannot."""
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
                    f"{', '.join(stuck)} could not be put back after another file of this edit was not written.",
                    "Look at it before you try again.",
                ) from error
            raise
        finally:
            home.remove(file.name)


def _step(temporary: str, change: Change) -> Replacement:
    return Replacement(change.folder.path / change.name, temporary, change.old, change.new)


def _put(temporary: str, change: Change) -> None:
    """Looks once more just before the file is replaced: staging several files takes a while."""
    now = change.folder.content(change.name)
    if now == change.new:
        return  # another texgeist took this one's journal for a crash's, and was quicker
    if now != change.old:
        raise Changed(f"{change.shown} was changed meanwhile.", "Nothing was written; try again.")
    change.folder.replace(temporary, change.name)


def _put_back(change: Change) -> bool:
    """The file as it was, unless it is not what was just written: then it is somebody else's by now."""
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
    """The file's own name in what is said, not that of a temporary one."""
    try:
        yield
    except OSError as error:
        raise Unwritable(
            f"{shown} cannot be written: {error.strerror or error}. Nothing was changed."
        ) from error
