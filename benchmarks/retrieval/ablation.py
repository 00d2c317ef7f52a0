"""What each part of the ranker is worth: the trees trained again without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench, first_orders, pool_of
from texgeist_retrieval.ranking.features import (
    ADAPTED,
    COLON,
    COUNT,
    CROWD,
    DENSE,
    FEATURES,
    KNOWN,
    LENGTH,
    NEAR_SHARE,
    NEIGHBOURS,
    RANKS,
    SHARE,
    TITLE_WORDS,
    TOGETHER,
    WORDS,
    YEAR,
)
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.phrases import WEIGHTS
from texgeist_retrieval.ranking.pools import total
from texgeist_retrieval.ranking.ranker import POOL
from texgeist_retrieval.ranking.trees import Trees
from texgeist_retrieval.training.ranker import Table, TreeOptions, table_of, train_trees

GROUPS: Mapping[str, tuple[str, ...]] = {
    "adapter": (ADAPTED, RANKS),
    "words (BM25)": (WORDS, TITLE_WORDS, RANKS),
    "similarity": (DENSE, RANKS),
    "neighbours": (NEIGHBOURS, CROWD),
    "title's form": (LENGTH, COLON),
    "year": (YEAR,),
    "citation table": (SHARE, NEAR_SHARE, KNOWN, COUNT, TOGETHER),
    "cited together": (TOGETHER,),
}
ADDED: Mapping[str, tuple[str, ...]] = {"phrases": tuple(WEIGHTS)}  # to what the trees give


def groups() -> dict[str, tuple[str, ...]]:
    """`GROUPS`, and every other feature by itself."""
    grouped = {feature for features in GROUPS.values() for feature in features}
    return {**GROUPS, **{feature: (feature,) for feature in FEATURES if feature not in grouped}}


def without_shares(bench: Bench) -> dict[str, list[list[int]]]:
    """Orders without the shares of the score that each part's features have, nothing trained again: what the
    score owes to the part, not what it could do without it."""
    left = {"all": (), **{f"without {n}": f for n, f in {**groups(), **ADDED}.items()}}
    orders: dict[str, list[list[int]]] = {name: [] for name in left}
    for number, first in enumerate(first_orders(bench)):
        pool, text = best(first, POOL), bench.collection.topics[number].text
        shares = bench.ranker.score(bench.asked[number], text, pool_of(bench, pool))
        for name, left_out in left.items():
            scores = total({feature: s for feature, s in shares.items() if feature not in left_out})
            orders[name].append([pool[i] for i in np.argsort(-scores, kind="stable")])
    return orders


def load_tables(folder: Path) -> list[Table]:
    """The folds' tables that `texgeist train` left in `folder/work`; none where they hold other features."""
    tables = []
    for path in sorted((folder / "work").glob("fold-*.npz")):
        with np.load(path) as data:
            tables.append((data["features"], data["cited"]))
    return tables if all(features.shape[-1] == len(FEATURES) for features, _ in tables) else []


def ablate(bench: Bench, tables: list[Table]) -> dict[str, list[list[int]]]:
    """Orders of each variant. The pool stays the same: it is the order that is taken apart.

    A left-out feature is 0 for all, in training and here, which no tree can split."""
    values, _ = table_of(bench, bench.ranker.parts)
    pools = [best(first, POOL) for first in first_orders(bench)]
    orders = {"first order, no ranker": pools}
    for name, left_out in {"all": (), **{f"without {n}": f for n, f in groups().items()}}.items():
        columns = [FEATURES.index(feature) for feature in left_out]
        trees = train_trees([(_blank(table, columns), cited) for table, cited in tables], TreeOptions())
        if KNOWN in left_out:
            trees = replace(trees, priors={})
        orders[name] = [
            order_of(trees, table, pool) for table, pool in zip(_blank(values, columns), pools, strict=True)
        ]
    return orders


def order_of(trees: Trees, table: np.ndarray, pool: list[int]) -> list[int]:
    """`table`: the features of one pool."""
    parts = trees.parts({name: table[:, i] for i, name in enumerate(FEATURES)})
    scores = np.sum(list(parts.values()), axis=0)
    return [pool[i] for i in np.argsort(-scores, kind="stable")]


def _blank(table: np.ndarray, columns: list[int]) -> np.ndarray:
    blanked = table.copy()
    blanked[..., columns] = 0.0
    return blanked
