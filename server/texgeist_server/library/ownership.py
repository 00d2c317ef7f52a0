"""Which indexes may be written to: those that the user made on this machine, or declared to be theirs.

All others are searched and never changed. A declaration is the user's own word (the setting `index.mine`,
which no workspace can set, or `--mine` on the command line); for the hosted Citegeist collection there is
none."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from texgeist_retrieval.errors import IndexReadOnly
from texgeist_retrieval.index import is_server, place_of
from texgeist_retrieval.paths import expanded

from ..index_places import CITEGEIST

if TYPE_CHECKING:
    from ..index_places import Place

PORT = 19530  # Milvus', where an address names none


def check_own(place: Place, table: Path, library: Path, declared: Sequence[str]) -> None:
    """Raises `IndexReadOnly` unless the index at `place` is the user's. `table`: its hash table, beside which
    stands what was made here; `library`: the user's own; `declared`: places that they call theirs."""
    if is_citegeist(place.location):
        raise IndexReadOnly(
            "The index of Citegeist belongs to its authors: texgeist searches it and never changes it.",
            "Fill your own library with `texgeist index add` and no --index.",
        )
    theirs = {_identity(location) for location in declared}
    if _identity(place.location) in theirs or made_here(place, table, library):
        return
    raise IndexReadOnly(
        f"The index at {place_of(place.location)} was not made here, so texgeist searches it and does not "
        "change it.",
        "If it is yours, say so with --mine, or name it under index.mine in your own settings.",
    )


def made_here(place: Place, table: Path, library: Path) -> bool:
    """A local index keeps its hash table beside it. Whoever names a path where nothing is makes it."""
    if is_server(place.location):
        return marker(table).exists()
    path = Path(place.location)
    return path == library or table.exists() or not path.exists()


def marker(table: Path) -> Path:
    """The file that says that the collection of `table`, on a server, was made by this user."""
    return table.with_suffix(".made-here")


def is_citegeist(location: str) -> bool:
    """By whatever name, port or spelling the address leads to the machine of Citegeist's authors."""
    if location.strip().lower() == "citegeist":
        return True
    return is_server(location) and _host(CITEGEIST[0]) in _addresses(_host(location))


def _addresses(host: str) -> set[str]:
    """The host and what its name stands for; the host alone where the name cannot be looked up."""
    try:
        found = {str(entry[4][0]) for entry in socket.getaddrinfo(host, None)}
    except (OSError, UnicodeError):
        found = set()
    return {host, *(address.removeprefix("::ffff:") for address in found)}


def _identity(location: str) -> tuple[str, int] | str:
    """The same for two spellings of one place."""
    if not is_server(location):
        return str(expanded(location).resolve())
    return _host(location), _port(location)


def _host(location: str) -> str:
    """Lower case, without user, password and port; "" for what is no address."""
    try:
        return (urlsplit(location).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _port(location: str) -> int:
    try:
        return urlsplit(location).port or PORT
    except ValueError:
        return PORT
