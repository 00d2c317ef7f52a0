"""One score a paper from the similarities to several pages of the draft."""

from __future__ import annotations

import numpy as np

from ..types import Matrix, Vector


def aggregate(similarities: Matrix) -> Vector:
    """Shape [pages, papers] to [papers]; with a single row, that row."""
    return np.asarray(similarities.max(axis=0), dtype=np.float32)
