"""Searches with the authors' keywords in place of their abstract, as UR3WG reports them for its data."""

from __future__ import annotations

from texgeist_retrieval.evaluation.collection import unit
from texgeist_retrieval.evaluation.measures import DEPTH
from texgeist_retrieval.evaluation.systems import Bench, Order
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.ranking.fusion import best, fuse
from texgeist_retrieval.text.words import query_words


def orders(bench: Bench, embedder: Embedder) -> tuple[dict[str, Order], list[tuple[int, ...]]]:
    """By abstract and by keywords, for the queries that have keywords, and what these cite."""
    kept = [i for i, topic in enumerate(bench.collection.topics) if topic.keywords]
    topics = [bench.collection.topics[i] for i in kept]
    asked = unit(embedder.embed_documents([", ".join(topic.keywords) for topic in topics]))
    near = [bench.vectors @ row for row in asked]
    words = [bench.bm25.score(query_words(" ".join(topic.keywords))) for topic in topics]
    scores = {
        "dense, abstract": [bench.dense[i] for i in kept],
        "dense, keywords": near,
        "BM25, title and abstract": [bench.lexical[i] for i in kept],
        "BM25, keywords": words,
        "both by keywords, fused": [fuse(pair) for pair in zip(near, words, strict=True)],
        "both by abstract, fused": [fuse((bench.dense[i], bench.lexical[i])) for i in kept],
    }
    return {name: [best(row, DEPTH) for row in rows] for name, rows in scores.items()}, [
        t.cited for t in topics
    ]
