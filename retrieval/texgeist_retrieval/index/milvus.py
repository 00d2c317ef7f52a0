"""A collection of abstracts in Milvus: the hosted one, one's own server, or Milvus Lite behind its server.

Every call is bounded in time; pymilvus' own 75 retries are not used."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from ..errors import IndexMismatch, IndexMissing, IndexUnavailable, SearchError
from ..ports import IndexStatus
from ..types import Candidate, Filters, Matrix, Paper, Vector
from .failures import told
from .schema import (
    OWN_FIELDS,
    candidates_of,
    collection_schema,
    filter_expression,
    from_row,
    id_expression,
    to_row,
)
from .sparse import PREFIX, SparseEncoder, add_field, check_asked, check_server, encoder_of, kept_in, of_paper

CONNECT_SECONDS, SEARCH_SECONDS, WRITE_SECONDS, LOAD_SECONDS = 3.0, 5.0, 60.0, 30.0
MODEL_PROPERTY = "texgeist.model"
DESCRIPTION = "texgeist, abstracts by "
PAGE = 1000  # rows read at once
T = TypeVar("T")


def connect(address: str, token: str) -> Any:
    """A client of its own: pymilvus shares connections by address without the scheme, so that an `https`
    client would go over an earlier plain `http` one."""
    from pymilvus import MilvusClient

    logging.getLogger("pymilvus").setLevel(logging.CRITICAL + 1)  # whole tracebacks, for every failure
    return MilvusClient(address, token=token, timeout=CONNECT_SECONDS, dedicated=True)


class MilvusIndex:
    """A `PaperIndex` and `TextIndex`. `connecting` makes a client, and makes it anew when a local server
    has ended. `sparse`: the encoder of sparse vectors that a new collection is to keep, "" for none."""

    def __init__(
        self,
        connecting: Callable[[], Any],
        place: str,
        collection: str,
        model: str,
        dimension: int,
        *,
        create: bool = False,
        local: bool = False,
        sparse: str = "",
    ) -> None:
        self._connecting = connecting
        self._place = place
        self._collection = collection
        self._model = model
        self._dimension = dimension
        self._local = local
        self._consistency = "Strong" if local else "Bounded"
        with told(place, collection):
            self._client = connecting()
        self._remembered = ""
        self._present: frozenset[str] = frozenset()
        self._kept = ""  # the name of its encoder of sparse vectors
        self._sparse: SparseEncoder | None = None
        self._open(create, sparse)

    # -- reading

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        """See `PaperIndex`. Limits that the collection has no field for are not applied here."""
        queries = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if queries.shape[1] != self._dimension:
            raise self._mismatch(f"vectors of {queries.shape[1]} numbers", f"of {self._dimension}")
        how = {"metric_type": "COSINE", "params": {"ef": max(128, 2 * top)}}
        return self._search(list(queries), "embedding", how, top, filters)

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        """See `TextIndex`."""
        lists: list[list[Candidate]] = [[] for _ in texts]
        if self._sparse is None:
            return lists
        asked = {
            number: dict(found) for number, text in enumerate(texts) if (found := self._sparse.query(text))
        }
        if asked:
            # Lite's first such search builds a table
            patience = LOAD_SECONDS if self._local else SEARCH_SECONDS
            hits = self._search(
                list(asked.values()), PREFIX + self._kept, {"metric_type": "IP"}, top, filters, patience
            )
            for number, list_ in zip(asked, hits, strict=True):
                lists[number] = [replace(c, found_by=number) for c in list_ if c.similarity > 0]
        return lists

    def _search(
        self,
        data: list[Any],
        field: str,
        how: Mapping[str, Any],
        top: int,
        filters: Filters,
        seconds: float = SEARCH_SECONDS,
    ) -> list[list[Candidate]]:
        hits = self._call(
            lambda client: client.search(
                self._collection,
                data=data,
                anns_field=field,
                limit=min(top, 16_384),
                filter=filter_expression(filters, self._present),
                output_fields=["embedding", *sorted(self._present & {"paper", "topic"})],
                search_params=dict(how),
                consistency_level=self._consistency,
                timeout=seconds,
                retry_times=1,
            )
        )
        seen: dict[str, tuple[Paper, Vector]] = {}
        return [candidates_of(list_, number, seen) for number, list_ in enumerate(hits)]

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """Papers and vectors by id; what is not there is absent."""
        found: dict[str, tuple[Paper, Vector]] = {}
        for row in self._rows(ids, ["embedding", *sorted(self._present & {"paper", "topic"})]):
            found[str(row["id"])] = (from_row(row), np.asarray(row["embedding"], dtype=np.float32))
        return found

    def papers(self) -> Iterator[Paper]:
        """All papers, in the order of their ids."""
        return (from_row(row) for row in self._scan(sorted(self._present & {"paper", "topic"})))

    def entries(self) -> Iterator[tuple[Paper, Vector, str]]:
        """All papers with vector and the hash of their record ("" where it is not kept)."""
        names = ["embedding", *sorted(self._present & {"paper", "topic", "hash"})]
        for row in self._scan(names):
            yield from_row(row), np.asarray(row["embedding"], dtype=np.float32), row.get("hash") or ""

    def hashes(self) -> Iterator[tuple[str, str]]:
        """Id and hash of every record."""
        for row in self._scan(sorted(self._present & {"hash"})):
            yield str(row["id"]), row.get("hash") or ""

    def status(self) -> IndexStatus:
        return IndexStatus(
            location=self._place,
            papers=self.count(),
            model=self._remembered,
            dimension=self._dimension,
            metadata="paper" in self._present,
            sparse=self._kept,
        )

    def count(self) -> int:
        """Exact, deletions included, except on a server that is not ours, where its estimate does."""
        if "paper" not in self._present:
            stats = self._call(lambda c: c.get_collection_stats(self._collection, timeout=SEARCH_SECONDS))
            return int(stats["row_count"])
        rows = self._call(
            lambda client: client.query(
                self._collection,
                filter="",
                output_fields=["count(*)"],
                consistency_level="Strong",
                timeout=LOAD_SECONDS,
            )
        )
        return int(rows[0]["count(*)"])

    # -- writing

    def upsert(self, papers: Sequence[Paper], vectors: Matrix, hashes: Sequence[str] = ()) -> None:
        """Inserts, or replaces by id. On disk when it returns."""
        if len(papers) != len(vectors):
            raise ValueError(f"{len(papers)} papers, {len(vectors)} vectors")
        digests = list(hashes) or [""] * len(papers)
        rows = [to_row(*row, self._present) for row in zip(papers, vectors, digests, strict=True)]
        if self._sparse is not None:
            for row, paper in zip(rows, papers, strict=True):
                row[PREFIX + self._kept] = of_paper(self._sparse, paper)
        for start in range(0, len(rows), PAGE):
            part = rows[start : start + PAGE]
            self._call(lambda c, part=part: c.upsert(self._collection, part, timeout=WRITE_SECONDS))
        self._written(bool(rows))

    def delete(self, ids: Iterable[str]) -> None:
        wanted = list(ids)
        for start in range(0, len(wanted), PAGE):
            part = wanted[start : start + PAGE]
            self._call(
                lambda c, part=part: c.delete(
                    self._collection, filter=id_expression(part), timeout=WRITE_SECONDS
                )
            )
        self._written(bool(wanted))

    def _written(self, anything: bool) -> None:
        if anything and self._local:
            self.flush()
        elif anything:
            self._consistency = "Session"  # from now on this client sees what it wrote

    def flush(self) -> None:
        """Seals what was written. Rows that are not flushed make every search on Lite slow; a server
        flushes by itself, and a flush after each batch would only cost it."""
        self._call(lambda c: c.flush(self._collection, timeout=WRITE_SECONDS))

    def close(self) -> None:
        self._client.close()

    # -- opening

    def _open(self, create: bool, sparse: str) -> None:
        if not self._call(lambda c: c.has_collection(self._collection, timeout=CONNECT_SECONDS)):
            if not create:
                raise IndexMissing(
                    f"The index at {self._place} has no collection “{self._collection}”.",
                    "Check the collection's name, or fill it with `texgeist index add`.",
                )
            self._create(sparse)
        about = self._call(lambda c: c.describe_collection(self._collection, timeout=CONNECT_SECONDS))
        self._check(about)
        self._kept = kept_in(field["name"] for field in about["fields"])
        check_asked(sparse, self._kept, self._place)
        self._sparse = encoder_of(self._kept, self._place) if self._kept else None
        self._load()

    def _create(self, sparse: str) -> None:
        if sparse:
            encoder_of(sparse, self._place)  # before anything is made
            if not self._local:
                version = self._call(lambda c: c.get_server_version(timeout=CONNECT_SECONDS))
                check_server(str(version), self._place)

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
            properties = {MODEL_PROPERTY: self._model}  # Lite forgets descriptions
            client.alter_collection_properties(self._collection, properties=properties, timeout=WRITE_SECONDS)

        try:
            self._call(make)
        except SearchError:  # another program was quicker: then its collection is used
            if not self._call(lambda c: c.has_collection(self._collection, timeout=CONNECT_SECONDS)):
                raise

    def _check(self, about: dict[str, Any]) -> None:
        """Refuses a collection of another model or dimension. One that does not say is taken by its
        dimension, as the hosted one must be."""
        by_name = {field["name"]: field for field in about["fields"]}
        if "embedding" not in by_name or "id" not in by_name:
            raise IndexMismatch(
                f"The collection “{self._collection}” at {self._place} has no fields `id` and `embedding`.",
                "Name a collection that texgeist or Citegeist made.",
            )
        self._present = frozenset(by_name) & frozenset(OWN_FIELDS)
        dimension = int(by_name["embedding"]["params"]["dim"])
        description = str(about.get("description") or "")
        kept = description.removeprefix(DESCRIPTION) if description.startswith(DESCRIPTION) else ""
        self._remembered = str((about.get("properties") or {}).get(MODEL_PROPERTY) or kept)
        if self._remembered and self._remembered != self._model:
            raise self._mismatch(f"by the model {self._remembered}", f"by {self._model}")
        if dimension != self._dimension:
            raise self._mismatch(f"with vectors of {dimension} numbers", f"{self._dimension}")

    def _mismatch(self, made: str, wanted: str) -> IndexMismatch:
        return IndexMismatch(
            f"The index at {self._place} was made {made}, and this search is {wanted}: "
            "their vectors cannot be compared.",
            "Use the model that the index was made with, or make another index.",
        )

    def _load(self) -> None:
        """Every opening needs it on Lite; a server that has the collection in memory answers at once."""
        state = self._call(lambda c: c.get_load_state(self._collection, timeout=CONNECT_SECONDS))
        if getattr(state.get("state"), "name", "") != "Loaded":
            self._call(lambda c: c.load_collection(self._collection, timeout=LOAD_SECONDS))

    # -- calling

    def _scan(self, names: list[str]) -> Iterator[dict[str, Any]]:
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

    def _call(self, action: Callable[..., T]) -> T:
        """One call, its failures told; on a local server that has ended, once more on a new one."""
        try:
            with told(self._place, self._collection):
                return action(self._client)
        except IndexUnavailable:
            if not self._local:
                raise
        with told(self._place, self._collection):
            self._client = self._connecting()
            self._client.load_collection(self._collection, timeout=LOAD_SECONDS)
            return action(self._client)
