"""Collections of abstracts by vector."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.paths import expanded

from ..embedding.model import DIMENSION
from ..embedding.model import NAME as MODEL

if TYPE_CHECKING:
    from .milvus import MilvusIndex

__all__ = ["is_server", "open_index", "place_of"]

SCHEMES = ("http://", "https://", "tcp://", "grpc://")


def is_server(location: str) -> bool:
    """Whether a location is the address of a server rather than a path."""
    return location.lower().startswith(SCHEMES)


def place_of(location: str) -> str:
    """The location for people: without user and password."""
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
    """The index at a path (Milvus Lite, shared by all programs that open it here) or at the address of
    a Milvus server (`http://`, `https://` for TLS, `tcp://` as `http://`).

    `model` "": whatever it was made with, for what compares no vectors. `sparse`: the sparse vectors of words that a new index keeps, see `sparse.ENCODERS`; "" for none, or for
    what an index has. Without `create` a missing collection raises `IndexMissing`. Also raises `IndexUnavailable`,
    `IndexDenied`, and `IndexMismatch` for an index of another model, dimension or encoder of words."""
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # else its C core writes to stderr; read at its import
    if is_server(location):
        return _open_server(location, token, collection, model, dimension, create, writable, sparse)
    return _open_local(expanded(location), collection, model, dimension, create, writable, sparse)


def _open_server(
    location: str,
    token: str,
    collection: str,
    model: str,
    dimension: int,
    create: bool,
    writable: bool,
    sparse: str,
) -> MilvusIndex:
    from .collection import connect
    from .milvus import MilvusIndex

    scheme, _, rest = location.partition("://")
    inside, _, host = rest.rpartition("@")
    address = f"{'https' if scheme.lower() == 'https' else 'http'}://{host}"
    return MilvusIndex(
        lambda: connect(address, token or inside),
        place_of(location),
        collection,
        model,
        dimension,
        create=create,
        writable=writable,
        sparse=sparse,
    )


def _open_local(
    path: Path, collection: str, model: str, dimension: int, create: bool, writable: bool, sparse: str
) -> MilvusIndex:
    from ..errors import IndexMissing
    from .hashes import recorded_papers, table_of
    from .local import connect_local
    from .milvus import MilvusIndex
    from .places import check_place

    check_place(path, create=create)
    index = MilvusIndex(
        lambda: connect_local(path),
        str(path),
        collection,
        model,
        dimension,
        create=create,
        writable=writable,
        local=True,
        sparse=sparse,
    )
    if not create and index.count() == 0 and (recorded := recorded_papers(table_of(str(path), collection))):
        raise IndexMissing(  # Lite reads lost manifests as an empty collection, without a word
            f"The library at {path} is empty, though {recorded} papers were put into it: "
            "files of it are lost.",
            "Fill it again with `texgeist index add` and the same sources.",
        )
    return index
