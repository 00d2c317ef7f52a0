"""Which paths may be a local index: what Milvus Lite made, or what can be made there.

Lite takes any folder for a database and puts its own files into it, and waits half a minute for what is no
folder at all. So a path is looked at before anything is started: looking never makes a thing, and nothing but
an index is ever opened."""

from __future__ import annotations

import os
import stat
import tempfile
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
        return _check_parent(database)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise IndexMismatch(f"The index {database} cannot be opened: {reason}.", _ANOTHER) from error
    if not stat.S_ISDIR(state.st_mode):
        raise IndexMismatch(*_no_folder(database, state))
    inside = _names(database)
    if not _is_index(database, inside):
        if foreign := sorted(inside - _OF_LITE):
            raise IndexMismatch(
                f"{database} is a folder with other things in it ({foreign[0]}, …) and no index.",
                "Nothing was touched. Name the index's own path with --index or in the settings.",
            )
        if not create:
            raise _missing(database)
    return None


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
        database.parent.mkdir(parents=True, exist_ok=True)
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
