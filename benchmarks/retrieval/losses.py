"""UR3WG's losses (Equations 13 to 15) against the loss of each cited paper: the lexicon trained for a few steps with
each, on the training queries, and measured on some queries of `dev` against their cited papers and others."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from texgeist_retrieval.evaluation.collection import CollectionFiles
from texgeist_retrieval.evaluation.systems import Bench
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.ports import Embedder
from texgeist_retrieval.ranking.lexicon import Lexicon, keep_largest
from texgeist_retrieval.training.lexicon import LexiconOptions, train_lexicon
from texgeist_retrieval.training.losses import LOSSES
from texgeist_retrieval.types import Matrix

QUERIES, OTHERS, STEPS = 60, 2500, 60


def measure(folder: Path, bench: Bench, steps: int = STEPS) -> Iterator[dict[str, object]]:
    """Recall at 20 and 100 in percent, of `dense` and for each loss."""
    topics = bench.collection.topics[:QUERIES]
    others = np.random.default_rng(0).choice(len(bench.vectors), OTHERS, replace=False)
    rows = sorted({row for topic in topics for row in topic.cited} | set(others.tolist()))
    cited = [np.flatnonzero(np.isin(rows, topic.cited)) for topic in topics]
    yield {"loss": "none (dense)", **_recall(bench.queries[:QUERIES] @ bench.vectors[rows].T, cited)}
    training_set = _training_set(folder)
    for loss in LOSSES:
        with tempfile.TemporaryDirectory() as out:
            options = LexiconOptions(steps=steps, loss=loss, every=steps)
            lexicon = train_lexicon(training_set, Path(out), options, Silent())
        yield {"loss": loss, **_recall(_scores(lexicon, bench, rows), cited)}


def _training_set(folder: Path) -> Bench:
    names = ("corpus.jsonl.gz", "queries.jsonl.gz", "corpus-mpnet.npy", "queries-mpnet.npy")
    return Bench.load(CollectionFiles(*(folder / f"train-{name}" for name in names)), _no_model, Silent())


def _no_model() -> Embedder:
    raise AssertionError("all vectors are in files")


def _scores(lexicon: Lexicon, bench: Bench, rows: list[int]) -> Matrix:
    shares = lexicon.distributions()
    texts = [topic.text for topic in bench.collection.topics[:QUERIES]]
    asked = np.stack([keep_largest(lexicon.importance(text, shares), lexicon.group) for text in texts])
    words = [asked @ lexicon.importance(bench.collection.documents[row].text, shares) for row in rows]
    dense = lexicon.compressed(bench.queries[:QUERIES]) @ lexicon.compressed(bench.vectors[rows]).T
    return np.asarray(dense + lexicon.weight * np.stack(words).T)


def _recall(scores: Matrix, cited: list[np.ndarray]) -> dict[str, float]:
    best = np.argsort(-scores, axis=1)
    return {
        f"recall@{top}": round(
            100
            * float(
                np.mean([np.isin(row[:top], c).sum() / len(c) for row, c in zip(best, cited, strict=True)])
            ),
            1,
        )
        for top in (20, 100)
    }
