"""A collection of abstracts in Milvus: the hosted collection, a user's server, or Milvus Lite behind a local
server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import IndexMismatch, IndexReadOnly, IndexRefused
from ..ports import IndexStatus, PaperIndex
from ..sources.admission import NotAdmitted, admitted
from ..types import Candidate, Filters, Matrix, Paper, Vector
from .collection import LOAD_SECONDS, PAGE, SEARCH_SECONDS, Collection
from .paper_rows import candidates_of, filter_expression, readable, to_row, unapplied
from .sparse import PREFIX, of_paper

ROWS = 32  # query vectors in one call
# If every search reads all vectors (FLAT), each further query vector costs as much as the first: on 50,000
# rows, 1, 4 and 16 query vectors take 0.16, 0.67 and 1.8 s (two busy processors). With one query vector in
# each call, every call stays within its time limit, and cancellation is noticed between calls.
SCANNED_ROWS, SCAN_SECONDS = 1, 15.0
LOOKED = 192  # HNSW's least ef: recall@60 among a million papers is .995, with 128 it is .980
# Lists of an IVF index that are searched; the server's default of 8 loses papers. HNSW ignores this.
LISTS = 64


class MilvusIndex(Collection, PaperIndex):
    """A collection of abstracts."""

    # -- reading

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        """See `PaperIndex`. Filters for which the collection has no field are not applied."""
        queries = np.atleast_2d(np.asarray(vectors, dtype=np.float32))
        if queries.shape[1] != self._dimension:
            raise self._mismatch(f"vectors of {queries.shape[1]} numbers", f"of {self._dimension}")
        how = {
            "metric_type": "COSINE",
            "params": {} if self._scans else {"ef": max(LOOKED, 2 * top), "nprobe": LISTS},
        }
        patience = SCAN_SECONDS if self._scans else SEARCH_SECONDS
        return self._search(list(queries), "embedding", how, top, filters, patience)

    @property
    def rows_at_once(self) -> int:
        """See `PaperIndex`."""
        return SCANNED_ROWS if self._scans else PAGE

    def unapplied(self, filters: Filters) -> Filters:
        """See `PaperIndex`."""
        return unapplied(filters, self._present)

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        """See `PaperIndex`."""
        lists: list[list[Candidate]] = [[] for _ in texts]
        if self._sparse is None:
            return lists
        asked = {
            number: dict(found) for number, text in enumerate(texts) if (found := self._sparse.query(text))
        }
        if asked:
            # at the first sparse search, Lite builds a table
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
        """Sends at most `ROWS` vectors in a call, so that a long draft needs more calls, each within the time
        limit `seconds`."""
        expression = self._expression(filters)
        hits = [
            found
            for start in range(0, len(data), ROWS)
            for found in self._hits(data[start : start + ROWS], field, how, top, expression, seconds)
        ]
        seen: dict[str, tuple[Paper, Vector]] = {}
        return [candidates_of(list_, number, seen) for number, list_ in enumerate(hits)]

    def _hits(
        self, data: list[Any], field: str, how: Mapping[str, Any], top: int, expression: str, seconds: float
    ) -> Any:
        return self._call(
            lambda client: client.search(
                self._collection,
                data=data,
                anns_field=field,
                limit=min(top, 16_384),
                filter=expression,
                output_fields=["embedding", *sorted(self._present & {"paper", "topic"})],
                search_params=dict(how),
                consistency_level=self._consistency,
                timeout=seconds,
                retry_times=1,
            )
        )

    def _expression(self, filters: Filters) -> str:
        try:
            return filter_expression(filters, self._present, self._numbered)
        except ValueError:
            raise IndexMismatch(
                f"The index at {self._place} knows topics by number alone, and {', '.join(filters.topics)} "
                "are not all numbers.",
                "Name topics by the numbers that `texgeist search --json` shows, or leave relatedWork.topics "
                "empty.",
            ) from None

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """See `PaperIndex`."""
        found: dict[str, tuple[Paper, Vector]] = {}
        for paper, row in readable(
            self._rows(ids, ["embedding", *sorted(self._present & {"paper", "topic"})])
        ):
            found[paper.id] = (paper, np.asarray(row["embedding"], dtype=np.float32))
        return found

    def papers(self) -> Iterator[Paper]:
        """All papers, in the order of their ids."""
        return (paper for paper, _ in readable(self._scan(sorted(self._present & {"paper", "topic"}))))

    def entries(self) -> Iterator[tuple[Paper, Vector, str]]:
        """All papers with vector and the hash of their record ("" if it is not stored)."""
        names = ["embedding", *sorted(self._present & {"paper", "topic", "hash"})]
        for paper, row in readable(self._scan(names)):
            yield paper, np.asarray(row["embedding"], dtype=np.float32), row.get("hash") or ""

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
        """The exact number of papers, without deleted ones. For a collection not made by texgeist, the
        server's estimate is used if the role may ask for it."""
        if "paper" not in self._present:
            with suppress(IndexReadOnly):
                stats = self._call(lambda c: c.get_collection_stats(self._collection, timeout=SEARCH_SECONDS))
                return int(stats["row_count"])
        return super().count()

    # -- writing

    def upsert(self, papers: Sequence[Paper], vectors: Matrix, hashes: Sequence[str] = ()) -> None:
        """Inserts papers, or replaces them by id. On Lite, they are on disk when it returns. Raises
        `IndexRefused` for an invalid record."""
        self.check_writable()
        if len(papers) != len(vectors):
            raise ValueError(f"{len(papers)} papers, {len(vectors)} vectors")
        digests = list(hashes) or [""] * len(papers)
        papers = [_admitted(paper) for paper in papers]
        rows = [to_row(*row, self._present) for row in zip(papers, vectors, digests, strict=True)]
        if self._sparse is not None:
            for row, paper in zip(rows, papers, strict=True):
                row[PREFIX + self._kept] = of_paper(self._sparse, paper)
        self._upsert(rows)

    def delete(self, ids: Iterable[str]) -> None:
        self.check_writable()
        self._delete(list(ids))


def _admitted(paper: Paper) -> Paper:
    try:
        return admitted(paper)
    except NotAdmitted as error:
        raise IndexRefused(f"{error}") from None
