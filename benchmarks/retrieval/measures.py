"""Recall, MRR and nDCG of the systems, with bootstrap intervals and a paired test over the topics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from texgeist_retrieval.ranking.storage import load_memory
from texgeist_retrieval.training.collection import CitationCollection

from .systems import SYSTEMS, Order

RECALLS = (5, 10, 20, 100)
MEASURES = (*(f"recall@{top}" for top in RECALLS), "mrr", "ndcg@10")
RESAMPLES = 10_000


def measure(orders: Order, cited: Sequence[Sequence[int]]) -> dict[str, np.ndarray]:
    """For each measure, a value from 0 to 1 for each topic."""
    rows = [_measured(order, set(wanted)) for order, wanted in zip(orders, cited, strict=True)]
    return dict(zip(MEASURES, np.array(rows).T, strict=True))


def _measured(order: Sequence[int], cited: set[int]) -> list[float]:
    places = np.array([float(place) for place, row in enumerate(order, 1) if row in cited] or [np.inf])
    ideal = float((1 / np.log2(1 + np.arange(1, min(len(cited), 10) + 1))).sum())
    gains = float((1 / np.log2(1 + places[places <= 10])).sum())
    recalls = [float((places <= top).sum()) / len(cited) for top in RECALLS]
    return [*recalls, float(1 / places[0]), gains / ideal]


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval of the mean."""
    generator = np.random.default_rng(20260101)
    rows = generator.integers(0, values.size, size=(RESAMPLES, values.size))
    low, high = np.percentile(values[rows].mean(axis=1), (2.5, 97.5))
    return float(low), float(high)


def p_value(gaps: np.ndarray) -> float:
    """The two-sided p of a paired sign-flip randomisation test (Smucker, Allan and Carterette, 2007)."""
    signs = np.random.default_rng(20260101).choice((-1.0, 1.0), size=(RESAMPLES, gaps.size))
    beyond = (np.abs((signs * gaps).mean(axis=1)) >= abs(float(gaps.mean())) - 1e-12).sum()
    return float((beyond + 1) / (RESAMPLES + 1))


def show_systems(collection: CitationCollection, names: Sequence[str], weights: Path | None) -> None:
    """Prints a row for each system, in percent. `*` marks p < 0.05 against the first. The last column counts only
    the papers that no topic of the weights' training data cites."""
    cited = [topic.cited for topic in collection.topics]
    known = load_memory(weights).find([document.title for document in collection.documents])
    unseen = [[row for row in rows if known[row] < 0] for rows in cited]
    some = [number for number, rows in enumerate(unseen) if rows]
    print("| system | " + " | ".join(MEASURES) + " | unseen recall@20 |\n|" + "---|" * (len(MEASURES) + 2))
    base: dict[str, np.ndarray] = {}
    for name in names:
        orders = SYSTEMS[name](collection, weights)
        values = measure(orders, cited)
        base = base or values
        cells = [_cell(values[m], base[m]) for m in MEASURES]
        fresh = measure([orders[i] for i in some], [unseen[i] for i in some])["recall@20"] if some else None
        print(
            f"| {name} | {' | '.join(cells)} | {'-' if fresh is None else _cell(fresh, fresh)} |", flush=True
        )


def _cell(values: np.ndarray, base: np.ndarray) -> str:
    low, high = interval(values)
    star = "*" if p_value(values - base) < 0.05 else ""
    return f"{100 * values.mean():.1f}{star} [{100 * low:.1f}, {100 * high:.1f}]"
