"""Joins the user's index with the papers discovered for a draft, so that both are searched as one index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..ports import IndexStatus, PaperIndex
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


class JoinedIndex(PaperIndex):
    """A search returns `top` papers of the user's index (`own`; None if there is none) and all discovered
    papers within the filters, because these are only a few hundred papers found for this draft. Discovered
    papers have no topic, so a filter for topics leaves them out, if the user's index has topics. For a paper
    in both, the record of the user's index is used."""

    def __init__(self, own: MilvusIndex | None, model: str, dimension: int) -> None:
        self._own: PaperIndex = own or _NoLibrary(IndexStatus(DISCOVERED, 0, model, dimension, metadata=True))
        self._held: dict[str, HeldPaper] = {}
        self._graph = CitationGraph()

    def hold(self, papers: Iterable[HeldPaper], graph: CitationGraph) -> None:
        """Replaces the discovered papers and the citation graph of the draft."""
        self._held, self._graph = {one.paper.id: one for one in papers}, graph

    def graph(self) -> CitationGraph:
        return self._graph

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        found = self._own.search(vectors, top, filters)
        limits = replace(filters, topics=()) if self.unapplied(filters).topics else filters
        held = [one for one in self._held.values() if is_within(one.paper, limits)]
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
        return sorted([*marked, *more], key=lambda c: -c.similarity)

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        return self._own.search_text(texts, top, filters)

    @property
    def rows_at_once(self) -> int:
        return self._own.rows_at_once

    def unapplied(self, filters: Filters) -> Filters:
        return self._own.unapplied(filters)

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        held = {id: (self._held[id].paper, self._held[id].vector) for id in ids if id in self._held}
        return held | self._own.get(ids)

    def papers(self) -> Iterator[Paper]:
        yield from self._own.papers()
        yield from (one.paper for one in self._held.values())

    def status(self) -> IndexStatus:
        about = self._own.status()
        return replace(about, papers=about.papers + len(self._held))

    def close(self) -> None:
        self._own.close()


@dataclass(frozen=True, slots=True)
class _NoLibrary(PaperIndex):
    """Stands for the library of a user who has none."""

    about: IndexStatus

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        return [[] for _ in vectors]

    def papers(self) -> Iterator[Paper]:
        return iter(())

    def status(self) -> IndexStatus:
        return self.about

    def unapplied(self, filters: Filters) -> Filters:
        return Filters(topics=filters.topics)

    def close(self) -> None:
        """Does nothing."""
