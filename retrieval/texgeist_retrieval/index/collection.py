"""A collection in Milvus: opens or makes it, checks its model, and limits the time of every call. pymilvus'
own 75 retries are not used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from ..addresses import is_loopback
from ..embedding import NAME as MODEL
from ..errors import IndexMismatch, IndexMissing, IndexReadOnly, IndexUnavailable, SearchError
from .failures import as_search_errors, check_version
from .paper_rows import KINDS, NUMBERS, check_needed, collection_schema, id_expression, kind_of
from .sparse import SINCE, SparseEncoder, add_field, check_asked, encoder_of, kept_in

CONNECT_SECONDS, SEARCH_SECONDS, WRITE_SECONDS, LOAD_SECONDS = 3.0, 5.0, 60.0, 30.0
OLDEST = 2, 3  # Milvus version
PAGE = 1000  # rows read at once
MODEL_PROPERTY = "texgeist.model"
DESCRIPTION = "texgeist, abstracts by "  # followed by the model's name
T = TypeVar("T")


def connect(address: str, token: str) -> Any:
    """Makes a dedicated client: pymilvus shares connections by address without the scheme, so an `https`
    client would reuse an earlier plain `http` connection."""
    from pymilvus import MilvusClient

    logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)  # else it logs a traceback for every failure
    past_proxies = {"grpc.enable_http_proxy": 0} if is_loopback(address) else {}
    return MilvusClient(
        address, token=token, timeout=CONNECT_SECONDS, dedicated=True, grpc_options=past_proxies
    )


class Collection:
    """A collection of abstracts, and the calls that read and write its rows.

    `connecting` makes a client; it is called again if a local server has ended. `create`: make a missing
    collection. `writable`: False refuses writes, so that a collection opened for searching is not changed by
    mistake. `sparse`: the encoder of sparse vectors for a new collection, "" for none."""

    def __init__(
        self,
        connecting: Callable[[], Any],
        place: str,
        collection: str,
        model: str,
        dimension: int,
        *,
        create: bool = False,
        writable: bool = False,
        local: bool = False,
        sparse: str = "",
    ) -> None:
        self._connecting = connecting
        self._place = place
        self._collection = collection
        self._model = model
        self._dimension = dimension
        self._local = local
        self._writable = writable or create
        self._consistency = "Strong" if local else "Bounded"
        with as_search_errors(place, collection):
            self._client = connecting()
        self._remembered = ""
        self._present: frozenset[str] = frozenset()
        self._numbered = False  # True: topics are numbers without names
        self._scans = False  # True: every search reads all rows (a FLAT index)
        self._kept = ""  # name of the encoder of the collection's sparse vectors
        self._sparse: SparseEncoder | None = None
        self._open(create, sparse)

    def _open(self, create: bool, sparse: str) -> None:
        if not self._call(lambda c: c.has_collection(self._collection, timeout=CONNECT_SECONDS)):
            if not create:
                raise IndexMissing(
                    f"The index at {self._place} has no collection “{self._collection}”.",
                    "Check the collection's name, or fill it with `texgeist index add`.",
                )
            self._create(sparse)
        self._check_version()
        about = self._call(lambda c: c.describe_collection(self._collection, timeout=CONNECT_SECONDS))
        self._check(about)
        self._kept = kept_in(field["name"] for field in about["fields"])
        check_asked(sparse, self._kept, self._place)
        self._sparse = encoder_of(self._kept, self._place) if self._kept else None
        self._scans = not self._local and self._index_type() == "FLAT"
        self._load()

    def _check_version(self) -> None:
        if self._local:
            return
        try:
            version = str(self._call(lambda c: c.get_server_version(timeout=CONNECT_SECONDS)))
        except SearchError:
            return  # a role that may search may lack the right to ask for the version
        check_version(version, self._place, OLDEST, "searching by cosine needs")

    def _create(self, sparse: str) -> None:
        if sparse:
            encoder_of(sparse, self._place)  # raises for an unknown encoder before anything is made
            if not self._local:
                version = self._call(lambda c: c.get_server_version(timeout=CONNECT_SECONDS))
                check_version(str(version), self._place, SINCE, "sparse vectors need")

        def make(client: Any) -> None:
            description = DESCRIPTION + self._model
            schema = collection_schema(client, self._dimension, description)
            index = client.prepare_index_params()
            graph = {"M": 16, "efConstruction": 200}
            index.add_index("embedding", index_type="HNSW", metric_type="COSINE", params=graph)
            if sparse:
                add_field(schema, index, sparse)
            client.create_collection(
                self._collection, schema=schema, index_params=index, timeout=LOAD_SECONDS
            )
            if self._model:  # because Lite does not store descriptions
                named = {MODEL_PROPERTY: self._model}
                client.alter_collection_properties(self._collection, properties=named, timeout=WRITE_SECONDS)

        try:
            self._call(make)
        except SearchError:  # another program was faster: use its collection
            if not self._call(lambda c: c.has_collection(self._collection, timeout=CONNECT_SECONDS)):
                raise

    def _check(self, about: dict[str, Any]) -> None:
        """Raises `IndexMismatch` for a collection of another model or dimension. If no model was given (""),
        nothing is compared, and any collection is accepted. A collection that names no model, such as the
        hosted one, counts as made by the default model."""
        by_name = {field["name"]: field for field in about["fields"]}
        check_needed(by_name, f"the collection “{self._collection}” at {self._place}")
        self._present = frozenset(name for name in KINDS if kind_of(by_name.get(name)) in KINDS[name])
        self._numbered = "topic" in self._present and kind_of(by_name["topic"]) in NUMBERS
        dimension = int(by_name["embedding"]["params"]["dim"])
        description = str(about.get("description") or "")
        kept = description.removeprefix(DESCRIPTION) if description.startswith(DESCRIPTION) else ""
        self._remembered = str((about.get("properties") or {}).get(MODEL_PROPERTY) or kept)
        if not self._model:
            self._dimension = dimension
            return
        if (made := self._remembered or MODEL) != self._model:
            raise self._mismatch(f"by the model {made}", f"by {self._model}")
        if dimension != self._dimension:
            raise self._mismatch(f"with vectors of {dimension} numbers", f"{self._dimension}")

    def _mismatch(self, made: str, wanted: str) -> IndexMismatch:
        return IndexMismatch(
            f"The index at {self._place} was made {made}, and this search is {wanted}: "
            "their vectors cannot be compared.",
            "Use the model that the index was made with, or make another index.",
        )

    def check_writable(self) -> None:
        """Raises `IndexReadOnly` for an index opened for searching, and for a collection not made by
        texgeist, which lacks fields for a paper's metadata."""
        if not self._writable:
            raise IndexReadOnly(
                f"The index at {self._place} was opened to be searched, not to be changed.",
                "Fill your own library with `texgeist index add`.",
            )
        if KINDS.keys() - self._present or self._numbered:
            raise IndexReadOnly(
                f"The collection “{self._collection}” at {self._place} was not made by texgeist, which can "
                "search it but not change it.",
                "Name another collection, and fill it with `texgeist index add`.",
            )

    def _index_type(self) -> str:
        """The type of the vector index; "" if the server refuses or does not report it."""
        try:
            about = self._call(
                lambda c: c.describe_index(self._collection, "embedding", timeout=CONNECT_SECONDS)
            )
        except SearchError:
            return ""
        return str((about or {}).get("index_type") or "")

    def _load(self) -> None:
        """Loads the collection. Lite needs this at every opening; a server returns at once if the collection
        is in memory. A role that may only search cannot ask for the state; the first search then fails if the
        collection is not loaded."""
        with suppress(IndexReadOnly):
            state = self._call(lambda c: c.get_load_state(self._collection, timeout=CONNECT_SECONDS))
            if getattr(state.get("state"), "name", "") != "Loaded":
                self._call(lambda c: c.load_collection(self._collection, timeout=LOAD_SECONDS))

    def _call(self, action: Callable[..., T]) -> T:
        """Runs a call of the client. Its failures are raised as `SearchError`s. If the local server has
        ended, the call is repeated on a new server."""
        try:
            with as_search_errors(self._place, self._collection):
                return action(self._client)
        except IndexUnavailable:
            if not self._local:
                raise
        with as_search_errors(self._place, self._collection):
            self._client = self._connecting()
            self._client.load_collection(self._collection, timeout=LOAD_SECONDS)
            return action(self._client)

    def count(self) -> int:
        """The exact number of rows; takes deletions into account."""
        asked = {"filter": "", "output_fields": ["count(*)"], "consistency_level": "Strong"}
        rows = self._call(lambda c: c.query(self._collection, timeout=LOAD_SECONDS, **asked))
        return int(rows[0]["count(*)"])

    def _upsert(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for start in range(0, len(rows), PAGE):
            part = rows[start : start + PAGE]
            self._call(lambda c, part=part: c.upsert(self._collection, part, timeout=WRITE_SECONDS))
        self._written(bool(rows))

    def _delete(self, ids: Sequence[str]) -> None:
        for start in range(0, len(ids), PAGE):
            part = id_expression(ids[start : start + PAGE])
            self._call(lambda c, part=part: c.delete(self._collection, filter=part, timeout=WRITE_SECONDS))
        self._written(bool(ids))

    def _written(self, anything: bool) -> None:
        if anything and self._local:
            self.flush()
        elif anything:
            self._consistency = "Session"  # from now on this client reads its own writes

    def flush(self) -> None:
        """Seals written rows. On Lite, unflushed rows slow down every search; a server flushes by itself, so
        flushing after each batch would only cost time."""
        self._call(lambda c: c.flush(self._collection, timeout=WRITE_SECONDS))

    def seal(self) -> None:
        """Makes a server index the rows that this client wrote, after much writing. Without this, Milvus
        2.3.5 searches more than about 5,000 new rows by a temporary index of lists, and examines one list in
        eight, whatever the search parameters: with random vectors, a third of the nearest sixty were found.
        If the call is refused or takes too long, the server indexes the rows later."""
        if self._consistency == "Session":
            with suppress(SearchError):
                self.flush()

    def close(self) -> None:
        self._client.close()

    def _scan(self, names: list[str]) -> Iterator[dict[str, Any]]:
        if not self._local:
            self.count()  # waits for recent writes, which a server's iterator never does
        iterator = self._call(
            lambda client: client.query_iterator(
                self._collection,
                batch_size=PAGE,
                filter="",
                output_fields=["id", *names],
                consistency_level="Strong",
                timeout=LOAD_SECONDS,
            )
        )
        try:
            while rows := self._call(lambda _: iterator.next()):
                yield from rows
        finally:
            iterator.close()

    def _rows(self, ids: Sequence[str], names: list[str]) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        for start in range(0, len(ids), 500):
            expression = id_expression(ids[start : start + 500])
            rows += self._call(
                lambda client, expression=expression: client.query(
                    self._collection,
                    filter=expression,
                    output_fields=["id", *names],
                    consistency_level="Strong",
                    timeout=LOAD_SECONDS,
                )
            )
        return rows
