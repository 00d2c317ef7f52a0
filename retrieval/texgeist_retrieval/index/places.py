"""Which paths may be a local index: what Milvus Lite made, or what can be made there.

Lite takes any folder for a database and puts its own files into it, and waits half a minute for what is no
folder at all. So a path is looked at before anything is started: looking never makes a thing, and nothing but
an index is ever opened. One that a stranger packed may hold links, through which its server would write into
the user's other files: no link is followed from inside an index, nor from the files that stand beside it."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

from ..errors import IndexMismatch, IndexMissing

_OF_LITE = frozenset(
    {"LOCK", "collections", "databases", ".database-staging", "aliases.json", "database_properties.json"}
)
_SQLITE = b"SQLite format 3\0"  # how a file of Milvus Lite 2 begins
_ANOTHER = "Name another path with --index or in the settings."


def check_place(database: Path, *, create: bool) -> None:
    """Raises `IndexMissing` where there is none and none is to be made, `IndexMismatch` for what is none, or where
    none can be made."""
    try:
        state = database.stat()
    except FileNotFoundError:
        if os.path.lexists(database):
            raise IndexMismatch(f"{database} is a link that leads nowhere, and no index.", _ANOTHER) from None
        if not create:
            raise _missing(database) from None
        _check_parent(database)
        return _check_links(database)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise IndexMismatch(f"The index {database} cannot be opened: {reason}.", _ANOTHER) from error
    if not stat.S_ISDIR(state.st_mode):
        raise IndexMismatch(*_no_folder(database, state))
    inside = _names(database)
    _check_links(database)
    if not _is_index(database, inside):
        if foreign := sorted(inside - _OF_LITE):
            raise IndexMismatch(
                f"{database} is a folder with other things in it ({foreign[0]}, …) and no index.",
                "Nothing was touched. Name the index's own path with --index or in the settings.",
            )
        if not create:
            raise _missing(database)
    return None


def _check_links(database: Path) -> None:
    """That nothing in the index or beside it, in files of its name, leads elsewhere or is a device or a pipe."""
    places = {database.absolute(), database.resolve()}  # which may be a link itself, of the user's
    beside = (e for place in places for e in _beside(place.parent) if e.name.startswith(f"{place.name}."))
    if odd := next((entry for entry in (*beside, *_inside(database)) if not _is_plain(entry)), None):
        raise IndexMismatch(
            f"{odd.path} is a link, a device or a pipe; nothing of an index is one.",
            f"Nothing was opened. If you put it there, move what it leads to in its place. {_ANOTHER}",
        )


def _inside(folder: Path) -> Iterator[os.DirEntry[str]]:
    """All that is in the folder, and in its folders; links are not followed."""
    folders = [os.fspath(folder)]
    while folders:
        for entry in _entries(folders.pop()):
            yield entry
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    """None where the folder is not there, or is gone since: the server of the index may be tidying."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise IndexMismatch(f"The folder {folder} cannot be read: {error.strerror}.", _ANOTHER) from error


def _beside(folder: Path) -> list[os.DirEntry[str]]:
    """None of a folder that may be entered but not listed: the index in it is the user's to open all the same."""
    try:
        return _entries(folder)
    except IndexMismatch:
        return []


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Or gone since, which some file systems do not tell apart."""
    try:
        if entry.is_file(follow_symlinks=False) or entry.is_dir(follow_symlinks=False):
            return True
        os.lstat(entry.path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return False


def _is_index(database: Path, inside: set[str]) -> bool:
    return {"LOCK", "collections"} <= inside and (database / "collections").is_dir()


def _names(database: Path) -> set[str]:
    try:
        return {entry.name for entry in os.scandir(database)}
    except OSError as error:
        raise IndexMismatch(f"The index {database} cannot be opened: {error.strerror}.", _ANOTHER) from error


def _no_folder(database: Path, state: os.stat_result) -> tuple[str, str]:
    if not stat.S_ISREG(state.st_mode):
        return f"{database} is a device or a pipe, and no index.", _ANOTHER
    try:
        with database.open("rb") as file:
            begins = file.read(len(_SQLITE))
    except OSError:
        begins = b""
    if begins == _SQLITE:
        return (
            f"{database} is a file of Milvus Lite 2, which this version cannot read.",
            "Export it with the program that made it, or name another path and fill it with "
            "`texgeist index add`.",
        )
    return f"{database} is a file, and no index.", _ANOTHER


def _check_parent(database: Path) -> None:
    """Makes the folder above where it is missing, and sees that files can be made in it."""
    try:
        database.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=database.parent):
            pass
    except (OSError, ValueError) as error:
        raise IndexMismatch(
            f"No index can be made in the folder {database.parent}: "
            f"{getattr(error, 'strerror', None) or error}.",
            _ANOTHER,
        ) from error


def _missing(database: Path) -> IndexMissing:
    return IndexMissing(
        f"There is no library at {database} yet.",
        "Fill it with `texgeist index add` and your .bib file.",
    )
