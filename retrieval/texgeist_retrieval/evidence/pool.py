"""The evidence of a run. Each passage is stored once, with the query that found it first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..ports import EvidenceResults
from ..types import Evidence, Paper

MOST = 24  # passages that a run keeps
_Key = tuple[str, str, int, int | None, str]


def _rank(one: Evidence) -> tuple[bool, float]:
    """A sort key: rated passages precede unrated passages, whose scores are on another scale."""
    return one.relevance is not None, one.score


class Pool:
    """Collects the results of searches. Ids are numbered in order of discovery, and never change."""

    def __init__(self) -> None:
        self._by_key: dict[_Key, Evidence] = {}
        self._papers: dict[str, Paper] = {}
        self._given = 0  # number of ids
        self._best: list[str] = []  # ids of the best result of every search, kept whatever its score

    def take(self, query: str, found: EvidenceResults) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Adds the results of a search. Returns the ids of all its results, and the ids of the new results. A
        passage that was found before keeps the better score; a rated score is better than any unrated
        score."""
        ids, new = [], []
        for one in found.evidence:
            key = _key_of(one)
            known = self._by_key.get(key)
            if known is None:
                self._given += 1
                known = replace(one, id=str(self._given), query=query)
                new.append(known.id)
            elif _rank(one) > _rank(known):
                known = replace(one, id=known.id, query=known.query)
            self._by_key[key] = known
            ids.append(known.id)
            if (paper := found.papers.get(one.passage.paper_id)) is not None:
                self._papers[paper.id] = paper
        self._best += ids[:1]
        return tuple(ids), tuple(new)

    def settle(self, query: str, new: Sequence[str], found: EvidenceResults) -> tuple[str, ...]:
        """Replaces the unrated results of a search by the rated ones. `new`: the ids that the unrated results
        had added; of these, the passages without a rated result are removed."""
        kept = {_key_of(one) for one in found.evidence}
        for key in [key for key, one in self._by_key.items() if one.id in new and key not in kept]:
            del self._by_key[key]
        return self.take(query, found)[0]

    def get(self, ids: Sequence[str]) -> list[Evidence]:
        by_id = {one.id: one for one in self._by_key.values()}
        return [by_id[id] for id in ids if id in by_id]

    def paper(self, id: str) -> Paper:
        return self._papers.get(id) or Paper(id, id)

    def __len__(self) -> int:
        return len(self._by_key)

    def best(self, most: int = MOST) -> tuple[Evidence, ...]:
        """Returns at most `most` passages, best first; the best result of every search is always included, up
        to `most`."""
        ordered = sorted(self._by_key.values(), key=_rank, reverse=True)
        there = {one.id for one in ordered}
        first = set([id for id in dict.fromkeys(self._best) if id in there][:most])
        rest = [one for one in ordered if one.id not in first][: most - len(first)]
        kept = {one.id for one in rest} | first
        return tuple(one for one in ordered if one.id in kept)

    def papers(self, evidence: Sequence[Evidence]) -> tuple[Paper, ...]:
        return tuple(self.paper(id) for id in dict.fromkeys(one.passage.paper_id for one in evidence))


def _key_of(one: Evidence) -> _Key:
    passage = one.passage
    return passage.paper_id, passage.section, passage.place, passage.page, passage.text[:200]
