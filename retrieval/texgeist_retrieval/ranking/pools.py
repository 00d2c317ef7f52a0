"""Candidates as a ranker reads them, and back again with their scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..types import Candidate, Vector
from .features import Pool


def usable(candidates: Sequence[Candidate], size: int) -> tuple[list[Candidate], list[Candidate]]:
    """Those with a vector of this length, and those without one, or with another model's."""
    known = [c for c in candidates if c.vector is not None and c.vector.size == size]
    return known, [c for c in candidates if c.vector is None or c.vector.size != size]


def as_pool(candidates: Sequence[Candidate]) -> Pool:
    return Pool(
        [c.paper.title for c in candidates],
        [c.paper.abstract for c in candidates],
        np.stack([c.vector for c in candidates if c.vector is not None]).astype(np.float32),
        np.array([np.nan if c.paper.year is None else c.paper.year for c in candidates], dtype=np.float32),
    )


def total(parts: Mapping[str, Vector]) -> Vector:
    """The score: the sum of its parts."""
    return np.asarray(np.sum(list(parts.values()), axis=0, dtype=np.float32))


def ordered(candidates: Sequence[Candidate], parts: Mapping[str, Vector]) -> list[Candidate]:
    """Best first, with `score` and `scores` set; equal scores in the order given."""
    totals = total(parts)
    order = np.argsort(-totals, kind="stable")
    return [_scored(candidates[i], parts, totals, int(i)) for i in order]


def _scored(candidate: Candidate, parts: Mapping[str, Vector], totals: Vector, row: int) -> Candidate:
    scores = {name: round(float(values[row]), 4) for name, values in parts.items()}
    return replace(candidate, score=float(totals[row]), scores=scores)
