"""A field of the queries left out when the trees are learned; adapter and citation table stay as they are.

The queries measured on were never seen by these two, so that their own features teach the trees as honestly
as `training.ranker` does by its folds. Fields are clusters of the training queries' vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench, Order, dense, first_orders, hybrid
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.ranker import POOL
from texgeist_retrieval.training.ranker import table_of, train_trees
from texgeist_retrieval.types import Matrix

from .ablation import order_of

FIELDS, PARTS = 4, 4


def fields_of(bench: Bench, training: Matrix) -> np.ndarray:
    """The number of the field of every query."""
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(FIELDS, n_init=5, random_state=0).fit(training).predict(bench.queries))


def orders(bench: Bench, fields: np.ndarray) -> dict[str, Order]:
    """The trees learn from as many queries either way."""
    values, cited = table_of(bench, bench.ranker.parts)
    pools = [best(first, POOL) for first in first_orders(bench)]
    found: dict[str, Order] = {name: [[] for _ in pools] for name in ("field known", "field left out")}

    def put(name: str, learned_from: np.ndarray, asked: np.ndarray) -> None:
        trees = train_trees([(values[learned_from], cited[learned_from])])
        for i in asked:
            found[name][i] = order_of(trees, values[i], pools[i])

    for field in range(FIELDS):
        others, own = np.flatnonzero(fields != field), np.flatnonzero(fields == field)
        put("field left out", others, own)
        _with_its_own(lambda learned, asked: put("field known", learned, asked), others, own, field)
    return {**found, "hybrid": hybrid(bench), "dense": dense(bench)}


def _with_its_own(
    put: Callable[[np.ndarray, np.ndarray], None], others: np.ndarray, own: np.ndarray, seed: int
) -> None:
    """Each part of a field by what the rest of it and some of the other fields teach."""
    parts = np.random.default_rng(seed).permutation(len(own)) % PARTS
    for part in range(PARTS):
        rest = own[parts != part]
        chance = np.random.default_rng(9 + part)
        some = chance.choice(others, len(others) - len(rest), replace=False)
        put(np.r_[rest, some], own[parts == part])


def one_field(found: dict[str, Order], rows: Sequence[int]) -> dict[str, Order]:
    return {name: [order[i] for i in rows] for name, order in found.items()}
