"""Similarity against diversity: Equation 1 of Citegeist (arXiv 2503.23229, section 3.1).

Start with the most similar item. Then, again and again, take the one that maximises

    (1 - w) * s_i  +  w * (1 - max_{j in S} sim(e_i, e_j))

where `s_i` is the similarity to the query, `S` what is chosen already and `w` the diversity. The paper
prints `min` in place of `max`. Its words ask for papers that differ from *those chosen already*, and
with `min` a copy of a chosen paper costs nothing as soon as any other chosen paper is far from it; so
the maximum is meant, and taken here. It is maximal marginal relevance (Carbonell and Goldstein, 1998).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Pick:
    """One choice, in the order it was made."""

    index: int  # row of `vectors`
    relevance: float  # s_i
    redundancy: float  # largest similarity to what was chosen before, 0 for the first
    score: float  # what Equation 1 gave
    nearest: int | None = None  # the row, chosen before, that `redundancy` is about


def select(similarities: Vector, vectors: Matrix, count: int, diversity: float) -> list[Pick]:
    """The `count` best of n by Equation 1, fewer when there are fewer: nothing is taken twice.

    `similarities`: shape [n]. `vectors`: shape [n, dimension], unit rows. `diversity`: w, from 0 (the
    most similar, in order) to 1. Equal scores go to the lower row. Raises `ValueError` for shapes that do
    not agree or a diversity outside [0, 1].
    """
    relevance = np.asarray(similarities, dtype=np.float64).reshape(-1)
    rows = np.asarray(vectors, dtype=np.float32)
    _check(relevance, rows, diversity)
    if relevance.size == 0 or count <= 0:
        return []
    first = int(np.argmax(relevance))
    picks = [Pick(first, float(relevance[first]), 0.0, float(relevance[first]))]
    redundancy = rows @ rows[first]
    nearest = np.full(relevance.size, first)
    open_ = np.ones(relevance.size, dtype=bool)
    open_[first] = False
    for _ in range(min(count, relevance.size) - 1):
        scores = np.where(open_, (1 - diversity) * relevance + diversity * (1 - redundancy), -np.inf)
        best = int(np.argmax(scores))
        picks.append(
            Pick(
                best, float(relevance[best]), float(redundancy[best]), float(scores[best]), int(nearest[best])
            )
        )
        open_[best] = False
        closeness = rows @ rows[best]
        nearest = np.where(closeness > redundancy, best, nearest)
        redundancy = np.maximum(redundancy, closeness)
    return picks


def _check(relevance: NDArray[np.float64], rows: Matrix, diversity: float) -> None:
    if rows.ndim != 2 or rows.shape[0] != relevance.size:
        raise ValueError(f"{relevance.size} similarities, but vectors of shape {rows.shape}")
    if not 0.0 <= diversity <= 1.0:
        raise ValueError(f"diversity is {diversity}, but must lie between 0 and 1")
    if not np.isfinite(relevance).all():
        raise ValueError("a similarity is not a number")
