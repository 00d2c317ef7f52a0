"""The evidence of one run: each passage once, however many queries found it, with the query that found it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ports import EvidenceFound
from ..types import Evidence, Paper

MOST = 24  # pieces of evidence that a run keeps
_Key = tuple[str, str, int, int | None, str]


class Pool:
    """Grows with every search. Ids are given in the order of finding, and stay."""

    def __init__(self) -> None:
        self._by_key: dict[_Key, Evidence] = {}
        self._papers: dict[str, Paper] = {}
        self._best: list[str] = []  # the first of every search's, which is kept whatever the others score

    def take(self, query: str, found: EvidenceFound) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Ids of all that this search brought, and of those that nobody had brought before. A passage that is
        found again keeps its better score."""
        ids, new = [], []
        for one in found.evidence:
            key = _key_of(one)
            known = self._by_key.get(key)
            if known is None:
                known = replace(one, id=str(len(self._by_key) + 1), query=query)
                new.append(known.id)
            elif one.score > known.score:
                known = replace(one, id=known.id, query=known.query)
            self._by_key[key] = known
            ids.append(known.id)
            if (paper := found.papers.get(one.passage.paper_id)) is not None:
                self._papers[paper.id] = paper
        self._best += ids[:1]
        return tuple(ids), tuple(new)

    def get(self, ids: Sequence[str]) -> list[Evidence]:
        by_id = {one.id: one for one in self._by_key.values()}
        return [by_id[id] for id in ids]

    def paper(self, id: str) -> Paper:
        return self._papers.get(id) or Paper(id, id)

    def __len__(self) -> int:
        return len(self._by_key)

    def best(self, most: int = MOST) -> tuple[Evidence, ...]:
        """The best first; the best of every search is among them, so that no query is outvoted by another's
        scores."""
        # what a model has not weighed, beside what it has, has a score on another scale
        ordered = sorted(self._by_key.values(), key=lambda one: (one.relevance is None, -one.score))
        first = set(self._best[:most])
        rest = [one for one in ordered if one.id not in first][: most - len(first)]
        kept = {one.id for one in rest} | first
        return tuple(one for one in ordered if one.id in kept)

    def papers(self, evidence: Sequence[Evidence]) -> tuple[Paper, ...]:
        return tuple(self.paper(id) for id in dict.fromkeys(one.passage.paper_id for one in evidence))


def _key_of(one: Evidence) -> _Key:
    passage = one.passage
    return passage.paper_id, passage.section, passage.place, passage.page, passage.text[:200]
