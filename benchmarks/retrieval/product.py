"""Questions asked of the product: `pipeline.search` in Milvus Lite, by order and by what the index keeps."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.fulltext import ChainSource
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline import search
from texgeist_retrieval.ports import Embedder, Ranker
from texgeist_retrieval.ranking.hybrid import HybridRanker
from texgeist_retrieval.ranking.short_queries import ShortRanker
from texgeist_retrieval.services import Services
from texgeist_retrieval.types import Filters, Query, QueryPart
from texgeist_retrieval.writing import ExtractiveWriter

from .latency import fill

TOP = 20
ORDERS: dict[str, Callable[[], Ranker] | None] = {
    "similarity": None,
    "hybrid": HybridRanker.load,
    "learned": ShortRanker.load,
}


def compare(
    bench: Bench, embedder: Embedder, open_index: Callable[[Path, str], Any]
) -> tuple[dict[str, list[list[int]]], dict[str, list[float]]]:
    """Orders, and milliseconds of a search with its embedding, for each question."""
    orders: dict[str, list[list[int]]] = {}
    times: dict[str, list[float]] = {}
    for kept in ("", "words"):
        with tempfile.TemporaryDirectory() as folder:
            index = open_index(Path(folder) / "papers.db", kept)
            try:
                fill(index, bench)
                for name, load in ORDERS.items():
                    services = _services(embedder, index, load() if load else None)
                    label = f"{name}, {'words kept' if kept else 'vectors alone'}"
                    found = [_search(topic.abstract, services) for topic in bench.collection.topics]
                    orders[label] = [order for order, _ in found]
                    times[label] = [milliseconds for _, milliseconds in found][5:]
            finally:
                index.close()
    return orders, times


def _services(embedder: Embedder, index: Any, ranker: Ranker | None) -> Services:
    return Services(embedder, index, ChainSource(()), ExtractiveWriter(embedder), short_ranker=ranker)


def _search(text: str, services: Services) -> tuple[list[int], float]:
    query = Query("question", (QueryPart(text, "the question"),), text=text)
    start = time.perf_counter()
    found = search(query, services, TOP, Filters(), Silent())
    return [int(c.paper.id.removeprefix("doc:")) for c in found], 1000 * (time.perf_counter() - start)
