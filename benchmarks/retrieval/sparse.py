"""What sparse vectors in the index bring: whole searches in Milvus Lite, with and without them."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.pipeline.search import merge
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.types import Query, QueryPart

from .latency import ROWS, fill

Opened = Callable[[Path, str], Any]


def compare(bench: Bench, open_index: Opened) -> tuple[dict[str, list[list[int]]], dict[str, list[float]]]:
    """Orders, and milliseconds of search with ranking, by what the index keeps."""
    ranker = LearnedRanker.load(bench.weights)
    orders: dict[str, list[list[int]]] = {}
    times: dict[str, list[float]] = {}
    for name in ("", "words", "lexicon"):
        with tempfile.TemporaryDirectory() as folder:
            index = open_index(Path(folder) / "papers.db", name)
            try:
                fill(index, bench)
                found = [_search(index, bench, i, ranker) for i in range(len(bench.queries))]
            finally:
                index.close()
        label = f"with {name}" if name else "vectors alone"
        orders[label] = [order for order, _ in found]
        times[label] = [milliseconds for _, milliseconds in found][5:]
        if name:
            orders[f"{name} alone"] = bench_order(bench, name)
    return orders, times


def bench_order(bench: Bench, name: str) -> list[list[int]]:
    """The sparse score by itself, over the whole collection, as the index keeps it."""
    from scipy.sparse import csr_matrix
    from texgeist_retrieval.index.sparse import ENCODERS

    encoder = ENCODERS[name]()

    def table(rows: list[dict[int, float]], places: dict[int, int]) -> Any:
        at = [places.setdefault(p, len(places)) for row in rows for p in row]
        starts = np.cumsum([0, *(len(row) for row in rows)])
        return csr_matrix(([w for row in rows for w in row.values()], at, starts), (len(rows), 1 << 17))

    places: dict[int, int] = {}
    papers = table([dict(encoder.document(d.text)) for d in bench.collection.documents], places)
    asked = table([dict(encoder.query(f"{t.title} {t.abstract}")) for t in bench.collection.topics], places)
    scores = (asked @ papers.T).toarray()
    return [np.argsort(-row, kind="stable")[:1000].tolist() for row in scores]


def _search(index: Any, bench: Bench, number: int, ranker: LearnedRanker) -> tuple[list[int], float]:
    topic, asked = bench.collection.topics[number], bench.asked[number]
    vector = bench.queries[number : number + 1]
    query = Query("abstract", (QueryPart(topic.abstract, "abstract"),), topic.abstract, topic.title)
    start = time.perf_counter()
    hits = index.search(np.vstack([vector, ranker.search_rows(asked)]), ROWS)
    hits += index.search_text([f"{topic.title} {topic.abstract}"], ROWS)
    ranked = ranker.rank(query, asked, merge(hits, vector, 1))
    milliseconds = 1000 * (time.perf_counter() - start)
    rows = {d.doc: row for row, d in enumerate(bench.collection.documents)}
    return [rows[c.paper.id.removeprefix("doc:")] for c in ranked], milliseconds
