"""Papers grouped by what they are about: agglomerative clustering of their vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...types import Matrix

_LARGEST = 7  # papers in one paragraph


def group(vectors: Matrix) -> list[list[int]]:
    """Row indices by theme, each sorted; average linkage on cosines, deterministic.

    Joins the two nearest groups until every group has at least two papers and about four on average,
    and none more than seven, so that each can be a paragraph."""
    count = len(vectors)
    if count <= 4:
        return [list(range(count))] if count else []
    similarity = (vectors @ vectors.T).astype(np.float64)
    groups = [[i] for i in range(count)]
    wanted = max(2, -(-count // 4) if count <= 12 else round(count / 5))
    smallest = 2 if count < 20 else 3
    while len(groups) > 1 and (len(groups) > wanted or min(map(len, groups)) < smallest):
        pair = _nearest(groups, similarity, smallest, must=len(groups) <= wanted)
        if pair is None:
            break
        a, b = pair
        groups[a] = sorted(groups[a] + groups[b])
        del groups[b]
    return groups


def _nearest(
    groups: list[list[int]], similarity: NDArray[np.float64], smallest: int, must: bool
) -> tuple[int, int] | None:
    """The two groups to join; `must`: one of them is too small to stand alone."""
    best, pair = -np.inf, None
    for a in range(len(groups)):
        for b in range(a + 1, len(groups)):
            size = len(groups[a]) + len(groups[b])
            small = min(len(groups[a]), len(groups[b])) < smallest
            if (size > _LARGEST and not (must and small)) or (must and not small):
                continue
            near = float(similarity[np.ix_(groups[a], groups[b])].mean()) - 0.02 * size
            if near > best:
                best, pair = near, (a, b)
    return pair
