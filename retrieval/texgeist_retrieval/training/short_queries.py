"""Trains the order for sentences and questions: one weight a feature, by the same loss as the adapter's.

The ids of the queries name their set (`litsearch:12`). Every set is left out once, and the report says how well
the others' weights do on it: what an unknown kind of question can expect. The weights that are kept are of all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RetrievalError
from ..evaluation.systems import Bench, found_rows, pool_of
from ..ranking.short_queries import FEATURES, features
from ..ranking.storage import load_parts, save_short

SHOWN = (5, 20)  # recall at


@dataclass(frozen=True, slots=True)
class LabelledPool:
    """One query: `values` [pool, features], `cited` [pool], and how many papers answer it in all."""

    values: NDArray[np.float64]
    cited: NDArray[np.bool_]
    wanted: int


@dataclass(frozen=True, slots=True)
class ShortOptions:
    """`decay`: of the squared weights. Each set counts by the square root of its size."""

    decay: float = 3e-3
    rounds: int = 200


def train_short(
    bench: Bench,
    folder: Path,
    options: ShortOptions = ShortOptions(),
    report: Callable[[int, int], None] = lambda *_: None,
) -> list[str]:
    """Writes the weights into `folder`. The lines say recall of every set, by the weights of the others."""
    sets = asked_of(bench, report)
    lines = [_line(name, sets, options) for name in sets] if len(sets) > 1 else []
    save_short(folder, dict(zip(FEATURES, fit(list(sets.values()), options).tolist(), strict=True)))
    return lines


def asked_of(bench: Bench, report: Callable[[int, int], None]) -> dict[str, list[LabelledPool]]:
    """By set, the queries whose pool holds a paper that answers them."""
    parts, sets = load_parts(bench.weights), dict[str, list[LabelledPool]]()
    for number, topic in enumerate(bench.collection.topics):
        report(number, len(bench.collection.topics))
        rows = found_rows(bench, number)
        found = features(bench.queries[number], topic.text.strip(), pool_of(bench, rows), parts)
        values = np.stack([found[name] for name in FEATURES], axis=1).astype(np.float64)
        asked = LabelledPool(values, np.isin(rows, topic.cited), len(topic.cited))
        sets.setdefault(topic.id.partition(":")[0], []).append(asked)
    return sets


def fit(
    sets: Sequence[Sequence[LabelledPool]], options: ShortOptions = ShortOptions()
) -> NDArray[np.float64]:
    """One weight a feature. Raises `RetrievalError` without SciPy, or where nothing can be learned."""
    used = [[asked for asked in found if asked.cited.any()] for found in sets]
    if not any(used):
        raise RetrievalError(
            "No query finds a paper that answers it.", "Give queries and a corpus that belong together."
        )
    shares = np.concatenate([np.full(len(found), len(found) ** -0.5) for found in used if found])
    queries = [asked for found in used for asked in found]
    spread = np.concatenate([asked.values for asked in queries]).std(axis=0) + 1e-6
    scaled = [asked.values / spread for asked in queries]

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        each = [_loss(v, a.cited, weights) for v, a in zip(scaled, queries, strict=True)]
        mean = np.average([value for value, _ in each], weights=shares)
        slope = np.average([gradient for _, gradient in each], axis=0, weights=shares)
        return float(mean + options.decay * weights @ weights), slope + 2 * options.decay * weights

    return np.asarray(_minimised(loss, len(spread), options.rounds) / spread)


def _loss(
    values: NDArray[np.float64], cited: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, NDArray[np.float64]]:
    """`query_adapter.each_loss` for one query, with its gradient."""
    scores = values @ weights
    raised = np.exp(scores - scores.max())
    others = np.where(cited, 0.0, raised)
    totals = others.sum() + raised[cited]
    value = float((np.log(totals) - (scores[cited] - scores.max())).mean())
    change = others * (1 / totals).mean()
    change[cited] = (raised[cited] / totals - 1) / cited.sum()
    return value, values.T @ change


def _minimised(loss: Callable[..., Any], size: int, rounds: int) -> NDArray[np.float64]:
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise RetrievalError(
            "Training needs SciPy.", "Install it with `pip install texgeist[torch]`."
        ) from None
    found = minimize(loss, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": rounds})
    return np.asarray(found.x)


def _line(name: str, sets: dict[str, list[LabelledPool]], options: ShortOptions) -> str:
    weights = fit([found for other, found in sets.items() if other != name], options)
    found = ", ".join(f"{100 * recall(sets[name], weights, at):.1f} at {at}" for at in SHOWN)
    return f"{name} ({len(sets[name])} queries), by what the other sets taught: recall {found}."


def recall(queries: Sequence[LabelledPool], weights: NDArray[np.float64], at: int) -> float:
    """Mean share of the papers that answer a query among its first `at`."""
    shares = []
    for asked in queries:
        order = np.argsort(-(asked.values @ weights), kind="stable")[:at]
        shares.append(asked.cited[order].sum() / asked.wanted)
    return float(np.mean(shares))
