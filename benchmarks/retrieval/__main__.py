"""Retrieval, measured: `python -m benchmarks.retrieval [PART ...]`.

Parts: table (systems on `dev`), ablation (needs `--trained`, a folder of `texgeist train`), related (only
what is cited in the related-work section), latex (real projects' bibliographies), examples (half of the
citations are known), latency (Milvus Lite), sparse (Milvus Lite with the papers'
words), feedback (expansion from the index itself), expansion (by a model). All figures are percent with 95 % bootstrap intervals over the
queries; `*` differs from the first row of its table, p < 0.05.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.measures import Values, difference, interval, measure
from texgeist_retrieval.evaluation.report import evaluate, table
from texgeist_retrieval.evaluation.systems import Bench, first_orders, pool_of, run_system, unseen_documents
from texgeist_retrieval.ranking.fusion import best
from texgeist_retrieval.ranking.ranker import total

from . import ablation, data, latency

PARTS = ("table", "ablation", "related", "latex", "examples", "latency", "sparse", "feedback", "expansion")
SHOWN = ("recall@5", "recall@10", "recall@20", "recall@100")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["table", "related", "examples"], help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--weights", type=Path, help="a folder of weights (default: those shipped)")
    parser.add_argument("--trained", type=Path, help="a folder that `texgeist train` wrote, for the ablation")
    parser.add_argument("--model", type=Path, help="the embedding model's folder, for latex and expansion")
    parser.add_argument("--answers", type=Path, help="a model's made-up papers, for expansion")
    parser.add_argument("--systems", default="dense,bm25,hybrid,adapter,full")
    options = parser.parse_args()
    bench = data.bench_of(options.data, "dev", options.weights)
    for part in options.parts:
        print(f"\n## {part}\n")
        globals()[f"show_{part}"](bench, options)


def show_table(bench: Bench, options: argparse.Namespace) -> None:
    report = evaluate(bench, options.systems.split(","), unseen_documents(bench))
    _print(table(report))
    print("seconds:", json.dumps({name: round(s, 1) for name, s in report.seconds.items()}))


def show_ablation(bench: Bench, options: argparse.Namespace) -> None:
    if options.trained is None:
        raise SystemExit("Give --trained, a folder that `texgeist train` wrote.")
    orders = ablation.ablate(bench, ablation.load_tables(options.trained))
    first = {"all": orders.pop("all")}
    _compare({**first, **orders}, [t.cited for t in bench.collection.topics], unseen_documents(bench))


def show_related(bench: Bench, options: argparse.Namespace) -> None:
    kept, cited = data.related_work_only(options.data, bench)
    print(f"{len(kept)} queries, {sum(map(len, cited))} citations in their related-work sections\n")
    orders = {name: run_system(bench, name) for name in options.systems.split(",")}
    _compare({name: [rows[i] for i in kept] for name, rows in orders.items()}, cited)


def show_latex(bench: Bench, options: argparse.Namespace) -> None:
    from texgeist_retrieval.embedding import load_embedder

    if options.model is None:
        raise SystemExit("Give --model, the folder of the embedding model.")
    projects = data.latex_projects(options.data, load_embedder(options.model).embed_documents)
    if projects is None:
        raise SystemExit("No project cites a paper of the collections.")
    cited = [topic.cited for topic in projects.collection.topics]
    print(f"{len(cited)} projects, {sum(map(len, cited))} citations, {len(projects.vectors)} papers\n")
    orders = {name: run_system(projects, name) for name in options.systems.split(",")}
    _compare(orders, cited)
    print("\nfound among the first 20 and 100, of all citations together:")
    for name, rows in orders.items():
        counts = [sum(len(set(r[:k]) & set(c)) for r, c in zip(rows, cited, strict=True)) for k in (20, 100)]
        print(f"{name}: {counts[0]} and {counts[1]} of {sum(map(len, cited))}")
    for topic, rows in zip(projects.collection.topics, orders.get("full", ()), strict=False):
        print(
            f"{topic.id}: {len(set(rows[:20]) & set(topic.cited))} of {len(topic.cited)} in full's first 20"
        )


def show_examples(bench: Bench, options: argparse.Namespace) -> None:
    """Half of each query's citations stand in the draft; the other half is looked for."""
    given, wanted = data.half_known(bench)
    orders: dict[str, list[list[int]]] = {"without": [], "with examples": []}
    for number, first in enumerate(first_orders(bench)):
        if not wanted[number]:
            continue
        pool = best(first, 200)
        flags = np.isin(pool, given[number])
        text = bench.collection.topics[number].text
        parts = bench.ranker.score(bench.queries[number], text, pool_of(bench, pool), flags)
        for name, chosen in (
            ("without", {k: v for k, v in parts.items() if k != "like what you cite"}),
            ("with examples", parts),
        ):
            order = np.argsort(-total(chosen), kind="stable")
            orders[name].append([pool[i] for i in order if not flags[i]])
    _compare(orders, [rows for rows in wanted if rows])


