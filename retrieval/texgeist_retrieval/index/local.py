"""Local indexes: checks whether a path can be an index, and connects to the server of an index, which is
started if necessary."""

from __future__ import annotations

import importlib.util
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..errors import IndexMismatch, IndexMissing, IndexUnavailable
from ..shared_process import Starter
from .collection import connect

START_SECONDS = 30.0  # long enough for a busy laptop; two seconds are usual


def connect_local(database: Path) -> Any:
    """Returns a client of the server that holds `database`, which `check_place` has accepted; starts a server
    if none answers. Several processes may call this at once: they all get the same server."""
    if importlib.util.find_spec("milvus_lite") is None:
        raise IndexUnavailable(
            "milvus-lite, which holds the library on this machine, is not installed.",
            "Install it (`pip install milvus-lite`), or search a Milvus server (index.location).",
        )
    from pymilvus.exceptions import MilvusException

    deadline = time.monotonic() + START_SECONDS
    starter = Starter(database, "texgeist_retrieval.index.lite_server")
    while time.monotonic() < deadline:
        try:
            if server := starter.find():
                return connect(f"http://127.0.0.1:{server.port}", server.token)
            starter.start()
        except MilvusException:
            pass  # another program has the port of a crashed server, or the server is ending
        except OSError as error:
            raise IndexUnavailable(
                f"The folder {database.parent} of the local index cannot be written: {error.strerror}.",
                "Name another path with --index or in the settings.",
            ) from error
        time.sleep(0.05)
    lines = starter.log()
    raise IndexUnavailable(
        f"The local index {database} could not be opened{f': {lines[-1][:300]}' if lines else '.'}",
        "If another program has it open (a notebook, an older texgeist), close that and try again.",
    )


# A path may be a local index if Milvus Lite made an index there, or if an index can be made there. Lite uses
# any folder as a database and writes files into it; if the path is not a folder, it waits half a minute. The
# path is therefore checked before a server is started: the check makes no index, and opens only an index.
# An index from someone else may contain links, through which its server would write into the user's other
# files: links inside an index, or in files beside it, are refused.

_OF_LITE = frozenset(
    {"LOCK", "collections", "databases", ".database-staging", "aliases.json", "database_properties.json"}
)
_SQLITE = b"SQLite format 3\0"  # start of a file of Milvus Lite 2
_ANOTHER = "Name another path with --index or in the settings."


def check_place(database: Path, *, create: bool) -> None:
    """Raises `IndexMissing` if there is no index and `create` is False, and `IndexMismatch` if there is
    something else at the path, or if no index can be made there."""
    try:
        state = database.stat()
    except FileNotFoundError:
        if os.path.lexists(database):
            raise IndexMismatch(f"{database} is a broken link, not an index.", _ANOTHER) from None
        if not create:
            raise _missing(database) from None
        _check_parent(database)
        return _check_links(database)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise IndexMismatch(f"The index {database} cannot be opened: {reason}.", _ANOTHER) from error
    if not stat.S_ISDIR(state.st_mode):
        raise IndexMismatch(*_no_folder(database, state))
    inside = {entry.name for entry in _entries(database)}
    _check_links(database)
    if not _is_index(database, inside):
        if foreign := sorted(inside - _OF_LITE):
            raise IndexMismatch(
                f"{database} is a folder with other files ({foreign[0]}, …), not an index.",
                "Nothing was changed. Name the index's own path with --index or in the settings.",
            )
        if not create:
            raise _missing(database)
    return None


def _check_links(database: Path) -> None:
    """Raises `IndexMismatch` for a link, a device or a pipe in the index, or among the files beside it whose
    names begin with the index's name."""
    places = {database.absolute(), database.resolve()}  # the index itself may be a link made by the user
    beside = (e for place in places for e in _entries(place.parent) if e.name.startswith(f"{place.name}."))
    if odd := next((entry for entry in (*beside, *_inside(database)) if not _is_plain(entry)), None):
        raise IndexMismatch(
            f"{odd.path} is a link, a device or a pipe, which no index contains.",
            f"Nothing was opened. If you put it there, move what it leads to in its place. {_ANOTHER}",
        )


def _inside(folder: Path) -> Iterator[os.DirEntry[str]]:
    """All entries in the folder and its subfolders; links are not followed."""
    folders = [os.fspath(folder)]
    while folders:
        for entry in _entries(folders.pop()):
            yield entry
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)


def _entries(folder: Path | str) -> list[os.DirEntry[str]]:
    """The entries of the folder; empty if the folder has been removed meanwhile, for example by the index's
    server."""
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise IndexMismatch(f"The folder {folder} cannot be read: {error.strerror}.", _ANOTHER) from error


def _is_plain(entry: os.DirEntry[str]) -> bool:
    """Whether the entry is a file or a folder. Also True if it has been removed meanwhile, which on some file
    systems looks like another type."""
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
    """Makes a missing parent folder, and raises `IndexMismatch` if no files can be made in it."""
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
        f"Fill it: `texgeist index add FOLDER_OF_PDFS --index {database}` (or a .bib file, zotero, cat:cs.CL).",
    )
