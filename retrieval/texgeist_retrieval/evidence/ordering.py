"""The order of passages for a query, without a model: words of the passage, of its whole paper and of its abstract, the
vector, and the year that a citation mark names."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..index.snapshot import Snapshot
from ..ranking.fusion import best, standardise
from ..ranking.tokens import query_words
from ..types import Vector
from .marks import years_in

BY_PASSAGE, BY_ABSTRACT, BY_YEAR = 0.3, 0.4, 4.0  # beside the words of the whole paper, which count 1
MOST_PAPERS = 60  # whose passages are looked at
AGAIN = 1.0  # what a further passage of the same paper must be better by


@dataclass(frozen=True, slots=True)
class Found:
    """A passage of the snapshot by its row."""

    row: int
    cosine: float
    score: float


def order(
    snapshot: Snapshot, query: str, vector: Vector, top: int, leave_out: frozenset[str] = frozenset()
) -> list[Found]:
    """At most `top` passages, best first, one of a paper and section; papers before more of one paper."""
    if not len(snapshot.paper):
        return []
    asked = query_words(query)
    by_passage = snapshot.by_passage.score(asked)
    cosines = np.asarray(snapshot.vectors @ vector, dtype=np.float32)
    closest = np.zeros(len(snapshot.papers), np.float32)
    np.maximum.at(closest, snapshot.paper, by_passage)
    years = years_in(query)
    named = np.array([paper.year in years for paper in snapshot.papers], np.float32)
    papers = (
        standardise(snapshot.by_paper.score(asked))
        + BY_PASSAGE * standardise(closest)
        + BY_ABSTRACT * standardise(snapshot.by_abstract.score(asked))
        + BY_YEAR * named
    )
    out = np.array([paper.id in leave_out for paper in snapshot.papers])
    papers[out] = -np.inf
    inside = standardise(by_passage) + standardise(cosines)
    found: list[tuple[float, int]] = []
    for paper in best(papers, MOST_PAPERS):
        if not np.isfinite(papers[paper]):
            continue
        begin, end = np.searchsorted(snapshot.paper, (paper, paper + 1))
        seen: set[int] = set()
        for row in begin + np.argsort(-inside[begin:end], kind="stable"):
            if (section := int(snapshot.section[row])) not in seen and len(seen) < 3:
                found.append((float(papers[paper]) - AGAIN * len(seen), int(row)))
                seen.add(section)
    found.sort(key=lambda one: -one[0])
    return [Found(row, float(cosines[row]), round(float(score), 4)) for score, row in found[:top]]
