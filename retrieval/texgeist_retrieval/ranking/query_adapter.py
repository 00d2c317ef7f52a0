"""A learned map of the query vector alone, for any index of plain all-mpnet-base-v2 vectors.

One abstract speaks of several things, and each of its citations is near to one of them. So the map gives
not one vector but a few *facets*, and a paper's score is the softly largest of its inner products:

    f_j = unit(q + W_j q + b_j),      s(q, d) = log sum_j exp(t <f_j, d> + g_j)

Document vectors stay as they are, so the facets can be sent to an index that cannot be embedded again.
Trained with the pair-wise loss over all papers of the training collection (see `training.adapter`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector
from .fusion import softmax_pool


@dataclass(frozen=True)
class Adapter:
    """`maps`: int8 [facets, dimension, dimension], times `scales` [facets, 1, dimension], applied as q @ W;
    `offsets`: b, [facets, dimension]; `gates`: g, [facets]; `sharpness`: t."""

    maps: NDArray[np.int8]
    scales: NDArray[np.float32]
    offsets: Matrix
    gates: Vector
    sharpness: float

    @property
    def dimension(self) -> int:
        return int(self.maps.shape[1])

    @cached_property
    def _weights(self) -> NDArray[np.float32]:
        return self.maps.astype(np.float32) * self.scales

    def facets(self, query: Vector) -> Matrix:
        """Unit rows, shape [facets, dimension]: what to search an index with."""
        mapped = query + query @ self._weights + self.offsets
        return np.asarray(mapped / np.linalg.norm(mapped, axis=1, keepdims=True), dtype=np.float32)

    def score(self, query: Vector, documents: Matrix) -> Vector:
        """Shape [documents], comparable within one query only."""
        products = self.facets(query) @ documents.T
        return softmax_pool(self.sharpness * products + self.gates[:, None])
