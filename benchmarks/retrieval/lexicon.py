"""UR3WG's lexicon: its word weights as sparse vectors in Milvus Lite, and its losses."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.sparse import ENCODERS
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ranking.storage import load_lexicon
from texgeist_retrieval.training.collection import CitationCollection
from texgeist_retrieval.training.lexicon import LexiconOptions, train_lexicon
from texgeist_retrieval.training.query_adapter import LOSSES
from texgeist_retrieval.types import Matrix, Paper

from .systems import lexical_scores, lexicon_scores

TOP, CLOSE = 100, 20
QUERIES, OTHERS, STEPS = 60, 2500, 60  # for the losses


def as_index(collection: CitationCollection, weights: Path | None) -> Iterator[dict[str, object]]:
    """Exact (`lexicon`) against Appendix A.1's approximation (`extremes`). `same@k`: the share of the k best by
    all weights, without any cut, that the search finds."""
    scores = lexical_scores(load_lexicon(weights), collection)
    whole = _best(scores, TOP)
    cited = [set(topic.cited) for topic in collection.topics]
    for name in ("lexicon", "extremes"):
        found, filled, seconds = _searched(collection, name)
        entries = [len(ENCODERS[name]().document(d.text)) for d in collection.documents[:200]]
        yield {
            "sparse": name,
            "recall@20": _share(found, cited, CLOSE),
            "recall@100": _share(found, cited, TOP),
            "same@20": _share(found, [set(best[:CLOSE]) for best in whole], CLOSE),
            "same@100": _share(found, [set(best) for best in whole], TOP),
            "entries of a paper": round(float(np.mean(entries)), 1),
            "filled in s": round(filled, 1),
            "search p50 ms": round(1000 * float(np.percentile(seconds[5:], 50)), 1),
            "search p95 ms": round(1000 * float(np.percentile(seconds[5:], 95)), 1),
        }


def _searched(collection: CitationCollection, name: str) -> tuple[list[list[int]], float, list[float]]:
    """The rows that each topic finds, the seconds to fill the index, and those of each search."""
    found, seconds = list[list[int]](), list[float]()
    rows = {document.doc: row for row, document in enumerate(collection.documents)}
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        index = open_index(str(Path(folder) / "papers.db"), create=True, sparse=name)
        try:
            papers = [Paper(d.doc, d.title, d.abstract, year=d.year) for d in collection.documents]
            for at in range(0, len(papers), 1000):
                index.upsert(papers[at : at + 1000], collection.vectors[at : at + 1000])
            index.flush()
            filled = time.perf_counter() - began
            for topic in collection.topics:
                start = time.perf_counter()
                hits = index.search_text([topic.text], TOP)[0]
                seconds.append(time.perf_counter() - start)
                found.append([rows[hit.paper.id] for hit in hits])
        finally:
            index.close()
    return found, filled, seconds


def by_loss(training: CitationCollection, dev: CitationCollection) -> Iterator[dict[str, object]]:
    """Recall at 20 and 100 in percent, of dense search and of a lexicon trained for a few steps with each loss
    (Equations 13 to 15, and a loss for each cited paper), on some topics of `dev` against their cited papers and
    others."""
    few = dev.part(range(QUERIES))
    others = np.random.default_rng(0).choice(len(dev.vectors), OTHERS, replace=False)
    rows = sorted({row for topic in few.topics for row in topic.cited} | set(others.tolist()))
    small = replace(few, documents=tuple(few.documents[row] for row in rows), vectors=few.vectors[rows])
    cited = [set(np.flatnonzero(np.isin(rows, topic.cited)).tolist()) for topic in few.topics]

    def recalls(scores: Matrix) -> dict[str, object]:
        return {f"recall@{top}": _share(_best(scores, top), cited, top) for top in (CLOSE, TOP)}

    yield {"loss": "none (dense)", **recalls(small.queries @ small.vectors.T)}
    for loss in LOSSES:
        with tempfile.TemporaryDirectory() as out:
            options = LexiconOptions(steps=STEPS, loss=loss)
            lexicon = train_lexicon(training, Path(out), options, Silent())
        yield {"loss": loss, **recalls(lexicon_scores(lexicon, small))}


def _best(scores: Matrix, top: int) -> list[list[int]]:
    return [np.argsort(-row, kind="stable")[:top].tolist() for row in scores]


def _share(found: list[list[int]], wanted: list[set[int]], top: int) -> float:
    shares = [len(set(f[:top]) & w) / len(w) for f, w in zip(found, wanted, strict=True) if w]
    return round(100 * float(np.mean(shares)), 1)
