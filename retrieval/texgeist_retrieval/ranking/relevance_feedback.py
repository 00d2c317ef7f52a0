"""What the draft cites already, as examples of what it wants."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector
from .fusion import standardise

POSITIVES = "like what you cite"
WEIGHT = 0.5  # log odds for one deviation of similarity, see benchmarks/retrieval
_NEAREST = 3


def positives(vectors: Matrix, cited: NDArray[np.bool_]) -> Vector:
    """Standardised mean similarity to the nearest three cited papers (itself left out), times its weight."""
    similarity = vectors @ vectors[cited].T
    similarity[np.flatnonzero(cited), np.arange(int(cited.sum()))] = -1.0
    kept = np.sort(similarity, axis=1)[:, -_NEAREST:]
    kept = np.where(kept <= -1.0, np.nan, kept)
    seen = np.isfinite(kept).any(axis=1)
    means = np.zeros(len(vectors), dtype=np.float32)
    means[seen] = np.nanmean(kept[seen], axis=1)
    means[~seen] = means[seen].mean() if seen.any() else 0.0
    return (WEIGHT * standardise(means)).astype(np.float32)
