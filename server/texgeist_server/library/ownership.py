"""Decides which indexes may be written to: those that the user created on this machine or declared as theirs.

Other indexes are only searched. Users declare an index by the setting `index.mine`, which a workspace cannot
set, or by `--mine` on the command line. The hosted Citegeist collection cannot be declared.
"""

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

PORT = 19530  # Milvus' default


def check_own(place: Place, table: Path, library: Path, declared: Sequence[str]) -> None:
    """Raises `IndexReadOnly` unless the index at `place` is the user's. `table`: its hash table; `library`:
    the user's own index; `declared`: indexes declared as theirs."""
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
    """Whether the user created the index: a local index has a hash table beside it, or does not exist yet;
    for a server there is a marker file."""
    if is_server(place.location):
        return marker(table).exists()
    path = Path(place.location)
    return path == library or table.exists() or not path.exists()


def marker(table: Path) -> Path:
    """The marker file which says that this user created the collection of `table` on a server."""
    return table.with_suffix(".made-here")


def is_citegeist(location: str) -> bool:
    """Whether the address leads to the server of Citegeist's authors, in whatever spelling."""
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
