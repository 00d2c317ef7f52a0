"""Retrieval beyond one conference: drafts of other fields, researchers' questions, citing sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from texgeist_retrieval.evaluation.systems import Bench, run_system, unseen_documents
from texgeist_retrieval.ports import Embedder

from . import sets
from .show import compare

SYSTEMS = ("dense", "bm25", "hybrid", "full")


def show(data: Path, weights: Path | None, embedder: Callable[[], Embedder]) -> None:
    for name, bench in benches(data, embedder):
        bench.weights = weights
        cited = [topic.cited for topic in bench.collection.topics]
        print(f"{name}: {len(cited)} queries, {len(bench.vectors)} papers\n")
        compare({s: run_system(bench, s) for s in SYSTEMS}, cited, unseen_documents(bench))
        print(flush=True)


def benches(data: Path, embedder: Callable[[], Embedder]) -> Iterator[tuple[str, Bench]]:
    """One after the other: each holds its own table of words."""
    yield "DeepScholar, drafts", sets.drafts(data, embedder)
    for name in (*sets.QUESTIONS, *sets.SENTENCES):
        yield name, sets.bench_of_set(name, data, embedder)
