"""A learned map of the query vector, for any index of all-mpnet-base-v2 vectors.

An abstract covers several subjects, and each cited paper is close to one of them. The map therefore returns a
few vectors, called *facets*. The score of a paper d for a query q is the soft maximum of the inner products
of d with the facets f_j:

    f_j = unit(q + W_j q + b_j),      s(q, d) = log sum_j exp(t <f_j, d> + g_j)

Document vectors stay unchanged, so the facets also work with an index that cannot be embedded again. The map
is trained over all papers of the training collection (see `training.query_adapter`), by default with a
separate loss for each cited paper (`training.query_adapter.each_loss`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Query, Vector
from .fusion import softmax_pool

# A title names the subject of the abstract, without phrases on problem, method and result. Measured on 200
# drafts against 15,000 papers: recall@20 by cosine 27.2 for the abstract, 28.1, 28.6 and 28.4 with 0.2, 0.4
# and 0.6 of the title; for papers that no training paper cites 32.6, 34.0, 33.9 and 34.2.
TITLE_SHARE = 0.4


@dataclass(frozen=True)
class Adapter:
    """The parameters of the map. W is `maps` (int8, [facets, dimension, dimension]) times `scales` ([facets,
    1, dimension]), and is applied as q @ W. `offsets`: b, [facets, dimension]; `gates`: g, [facets];
    `sharpness`: t."""

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
        """The facets of a query, which can be searched for in an index. Unit rows, shape [facets,
        dimension]."""
        mapped = query + query @ self._weights + self.offsets
        return np.asarray(mapped / np.linalg.norm(mapped, axis=1, keepdims=True), dtype=np.float32)

    def score(self, query: Vector, documents: Matrix) -> Vector:
        """The score of each document, shape [documents]. Scores can only be compared within one query."""
        products = self.facets(query) @ documents.T
        return softmax_pool(self.sharpness * products + self.gates[:, None])


def with_titles(abstracts: Matrix, titles: Matrix | None, share: float | np.ndarray = TITLE_SHARE) -> Matrix:
    """The mixtures of unit vectors, as unit rows. For a draft without title, the row of `titles` is zeros. `share`:
    the weight of the title, a number or a column with a number for each row."""
    if titles is None:
        return abstracts
    mixed = abstracts + share * titles
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), dtype=np.float32)


def words_asked(query: Query) -> str:
    """The text for searches by words: the title and abstract of a draft (without abstract, its first page),
    or the sentence or question."""
    if query.kind in ("sentence", "question"):
        return query.text or query.parts[0].text
    about = query.abstract if query.kind == "draft" and query.abstract else query.parts[0].text
    return f"{query.title} {about}"
