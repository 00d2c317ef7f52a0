"""Retrieval, measured: `python -m benchmarks.retrieval [PART ...]`.

    table      the systems on `dev`
    elsewhere  drafts of other fields, researchers' questions and citing sentences; takes minutes
    lexicon    UR3WG's word weights as sparse vectors: exact against the approximation of its Appendix A.1
    losses     UR3WG's losses, each by a short training (needs the extra `torch`; minutes)

All figures are percent with 95 % bootstrap intervals over the queries; `*` differs from the first row of its
table, p < 0.05. A part whose files are missing is left out, and says so.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from texgeist_retrieval.evaluation.collection import CollectionFiles, title_vectors
from texgeist_retrieval.evaluation.report import evaluate, table
from texgeist_retrieval.evaluation.systems import Bench, unseen_documents
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder

from . import lexicon, losses, sets
from .sets import Missing, embedder_at

SYSTEMS = ("dense", "bm25", "hybrid", "full")  # of `elsewhere`


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--weights", type=Path, help="a folder of weights (default: those shipped)")
    parser.add_argument("--model", type=Path, help="the embedding model's folder (default: texgeist's own)")
    parser.add_argument("--systems", default="dense,bm25,hybrid,adapter,lexicon,full")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    for part in options.parts:
        print(f"\n## {part}\n", flush=True)
        start = time.monotonic()
        try:
            PARTS[part](options)
        except Missing as missing:
            print(f"Left out: {missing}")
        print(f"\n({time.monotonic() - start:.0f} s)", flush=True)


def bench_of(options: argparse.Namespace) -> Bench:
    """The queries of `dev` over its papers."""
    folder = options.data / "citations"
    files = CollectionFiles(
        folder / "dev-corpus.jsonl.gz",
        folder / "dev-queries.jsonl.gz",
        folder / "dev-corpus-mpnet.npy",
        folder / "dev-queries-mpnet.npy",
    )
    bench = Bench.load(files, lambda: embedder_of(options), Silent(), options.weights)
    try:
        bench.titles = title_vectors(bench.collection, lambda: embedder_of(options), Silent())
    except Missing as missing:
        print(f"By the abstracts alone, without the titles: {missing}")
    return bench


def embedder_of(options: argparse.Namespace) -> Embedder:
    return embedder_at(options.model)


def show_table(options: argparse.Namespace) -> None:
    bench = bench_of(options)
    report = evaluate(bench, options.systems.split(","), unseen_documents(bench))
    print_rows(table(report))
    print("seconds:", json.dumps({name: round(s, 1) for name, s in report.seconds.items()}))


def print_rows(rows: Sequence[Sequence[str]]) -> None:
    header, *body = rows
    for row in (header, ["---"] * len(header), *body):
        print("| " + " | ".join(row) + " |")


def show_elsewhere(options: argparse.Namespace) -> None:
    def embedder() -> Embedder:
        return embedder_of(options)

    names = ("drafts", *sets.QUESTIONS, *sets.SENTENCES)
    for name in names:  # one after the other, because each has a table of words
        drafts = name == "drafts"
        bench = (
            sets.drafts(options.data, embedder) if drafts else sets.bench_of_set(name, options.data, embedder)
        )
        bench.weights = options.weights
        print(f"{name}: {len(bench.queries)} queries, {len(bench.vectors)} papers\n")
        print_rows(table(evaluate(bench, SYSTEMS, unseen_documents(bench))))
        print(flush=True)


def show_lexicon(options: argparse.Namespace) -> None:
    for row in lexicon.measure(bench_of(options)):
        print(json.dumps(row))


def show_losses(options: argparse.Namespace) -> None:
    for row in losses.measure(options.data / "citations", bench_of(options)):
        print(json.dumps(row), flush=True)


PARTS: dict[str, Callable[[argparse.Namespace], None]] = {
    "table": show_table,
    "elsewhere": show_elsewhere,
    "lexicon": show_lexicon,
    "losses": show_losses,
}

if __name__ == "__main__":
    main()
