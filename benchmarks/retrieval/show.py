"""Tables of the benchmarks: recall with intervals, and paired differences from the first row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from texgeist_retrieval.evaluation.measures import Values, difference, interval, measure

SHOWN = ("recall@5", "recall@10", "recall@20", "recall@100")


def compare(
    orders: Mapping[str, list[list[int]]],
    cited: Sequence[Sequence[int]],
    unseen: Sequence[bool] | None = None,
) -> None:
    values = {name: measure(rows, cited) for name, rows in orders.items()}
    baseline = next(iter(values.values()))
    rows = [["", *SHOWN, "difference at 20, paired", *(["unseen recall@20"] if unseen else [])]]
    for name, found in values.items():
        cells = []
        for m in SHOWN:
            low_high = interval(found[m])
            star = "*" if found is not baseline and difference(found[m], baseline[m]).p < 0.05 else ""
            cells.append(
                f"{100 * low_high.mean:.1f}{star} [{100 * low_high.low:.1f}, {100 * low_high.high:.1f}]"
            )
        cells.append(_gap(found["recall@20"], baseline["recall@20"]) if found is not baseline else "-")
        rows.append([name, *cells, *([_unseen(orders[name], cited, unseen)] if unseen else [])])
    print_rows(rows)


def _gap(values: Values, baseline: Values) -> str:
    gap = difference(values, baseline)
    return f"{100 * gap.mean:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"


def _unseen(orders: list[list[int]], cited: Sequence[Sequence[int]], flags: Sequence[bool]) -> str:
    fresh = [(o, [d for d in c if flags[d]]) for o, c in zip(orders, cited, strict=True)]
    kept = [(o, c) for o, c in fresh if c]
    found = interval(measure([o for o, _ in kept], [c for _, c in kept])["recall@20"])
    return f"{100 * found.mean:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    header, *body = rows
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in body:
        print("| " + " | ".join(row) + " |")
