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

from ..types import Matrix, Query, Vector
from .fusion import softmax_pool

# A title says what the abstract is about, without its phrases of problem, method and result. Measured on 200 drafts
# against 15,000 papers: recall at 20 by cosine 27.2 for the abstract, 28.1, 28.6 and 28.4 with 0.2, 0.4 and 0.6 of the
# title; papers that no training paper cites 32.6, 34.0, 33.9 and 34.2.
TITLE_SHARE = 0.4


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


def with_title(abstract: Vector, title: Vector | None) -> Vector:
    """Unit vectors in and out; `title` None, or zeros, for a draft that has none yet."""
    if title is None:
        return abstract
    return np.asarray(with_titles(abstract[None], title[None])[0])


def with_titles(abstracts: Matrix, titles: Matrix | None, share: float | np.ndarray = TITLE_SHARE) -> Matrix:
    """`with_title` for rows. `share`: a number, or a column with one for each row."""
    if titles is None:
        return abstracts
    mixed = abstracts + share * titles
    return np.asarray(mixed / np.linalg.norm(mixed, axis=1, keepdims=True), dtype=np.float32)


def words_asked(query: Query) -> str:
    """The words to look for in papers: a draft's title and abstract (its pages, where it has no abstract), or
    the sentence or question itself, whatever it stands in."""
    if query.kind in ("sentence", "question"):
        return query.text or query.parts[0].text
    about = query.abstract if query.kind == "draft" and query.abstract else query.parts[0].text
    return f"{query.title} {about}"
