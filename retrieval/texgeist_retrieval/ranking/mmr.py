"""Selects items that are similar to a query and differ from each other, by Equation 1 of Citegeist (arXiv
2503.23229, section 3.1).

The selection starts with the most similar item, then repeatedly takes the item that maximises

    (1 - w) * s_i  +  w * (1 - max_{j in S} sim(e_i, e_j))

where `s_i` is the similarity to the query, `S` the set of items already chosen and `w` the diversity. The
paper prints `min` instead of `max`. But its text asks for papers that differ from *those chosen already*.
With `min`, a copy of a chosen paper has no disadvantage if any other chosen paper is far from it. So the
maximum is used here. This is maximal marginal relevance (Carbonell and Goldstein, 1998)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Pick:
    """A chosen item. Lists of picks are in the order of selection."""

    index: int  # row of `vectors`
    relevance: float  # s_i
    score: float  # the value of Equation 1
    nearest: int | None = None  # the row of the most similar earlier pick


def select(similarities: Vector, vectors: Matrix, count: int, diversity: float) -> list[Pick]:
    """Returns the `count` best of n items by Equation 1, without repetition; all items if there are fewer.

    `similarities`: shape [n]. `vectors`: shape [n, dimension], unit rows. `diversity`: w, from 0 (order by
    similarity alone) to 1. Of items with equal scores, the first is taken. Raises `ValueError` if the shapes
    do not agree, a similarity is not finite, or the diversity is outside [0, 1]."""
    relevance = np.asarray(similarities, dtype=np.float64).reshape(-1)
    rows = np.asarray(vectors, dtype=np.float32)
    _check(relevance, rows, diversity)
    return choose(relevance, lambda picks: relevance, rows, count, diversity)


def choose(
    relevance: NDArray[np.floating],
    gains: Callable[[Sequence[Pick]], NDArray[np.floating]],
    vectors: Matrix,
    count: int,
    diversity: float,
) -> list[Pick]:
    """The loop of Equation 1 with any first term. `gains` gets the picks so far and returns the first term
    for each item, shape [n]; an item with the gain -inf cannot be chosen. `relevance` is only recorded in the
    picks."""
    picks: list[Pick] = []
    taken = np.zeros(len(relevance), dtype=bool)
    redundancy = np.full(len(relevance), -np.inf, dtype=np.float32)
    nearest = np.zeros(len(relevance), dtype=int)
    while len(picks) < min(count, len(relevance)):
        gain = gains(picks)
        scores = (1 - diversity) * gain + diversity * (1 - redundancy) if picks else gain
        scores = np.where(taken | np.isneginf(gain), -np.inf, scores)
        best = int(np.argmax(scores))
        if np.isneginf(scores[best]):
            break
        earlier = int(nearest[best]) if picks else None
        picks.append(Pick(best, float(relevance[best]), float(scores[best]), earlier))
        taken[best] = True
        closeness = vectors @ vectors[best]
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