def show_feedback(bench: Bench, options: argparse.Namespace) -> None:
    """Expansion from the index itself, without a model."""
    from . import expansion

    orders = expansion.with_feedback(bench)
    cited = [t.cited for t in bench.collection.topics]
    for base in ("dense", "bm25", "full"):
        _compare({name: rows for name, rows in orders.items() if name.startswith(base)}, cited)
        print()


def show_expansion(bench: Bench, options: argparse.Namespace) -> None:
    """A model's made-up papers, on the queries that it has answered (see `expansion.py`)."""
    from texgeist_retrieval.embedding import load_embedder

    from . import expansion

    if options.answers is None or options.model is None:
        raise SystemExit("Give --answers, made by `python -m benchmarks.retrieval.expansion`, and --model.")
    answers = expansion.read_answers(options.answers)
    embed = lambda texts: load_embedder(options.model, threads=1).embed_documents(texts)  # noqa: E731
    rows = expansion.vectors_of(answers, options.answers, embed)
    kept = [i for i, topic in enumerate(bench.collection.topics) if topic.id in answers]
    by_number = {
        i: rows[bench.collection.topics[i].id] for i in kept if bench.collection.topics[i].id in rows
    }
    orders = expansion.with_expansions(bench, kept, by_number)
    cited = [bench.collection.topics[i].cited for i in kept]
    print(
        f"{len(kept)} queries, {len(by_number)} with made-up papers, {sum(map(len, by_number.values()))} of them\n"
    )
    for base in ("dense", "full"):
        _compare({name: found for name, found in orders.items() if name.startswith(base)}, cited)
        print()


def show_sparse(bench: Bench, options: argparse.Namespace) -> None:
    """Whole searches in Milvus Lite, whose indexes keep sparse vectors of the papers' words or not."""
    from texgeist_retrieval.index import open_index

    from . import sparse

    orders, times = sparse.compare(bench, lambda path, kept: open_index(str(path), create=True, sparse=kept))
    _compare(orders, [t.cited for t in bench.collection.topics], unseen_documents(bench))
    for name, found in times.items():
        print(f"{name}: p50 {np.percentile(found, 50):.0f} ms, p95 {np.percentile(found, 95):.0f} ms")


def show_latency(bench: Bench, options: argparse.Namespace) -> None:
    from texgeist_retrieval.index import open_index

    print(json.dumps(latency.measure(bench, lambda path: open_index(str(path), create=True)), indent=2))


def _compare(
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
    _print(rows)


def _gap(values: Values, baseline: Values) -> str:
    gap = difference(values, baseline)
    return f"{100 * gap.mean:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"


def _unseen(orders: list[list[int]], cited: Sequence[Sequence[int]], flags: Sequence[bool]) -> str:
    fresh = [(o, [d for d in c if flags[d]]) for o, c in zip(orders, cited, strict=True)]
    kept = [(o, c) for o, c in fresh if c]
    found = interval(measure([o for o, _ in kept], [c for _, c in kept])["recall@20"])
    return f"{100 * found.mean:.1f} [{100 * found.low:.1f}, {100 * found.high:.1f}]"


def _print(rows: Sequence[Sequence[str]]) -> None:
    header, *body = rows
    print("| " + " | ".join(header) + " |")
    print("|" + "---|" * len(header))
    for row in body:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
