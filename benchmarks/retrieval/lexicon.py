"""UR3WG's word weights as sparse vectors in Milvus Lite: exact (`lexicon`) against Appendix A.1's approximation
(`extremes`). `same@k`: the share of the k best by all weights, without any cut, that the search finds."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.sparse import ENCODERS
from texgeist_retrieval.ranking.lexicon import keep_largest
from texgeist_retrieval.ranking.storage import load_lexicon
from texgeist_retrieval.text.words import words
from texgeist_retrieval.types import Paper

NAMES = ("lexicon", "extremes")
TOP, CLOSE = 100, 20


def measure(bench: Bench) -> list[dict[str, object]]:
    whole = exact(bench)
    return [_measured(bench, name, whole) for name in NAMES]


def exact(bench: Bench) -> list[list[int]]:
    """The best `TOP` papers of each query by S_l with all weights."""
    lexicon = load_lexicon(bench.weights)
    shares = lexicon.distributions()
    asked = np.stack(
        [keep_largest(lexicon.importance(t.text, shares), lexicon.group) for t in bench.collection.topics]
    )
    scores = np.stack([asked @ lexicon.importance(d.text, shares) for d in bench.collection.documents])
    return [np.argsort(-column, kind="stable")[:TOP].tolist() for column in scores.T]


def _measured(bench: Bench, name: str, whole: list[list[int]]) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        index = open_index(str(Path(folder) / "papers.db"), create=True, sparse=name)
        try:
            papers = [Paper(d.doc, d.title, d.abstract, year=d.year) for d in bench.collection.documents]
            for at in range(0, len(papers), 1000):
                index.upsert(papers[at : at + 1000], bench.vectors[at : at + 1000])
            index.flush()
            filled = time.perf_counter() - began
            found, seconds = list[list[int]](), list[float]()
            rows = {document.doc: row for row, document in enumerate(bench.collection.documents)}
            for topic in bench.collection.topics:
                start = time.perf_counter()
                hits = index.search_text([topic.text], TOP)[0]
                seconds.append(time.perf_counter() - start)
                found.append([rows[hit.paper.id] for hit in hits])
        finally:
            index.close()
    cited = [set(topic.cited) for topic in bench.collection.topics]
    entries = [len(ENCODERS[name]().document(d.text)) for d in bench.collection.documents[:200]]
    return {
        "sparse": name,
        "recall@20": _share(found, cited, CLOSE),
        "recall@100": _share(found, cited, TOP),
        "same@20": _share(found, [set(best[:CLOSE]) for best in whole], CLOSE),
        "same@100": _share(found, [set(best) for best in whole], TOP),
        "entries of a paper": round(float(np.mean(entries)), 1),
        "filled in s": round(filled, 1),
        "search p50 ms": round(1000 * float(np.percentile(seconds[5:], 50)), 1),
        "search p95 ms": round(1000 * float(np.percentile(seconds[5:], 95)), 1),
        "words of a query": round(float(np.mean([len(words(t.text)) for t in bench.collection.topics])), 1),
    }


def _share(found: list[list[int]], wanted: list[set[int]], top: int) -> float:
    shares = [len(set(f[:top]) & w) / len(w) for f, w in zip(found, wanted, strict=True) if w]
    return round(100 * float(np.mean(shares)), 1)
