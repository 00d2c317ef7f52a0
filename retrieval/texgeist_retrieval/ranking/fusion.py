"""Functions that combine several rankings or scores of the same items."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..types import Evidence, Matrix, Vector

RRF_K = 60  # Cormack, Clarke and Büttcher, 2009


def standardise(scores: Vector) -> Vector:
    """The scores of one query's candidates, scaled to mean 0 and standard deviation 1, so that scores of any
    scale can be added; all 0 if they do not differ."""
    spread = float(scores.std()) if scores.size else 0.0
    if spread < 1e-12:
        return np.zeros_like(scores, dtype=np.float32)
    return np.asarray((scores - scores.mean()) / spread, dtype=np.float32)


def reciprocal_ranks(scores: Vector) -> Vector:
    """1 / (60 + rank) for each item. Ranks count from 1 by descending score; equal scores get the same,
    better rank."""
    ordered = np.sort(scores)
    better = scores.size - np.searchsorted(ordered, scores, side="right")
    return np.asarray(reciprocal_rank_fusion([1.0 + better], RRF_K), dtype=np.float32)


def reciprocal_rank_fusion(
    ranks: Sequence[NDArray[np.floating]], constant: float, weights: Sequence[float] = ()
) -> NDArray[np.floating]:
    """Reciprocal rank fusion (Cormack et al., 2009): the sum of w / (constant + rank) over several rankings
    of the same items. `ranks`: for each ranking, the ranks of the items from 1, shape [items]; `weights`: w
    for each ranking, 1 if empty."""
    weighted = zip(ranks, weights or [1.0] * len(ranks), strict=True)
    return np.asarray(np.sum([weight / (constant + places) for places, weight in weighted], axis=0))


def best(scores: Vector, count: int) -> list[int]:
    """The indexes of the `count` highest scores, highest first. Equal scores keep the given order."""
    if count < scores.size:
        among = np.flatnonzero(scores >= np.partition(scores, -count)[-count])
    else:
        among = np.arange(scores.size)
    return [int(i) for i in among[np.argsort(-scores[among], kind="stable")][:count]]


def softmax_pool(scores: Matrix) -> Vector:
    """The soft maximum (log-sum-exp) over the rows of `scores`, shape [facets, items]. The result has shape
    [items]."""
    top = scores.max(axis=0)
    return np.asarray(top + np.log(np.exp(scores - top).sum(axis=0)), dtype=np.float32)


# The evidence score of a passage, for ordering, for the threshold, and for display (PaperQA2's evidence gathering).
VECTOR, MODEL = 0.4, 0.6
FLOOR = 0.3  # a passage with relevance 0.1 must have a cosine of at least 0.6 to stay
BESIDE_THE_POINT = 0.05  # passages with a lower relevance are dropped, whatever their score


def evidence_score(similarity: float, relevance: float) -> float:
    """Returns a score from 0 to 1; both arguments are clipped to 0 to 1."""
    return VECTOR * min(1.0, max(0.0, similarity)) + MODEL * min(1.0, max(0.0, relevance))


def by_score(evidence: Sequence[Evidence], least: float = FLOOR) -> tuple[Evidence, ...]:
    """Returns the passages, best first. A rated passage is left out if its score is below `least`, or if the
    model finds it irrelevant, whatever its similarity. Unrated passages are kept."""
    kept = [
        one
        for one in evidence
        if one.relevance is None or (one.score >= least and one.relevance >= BESIDE_THE_POINT)
    ]
    return tuple(sorted(kept, key=lambda one: -one.score))
