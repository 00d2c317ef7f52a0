"""Collections of abstracts, searched by vector."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from texgeist_retrieval.paths import expanded

from ..embedding import DIMENSION
from ..embedding import NAME as MODEL
from ..text.words import number_of

if TYPE_CHECKING:
    from .milvus import MilvusIndex

__all__ = ["is_server", "open_index", "place_of"]

SCHEMES = ("http://", "https://", "tcp://", "grpc://")


def is_server(location: str) -> bool:
    """Whether a location is the address of a server, not a path."""
    return location.lower().startswith(SCHEMES)


def place_of(location: str) -> str:
    """The location for messages, without user and password."""
    if not is_server(location):
        return location
    scheme, _, rest = location.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def open_index(
    location: str,
    *,
    token: str = "",
    collection: str = "abstracts",
    model: str = MODEL,
    dimension: int = DIMENSION,
    create: bool = False,
    writable: bool = False,
    sparse: str = "",
) -> MilvusIndex:
    """Opens the index at a path (Milvus Lite, shared by all programs that use it on this machine) or at the
    address of a Milvus server (`http://`, `https://` for TLS, `tcp://` as `http://`).

    `model`: "" accepts an index of any model; use it only if no vectors are compared. `sparse`: the encoder
    of sparse vectors (see `sparse.ENCODERS`); "" makes a new index without sparse vectors, and accepts any
    encoder of an existing index. Without `create`, raises `IndexMissing` for a missing collection. Also
    raises `IndexUnavailable`, `IndexDenied`, and `IndexMismatch` for an index of another model, dimension or
    encoder."""
    from .milvus import MilvusIndex

    connecting, place, local = _way_to(location, token, create)
    _import_pandas()
    index = MilvusIndex(
        connecting,
        place,
        collection,
        model,
        dimension,
        create=create,
        writable=writable,
        local=local,
        sparse=sparse,
    )
    if local and not create:
        _check_complete(index, place, collection)
    return index


def _import_pandas() -> None:
    """Imports pandas, which pymilvus imports but texgeist does not use, without pyarrow, which pandas would load:
    this saves 35 MB of memory and 0.1 s. Python does not import a module whose entry in `sys.modules` is None."""
    if "pyarrow" not in sys.modules:
        cast(dict[str, object], sys.modules)["pyarrow"] = None
        with suppress(ImportError):
            import_module("pandas")
        sys.modules.pop("pyarrow", None)


def _way_to(location: str, token: str, create: bool) -> tuple[Callable[[], Any], str, bool]:
    """Returns a function that makes a client for a location, the location for messages, and whether it is on
    this machine. For a local path, `check_place` raises if it must not be opened or made."""
    if is_server(location):
        from .collection import connect

        scheme, _, rest = location.partition("://")
        inside, _, host = rest.rpartition("@")
        _check_address(f"http://{host}", place_of(location))
        address = f"{'https' if scheme.lower() == 'https' else 'http'}://{host}"
        return (lambda: connect(address, token or inside)), place_of(location), False
    from .local import check_place, connect_local

    path = expanded(location)
    check_place(path, create=create)
    return (lambda: connect_local(path)), str(path), True


def _check_address(address: str, place: str) -> None:
    try:
        parts = urlsplit(address)
        usable = bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is no number, or a bracket of the host is not closed
        usable = False
    if not usable:
        from ..errors import IndexMissing

        raise IndexMissing(
            f"{place} is no address of a server.", "Write it as http://milvus.example.org:19530."
        )


def _check_complete(index: MilvusIndex, place: str, collection: str) -> None:
    """Raises `IndexMissing` if the index is empty, although its hash table records papers. This happens if
    its manifests are lost: Lite then reads an empty collection without an error."""
    from ..errors import IndexMissing
    from .hashes import recorded_papers, table_of

    if index.count() == 0 and (recorded := recorded_papers(table_of(place, collection))):
        raise IndexMissing(
            f"The library at {place} is empty, though texgeist put {number_of(recorded, 'paper')} into it: "
            "files of it are lost.",
            "Fill it again with `texgeist index add` and the same sources.",
        )
