"""Trains the trees of the ranker on features that are computed without knowledge of the query's citations.

The training queries are divided into folds. For the features of the queries in a fold, the adapter and the
citation table are learned from the other folds. Otherwise the table would contain the citations that the
trees must predict, and the trees would rely on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import RetrievalError, with_extra
from ..ranking.features import (
    ADAPTED,
    COUNT,
    DENSE,
    FEATURES,
    KNOWN,
    NEIGHBOURS,
    RANKS,
    SHARE,
    TITLE_WORDS,
    TOGETHER,
    WORDS,
    Parts,
    features,
)
from ..ranking.fusion import best
from ..ranking.ranker import POOL
from ..ranking.trees import Trees
from .collection import CitationCollection

# Features that can only raise a score; the data determines the sign of the others.
RISING = frozenset({DENSE, ADAPTED, WORDS, TITLE_WORDS, RANKS, NEIGHBOURS, SHARE, COUNT, TOGETHER})


# Log odds that are added to the score of papers in the citation table. All training papers are cited by some paper, so
# the trees overestimate papers in the table. The value was chosen on `dev` so that papers outside the table are found
# as well as papers in it.
KNOWN_PRIOR = -0.45

Table = tuple[np.ndarray, np.ndarray]  # features [queries, pool, features], cited [queries, pool]


def table_of(
    collection: CitationCollection, parts: Parts, report: Callable[[int, int], None] = lambda *_: None
) -> Table:
    """The features and labels of each query's pool."""
    rows, truth = [], []
    for number, first in enumerate(collection.first_orders(parts.adapter)):
        report(number, len(collection.topics))
        topic, pool = collection.topics[number], best(first, POOL)
        values = features(collection.asked[number], topic.text, collection.pool(pool), parts)
        rows.append(np.stack([values[name] for name in FEATURES], axis=1))
        truth.append(np.isin(pool, topic.cited))
    return np.stack(rows).astype(np.float32), np.stack(truth)


def train_trees(tables: Sequence[Table]) -> Trees:
    """Trains boosted trees on the tables of all folds. The score never decreases with a feature in
    `RISING`."""
    values = np.concatenate([table.reshape(-1, len(FEATURES)) for table, _ in tables])
    truth = np.concatenate([cited.reshape(-1) for _, cited in tables])
    fitted = _boosting().fit(values, truth)
    return replace(export_trees(fitted, FEATURES), priors={KNOWN: KNOWN_PRIOR})


def _boosting() -> Any:
    try:
        from sklearn.ensemble import HistGradientBoostingClassifier
    except ImportError:
        raise RetrievalError("Training needs scikit-learn.", with_extra("torch")) from None
    return HistGradientBoostingClassifier(
        max_iter=150,
        learning_rate=0.08,
        max_leaf_nodes=12,
        min_samples_leaf=200,
        l2_regularization=5.0,
        monotonic_cst=[1 if name in RISING else 0 for name in FEATURES],
        early_stopping=False,
        random_state=0,
    )


def export_trees(fitted: Any, names: Sequence[str]) -> Trees:
    """The trees of scikit-learn as arrays. The value of an inner node is the weighted mean of its leaves."""
    parts = [predictors[0].nodes for predictors in fitted._predictors]
    starts = np.concatenate([[0], np.cumsum([len(nodes) for nodes in parts])])
    nodes = np.concatenate(parts)
    shift = np.repeat(starts[:-1], [len(part) for part in parts])
    leaf = nodes["is_leaf"].astype(bool)
    own = np.arange(len(nodes))
    left = np.where(leaf, own, nodes["left"].astype(np.int64) + shift)
    right = np.where(leaf, own, nodes["right"].astype(np.int64) + shift)
    return Trees(
        tuple(names),
        starts[:-1].astype(np.int32),
        np.where(leaf, -1, nodes["feature_idx"]).astype(np.int32),
        _float_below(nodes["num_threshold"]),
        left.astype(np.int32),
        right.astype(np.int32),
        _means(nodes, leaf, left, right),
        {},
        int(nodes["depth"].max()),
    )


def _means(nodes: Any, leaf: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    values = nodes["value"].astype(np.float64).copy()
    for i in np.argsort(-nodes["depth"].astype(int), kind="stable"):
        if not leaf[i]:
            a, b = int(nodes["count"][left[i]]), int(nodes["count"][right[i]])
            values[i] = (a * values[left[i]] + b * values[right[i]]) / (a + b)
    return np.asarray(values, dtype=np.float32)


def _float_below(thresholds: np.ndarray) -> np.ndarray:
    """For each threshold, the largest float32 that is not above it, so that float32 features are on the same
    side of it."""
    rounded = thresholds.astype(np.float32)
    above = rounded.astype(np.float64) > thresholds
    return np.asarray(np.where(above, np.nextafter(rounded, np.float32(-np.inf)), rounded), dtype=np.float32)
