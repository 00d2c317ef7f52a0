"""Joins the user's index with the papers discovered for a draft, so that both are searched as one index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import IndexReadOnly
from ..ports import IndexStatus
from ..types import Candidate, CitationGraph, Filters, Matrix, Paper, Vector
from .milvus import MilvusIndex
from .paper_rows import is_within

DISCOVERED = "papers discovered for this draft"  # the index's name, if the user has no library


@dataclass(frozen=True, slots=True)
class HeldPaper:
    """A discovered paper. `way`: how it was found, a sentence for the user."""

    paper: Paper
    vector: Vector
    way: str


class JoinedIndex:
    """A `PaperIndex`, `TextIndex`, `BareIndex`, `IdIndex` and `LinkedIndex`. A search returns `top` papers of the user's
    index (`own`; None if there is none) and all discovered papers within the filters, because these
    are only a few hundred papers found for this draft. For a paper in both, the record of the user's index is used."""

    def __init__(self, own: MilvusIndex | None, model: str, dimension: int) -> None:
        self._own = own
        self._about = IndexStatus(DISCOVERED, 0, model, dimension, metadata=True)
        self._held: dict[str, HeldPaper] = {}
        self._graph = CitationGraph()

    def hold(self, papers: Iterable[HeldPaper], graph: CitationGraph) -> None:
        """Replaces the discovered papers and the citation graph of the draft."""
        self._held, self._graph = {one.paper.id: one for one in papers}, graph

    def graph(self) -> CitationGraph:
        return self._graph

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        found = self._own.search(vectors, top, filters) if self._own else [[] for _ in vectors]
        held = [one for one in self._held.values() if is_within(one.paper, replace(filters, topics=()))]
        if not held:
            return found
        cosines = vectors @ np.stack([one.vector for one in held]).T
        return [
            self._joined(own, held, row, query)
            for query, (own, row) in enumerate(zip(found, cosines, strict=True))
        ]

    def _joined(
        self, own: Sequence[Candidate], held: Sequence[HeldPaper], cosines: Vector, query: int
    ) -> list[Candidate]:
        known = {candidate.paper.id for candidate in own}
        marked = [
            replace(c, discovered=self._held[c.paper.id].way) if c.paper.id in self._held else c for c in own
        ]
        more = [
            Candidate(
                one.paper, float(cosine), 0, query, float(cosine), vector=one.vector, discovered=one.way
            )
            for one, cosine in zip(held, cosines, strict=True)
            if one.paper.id not in known
        ]
        ordered = sorted([*marked, *more], key=lambda c: -c.similarity)
        return [replace(candidate, rank=place) for place, candidate in enumerate(ordered, start=1)]

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        return self._own.search_text(texts, top, filters) if self._own else [[] for _ in texts]

    @property
    def rows_at_once(self) -> int:
        return self._own.rows_at_once if self._own else 1_000

    def unapplied(self, filters: Filters) -> Filters:
        return self._own.unapplied(filters) if self._own else Filters()

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        held = {id: (self._held[id].paper, self._held[id].vector) for id in ids if id in self._held}
        return held | (self._own.get(ids) if self._own else {})

    def papers(self) -> Iterator[Paper]:
        yield from self._own.papers() if self._own else ()
        yield from (one.paper for one in self._held.values())

    def status(self) -> IndexStatus:
        about = self._own.status() if self._own else self._about
        return replace(about, papers=about.papers + len(self._held))

    def upsert(self, papers: Sequence[Paper], vectors: Matrix) -> None:
        raise IndexReadOnly("An index that is joined with discovered papers is only searched.")

    def delete(self, ids: Iterable[str]) -> None:
        raise IndexReadOnly("An index that is joined with discovered papers is only searched.")

    def close(self) -> None:
        if self._own:
            self._own.close()
