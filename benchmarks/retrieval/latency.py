"""A whole search in Milvus Lite on 15,000 papers: the query's row and the adapter's, merged, put in order."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.pipeline.candidates import merge
from texgeist_retrieval.ranking.ranker import LearnedRanker
from texgeist_retrieval.types import Paper, Query, QueryPart

ROWS = 100  # asked for each row


def measure(bench: Bench, open_index) -> dict[str, float]:
    """Milliseconds: p50 and p95 of search, of ranking, of both, and of a plain search for comparison."""
    ranker = LearnedRanker.load(bench.weights)
    with tempfile.TemporaryDirectory() as folder:
        index = open_index(Path(folder) / "papers.db")
        try:
            fill(index, bench)
            return _timed(index, bench, ranker)
        finally:
            index.close()


def fill(index, bench: Bench) -> None:
    papers = [Paper(f"doc:{d.doc}", d.title, d.abstract, year=d.year) for d in bench.collection.documents]
    for start in range(0, len(papers), 1000):
        index.upsert(papers[start : start + 1000], bench.vectors[start : start + 1000])


def _timed(index, bench: Bench, ranker: LearnedRanker) -> dict[str, float]:
    plain, search, rank, both = [], [], [], []
    for number, topic in enumerate(bench.collection.topics):
        vector, asked = bench.queries[number : number + 1], bench.asked[number]
        query = Query("abstract", (QueryPart(topic.abstract, "abstract"),), topic.abstract, topic.title)
        start = time.perf_counter()
        index.search(vector, ROWS)
        plain.append(time.perf_counter() - start)
        start = time.perf_counter()
        rows = np.vstack([vector, ranker.search_rows(asked)])
        found = merge(index.search(rows, ROWS), vector, 1)
        middle = time.perf_counter()
        ranker.rank(query, asked, found)
        end = time.perf_counter()
        search.append(middle - start)
        rank.append(end - middle)
        both.append(end - start)
    named = {"plain search": plain, "search with facets": search, "ranking": rank, "both": both}
    return {
        f"{name} p{p} ms": round(1000 * float(np.percentile(values[5:], p)), 1)
        for name, values in named.items()
        for p in (50, 95)
    }
