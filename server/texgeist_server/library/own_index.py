"""Opens the user's index for writing, and decides which indexes may be written to: those that the user created
on this machine or declared as theirs.

Other indexes are only searched. Users declare an index by the setting `index.mine`, which a workspace cannot
set, or by `--mine` on the command line. The hosted Citegeist collection cannot be declared.
"""

from __future__ import annotations

import socket
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from texgeist_retrieval.errors import IndexMissing, IndexReadOnly, RetrievalError
from texgeist_retrieval.index import is_server, place_of
from texgeist_retrieval.paths import expanded

from ..config import storage
from ..embedders import made_by
from ..index_places import CITEGEIST, index_place
from ..passage_library import table_path

if TYPE_CHECKING:
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.index.milvus import MilvusIndex
    from texgeist_retrieval.ports import Monitor

    from ..config.credentials import Keys
    from ..config.settings import Settings
    from ..index_places import Place

PORT = 19530  # Milvus' default


def check_own(place: Place, table: Path, library: Path, declared: Sequence[str]) -> None:
    """Raises `IndexReadOnly` unless the index at `place` is the user's. `table`: the hash table of this
    index; `library`: the path of the user's library; `declared`: the indexes that the user declared as
    theirs."""
    if is_citegeist(place.location):
        raise IndexReadOnly(
            "The index of Citegeist belongs to its authors: texgeist searches it and never changes it.",
            "Fill your own library with `texgeist index add` and no --index.",
        )
    theirs = {_identity(location) for location in declared}
    if _identity(place.location) in theirs or made_here(place, table, library):
        return
    raise IndexReadOnly(
        f"The index at {place_of(place.location)} was not made on this machine, so texgeist searches it and does not "
        "change it.",
        "If it is yours, use --mine, or name it in index.mine of your own settings.",
    )


def made_here(place: Place, table: Path, library: Path) -> bool:
    """Whether the user created the index: a local index has a hash table beside it, or does not exist yet;
    for an index on a server there is a marker file on this machine."""
    if is_server(place.location):
        return marker(table).exists()
    path = Path(place.location)
    return path == library or table.exists() or not path.exists()


def marker(table: Path) -> Path:
    """The marker file which says that this user created the collection of `table` on a server."""
    return table.with_suffix(".made-here")


def is_citegeist(location: str) -> bool:
    """Whether the address leads to the server of Citegeist's authors, in any spelling."""
    if location.strip().lower() == "citegeist":
        return True
    return is_server(location) and _host(CITEGEIST[0]) in _addresses(_host(location))


def _addresses(host: str) -> set[str]:
    """The host and its IP addresses; only the host if it cannot be resolved."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        found = set()
    return {host, *(address.removeprefix("::ffff:") for address in found)}


def _identity(location: str) -> tuple[str, int] | str:
    """A normal form that is equal for different spellings of an index's address."""
    if not is_server(location):
        return str(expanded(location).resolve())
    return _host(location), _port(location)


def _host(location: str) -> str:
    """The host in lower case; "" if the address is invalid."""
    try:
        return (urlsplit(location).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _port(location: str) -> int:
    try:
        return urlsplit(location).port or PORT
    except ValueError:
        return PORT


@dataclass(frozen=True, slots=True)
class Opened:
    """An index opened for writing, with its hash table."""

    index: MilvusIndex
    table: HashTable
    table_path: Path
    monitor: Monitor  # shows the progress also to other programs that wait for the index


@contextmanager
def writing(
    settings: Settings,
    keys: Keys,
    monitor: Monitor,
    *,
    index: str | None = None,
    mine: bool = False,
    create: bool = True,
    sparse: str = "",
) -> Iterator[Opened]:
    """Opens the user's index and hash table, creating them if needed, and waits until no other process writes
    to them. `mine`: the user declares the index as theirs.

    Raises `IndexReadOnly` for an index of others, before opening or writing anything.
    """
    from texgeist_retrieval.index.hashes import updating
    from texgeist_retrieval.index.local import check_place

    place = index_place(settings, keys, index)
    path = table_path(settings, place)
    if not is_server(place.location):
        check_place(Path(place.location), create=create)
    check_is_own(settings, place, mine)
    with (
        updating(path, monitor) as shown,
        _kept_beside(path),
        _hash_table(place, path) as table,
        closing(_open_to_write(settings, place, path, create, sparse)) as opened,
    ):
        opened.check_writable()
        yield Opened(opened, table, path, shown)
        if is_server(place.location):
            monitor.report("Waiting for the server to index the new papers")
        opened.seal()


@contextmanager
def _hash_table(place: Place, path: Path) -> Iterator[HashTable]:
    """Opens or creates the hash table before the index: after an interrupted run, `made_here` recognises the
    user's index by it. If no index was created, the new hash table is removed, because an index that somebody
    puts there later is not the user's."""
    from texgeist_retrieval.index.hashes import HashTable

    new = not path.exists()
    try:
        with closing(HashTable(path)) as table:
            yield table
    finally:
        if new and not is_server(place.location) and not Path(place.location).exists():
            path.unlink(missing_ok=True)


def _open_to_write(settings: Settings, place: Place, table: Path, create: bool, sparse: str) -> MilvusIndex:
    """Opens or creates the index. A new collection on a server is marked as made here before it is created,
    so that an interrupted run can be repeated. The mark is removed if the creation fails: a collection that
    somebody makes there later is not the user's."""
    from texgeist_retrieval.index import open_index

    model, dimension = made_by(settings) if create else ("", 0)  # without embedding, any model is accepted
    opening = partial(
        open_index,
        place.location,
        token=place.token,
        collection=settings.index.collection,
        model=model,
        dimension=dimension,
        writable=True,
        sparse=sparse,
    )
    if create and is_server(place.location):
        try:
            return opening()
        except IndexMissing:
            mark = marker(table)
        mark.write_text(f"{place_of(place.location)} {settings.index.collection}\n", "utf-8")
        try:
            return opening(create=True)
        except RetrievalError:
            if not _opens(opening):
                mark.unlink(missing_ok=True)
            raise
    return opening(create=create)


def _opens(opening: Callable[[], MilvusIndex]) -> bool:
    try:
        opening().close()
    except RetrievalError:
        return False
    return True


@contextmanager
def _kept_beside(table: Path) -> Iterator[None]:
    """Converts errors of SQLite (a full disk, a damaged file) to errors with a message for the user."""
    try:
        yield
    except sqlite3.OperationalError as error:
        raise RetrievalError(
            f"The record of the index in {table.parent} could not be written ({error}).",
            "Free some disk space and run the command again; it continues where it stopped.",
        ) from error
    except sqlite3.DatabaseError as error:
        raise RetrievalError(
            f"The record of the index beside {table} is damaged ({error}).",
            "Move it away and run the command again with --mine: the next `index add` rebuilds it from the index.",
        ) from error


def is_own(settings: Settings, place: Place) -> bool:
    """Whether the index may be written to."""
    try:
        check_is_own(settings, place)
    except IndexReadOnly:
        return False
    return True


def check_is_own(settings: Settings, place: Place, mine: bool = False) -> None:
    """Raises `IndexReadOnly` for an index of others, unless the user declares it as theirs (`mine`)."""
    declared = [*settings.index.mine, *([place.location] if mine else [])]
    check_own(place, table_path(settings, place), storage.library(), declared)
