"""The output of `texgeist eval retrieval`: a table, or a JSON document."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ..monitor import SILENT
from ..ports import Monitor
from .measures import MEASURES, Difference, Interval, Values, difference, interval, measure
from .systems import Bench, Order, run_system

BASELINE = "dense"


@dataclass(frozen=True, slots=True)
class Report:
    """`unseen`: the measures for the papers that no query of the training data cites, over the queries that
    cite such papers. A system that has only memorised cited papers would not find them."""

    queries: int
    papers: int
    systems: Mapping[str, Mapping[str, Interval]]
    against_dense: Mapping[str, Mapping[str, Difference]]
    unseen: Mapping[str, Mapping[str, Interval]]
    seconds: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        return {
            "queries": self.queries,
            "papers": self.papers,
            "systems": _plain(self.systems),
            "against_dense": _plain(self.against_dense),
            "unseen": _plain(self.unseen),
            "seconds": {name: round(value, 2) for name, value in self.seconds.items()},
        }


def evaluate(
    bench: Bench, names: Sequence[str], unseen: Sequence[bool] | None = None, monitor: Monitor = SILENT
) -> Report:
    """Runs the systems with these names, and `dense` for comparison. `unseen`: for each document, whether it
    counts for `Report.unseen`; None leaves this part of the report empty. Raises `KeyError` for an unknown
    system."""
    cited = [topic.cited for topic in bench.collection.topics]
    fresh = _only(cited, unseen)
    values: dict[str, dict[str, Values]] = {}
    fresh_values: dict[str, dict[str, Values]] = {}
    seconds: dict[str, float] = {}
    for name in dict.fromkeys((BASELINE, *names)):
        monitor.report(f"Running {name}")
        start = time.perf_counter()
        orders = run_system(bench, name)
        seconds[name] = time.perf_counter() - start
        values[name] = measure(orders, cited)
        if fresh:
            fresh_values[name] = _measure_some(orders, fresh)
    return Report(
        queries=len(cited),
        papers=len(bench.collection.documents),
        systems={name: _intervals(values[name]) for name in names},
        against_dense={
            name: {m: difference(values[name][m], values[BASELINE][m]) for m in MEASURES}
            for name in names
            if name != BASELINE
        },
        unseen={name: _intervals(fresh_values[name]) for name in names if name in fresh_values},
        seconds=seconds,
    )


def table(report: Report) -> list[list[str]]:
    """The report as a table of texts, in percent, with a header row. `*` marks p < 0.05 against `dense`."""
    rows = [["system", *MEASURES, "unseen recall@20"]]
    for name, means in report.systems.items():
        marks = report.against_dense.get(name, {})
        cells = [_cell(means[m], marks.get(m)) for m in MEASURES]
        fresh = report.unseen.get(name)
        rows.append([name, *cells, _cell(fresh["recall@20"], None) if fresh else "-"])
    return rows


def _cell(value: Interval, against: Difference | None) -> str:
    star = "*" if against is not None and against.p < 0.05 else ""
    return f"{100 * value.mean:.1f}{star} [{100 * value.low:.1f}, {100 * value.high:.1f}]"


def _only(cited: Sequence[Sequence[int]], flags: Sequence[bool] | None) -> dict[int, list[int]]:
    if flags is None:
        return {}
    kept = {i: [row for row in rows if flags[row]] for i, rows in enumerate(cited)}
    return {i: rows for i, rows in kept.items() if rows}


def _measure_some(orders: Order, cited: Mapping[int, Sequence[int]]) -> dict[str, Values]:
    return measure([orders[i] for i in cited], list(cited.values()))


def _intervals(values: Mapping[str, Values]) -> dict[str, Interval]:
    return {name: interval(np.asarray(values[name])) for name in MEASURES}


def _plain(parts: Mapping[str, Mapping[str, Interval | Difference]]) -> dict[str, Any]:
    return {
        name: {m: {k: round(v, 5) for k, v in asdict(value).items()} for m, value in by_measure.items()}
        for name, by_measure in parts.items()
    }
