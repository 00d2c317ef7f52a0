"""Recall, MRR and nDCG by ir-measures, bootstrap intervals, and a paired significance test.

Queries are resampled, so the intervals show how much a mean would vary with other queries of the same
kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import RetrievalError

MEASURES = ("recall@5", "recall@10", "recall@20", "recall@100", "mrr", "ndcg@10")
DEPTH = 1000  # number of ranks that are evaluated
RESAMPLES = 10_000
_SEED = 20260101

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Interval:
    """A mean over the queries, and its 95 % bootstrap interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean difference of two systems over the same queries, its 95 % interval, and the two-sided p of a
    paired sign-flip randomisation test (Smucker, Allan and Carterette, 2007)."""

    mean: float
    low: float
    high: float
    p: float


def measure(orders: Sequence[Sequence[int]], cited: Sequence[Sequence[int]]) -> dict[str, Values]:
    """For each measure, an array with a value from 0 to 1 for each query. `orders`: for each query, rows of
    the corpus, best first; `cited`: for each query, the cited rows."""
    ir = _library()
    wanted = {ir.parse_measure(_NAMES[name]): name for name in MEASURES}
    qrels = {str(i): {str(d): 1 for d in rows} for i, rows in enumerate(cited)}
    run = {
        str(i): {str(d): float(DEPTH - place) for place, d in enumerate(rows[:DEPTH])}
        for i, rows in enumerate(orders)
    }
    values = {name: np.zeros(len(orders)) for name in MEASURES}
    for item in ir.iter_calc(list(wanted), qrels, run):
        values[wanted[item.measure]][int(item.query_id)] = item.value
    return values


def interval(values: Values) -> Interval:
    """The mean and its interval by a percentile bootstrap over the queries, with a fixed seed."""
    low, high = np.percentile(_resampled(values), (2.5, 97.5))
    return Interval(float(values.mean()), float(low), float(high))


def difference(values: Values, baseline: Values) -> Difference:
    """The mean of `values - baseline`, paired by query."""
    gaps = values - baseline
    low, high = np.percentile(_resampled(gaps), (2.5, 97.5))
    return Difference(float(gaps.mean()), float(low), float(high), _sign_flip(gaps))


def _resampled(values: Values) -> Values:
    generator = np.random.default_rng(_SEED)
    means = np.empty(RESAMPLES)
    for start in range(0, RESAMPLES, 500):  # in parts of 500, to limit memory use
        rows = generator.integers(0, values.size, size=(min(500, RESAMPLES - start), values.size))
        means[start : start + len(rows)] = values[rows].mean(axis=1)
    return means


def _sign_flip(gaps: Values) -> float:
    generator = np.random.default_rng(_SEED)
    observed, beyond = abs(float(gaps.mean())), 0
    for _ in range(0, RESAMPLES, 500):
        signs = generator.choice((-1.0, 1.0), size=(500, gaps.size))
        beyond += int((np.abs((signs * gaps).mean(axis=1)) >= observed - 1e-12).sum())
    return (beyond + 1) / (RESAMPLES + 1)


_NAMES: Mapping[str, str] = {
    "recall@5": "R@5",
    "recall@10": "R@10",
    "recall@20": "R@20",
    "recall@100": "R@100",
    "mrr": "RR",
    "ndcg@10": "nDCG@10",
}


def _library() -> Any:
    try:
        import ir_measures
    except ImportError:
        raise RetrievalError(
            "Evaluation needs the package ir-measures.", "Install it with `pip install ir-measures`."
        ) from None
    return ir_measures
