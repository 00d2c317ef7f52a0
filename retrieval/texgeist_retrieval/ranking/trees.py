"""Gradient-boosted trees on numpy arrays, with the contribution of each feature to the score.

In each tree, a candidate passes from the root to a leaf. Each step from a node to a child changes the
expected value, and this change is attributed to the feature of the node (Saabas, 2014; path attribution in
Lundberg et al., 2020, section 2). The contributions add up to the candidate's score, up to a constant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..types import Matrix, Vector


@dataclass(frozen=True, slots=True)
class Trees:
    """`roots`: the first node of each tree. For each node: `feature` (-1: a leaf), `threshold` (go left if
    the value is at most this), `left`, `right`, and `value`, the mean of the leaves below it, weighted as in
    training. `names`: the features, in the order of the columns. `priors`: additional weights of features,
    for effects that the training data cannot show. `deepest`: the number of steps to the deepest leaf."""

    names: Sequence[str]
    roots: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Vector
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    value: Vector
    priors: Mapping[str, float]
    deepest: int

    def parts(self, values: Mapping[str, Vector]) -> dict[str, Vector]:
        """For each feature, its contribution to the score of each candidate, in log odds. The sum over the
        features is the score."""
        table = np.stack([values[name] for name in self.names], axis=1).astype(np.float32)
        parts = self._walk(table)
        for name, weight in self.priors.items():
            parts[:, self.names.index(name)] += weight * values[name]
        return {name: parts[:, i].astype(np.float32) for i, name in enumerate(self.names)}

    def _walk(self, table: Matrix) -> NDArray[np.float64]:
        rows = np.arange(len(table))
        parts = np.zeros(table.shape, dtype=np.float64)
        nodes = np.tile(self.roots[:, None], (1, len(table)))
        columns = np.broadcast_to(rows, nodes.shape)
        for _ in range(self.deepest):
            asked = self.feature[nodes]
            inner = asked >= 0
            goes_left = table[columns, np.maximum(asked, 0)] <= self.threshold[nodes]
            following = np.where(goes_left, self.left[nodes], self.right[nodes])
            following = np.where(inner, following, nodes)
            change = self.value[following] - self.value[nodes]
            cells = columns[inner] * table.shape[1] + asked[inner]
            parts += np.bincount(cells, weights=change[inner], minlength=table.size).reshape(table.shape)
            nodes = following
        return parts
