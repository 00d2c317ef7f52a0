"""Reads the files of `texgeist train`, trains the requested part, and reports the results."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ..errors import RetrievalError
from ..evaluation.collection import (
    document_vectors,
    load_collection,
    load_documents,
    query_vectors,
    title_vectors,
)
from ..ports import Embedder, Monitor
from .query_adapter import AdapterOptions
from .run import TrainingSet, TrainOptions, train, with_others

PARTS = ("ranking", "lexicon")


def run(
    queries: Path,
    corpus: Path,
    vectors: Path | None,
    asked_vectors: Path | None,
    others: Path | None,
    other_vectors: Path | None,
    out: Path,
    part: str,
    titled: bool,
    loss: str,
    numbers: Mapping[str, int],
    embedder: Callable[[], Embedder],
    monitor: Monitor,
) -> list[str]:
    """Trains `part` and returns the lines of the report. Raises `RetrievalError` for invalid files or an
    unknown part."""
    if part not in PARTS:
        raise RetrievalError(f"There is no part {part} to train.", f"Known are {', '.join(PARTS)}.")
    start = time.monotonic()
    collection = load_collection(corpus, queries)
    papers = document_vectors(collection, vectors, embedder, monitor)
    asked = query_vectors(collection, asked_vectors, collection.lines, embedder, monitor)
    titles = title_vectors(collection, embedder, monitor) if titled and part == "ranking" else None
    training_set = TrainingSet(collection, papers, asked, 0, titles)
    if others is not None:
        extra = load_documents(others)
        more = document_vectors(type(collection)(extra, (), 0), other_vectors, embedder, monitor)
        training_set = with_others(training_set, extra, more)
    if part == "ranking":
        adapter = AdapterOptions(
            facets=numbers["facets"], epochs=numbers["epochs"], seed=numbers["seed"], loss=loss
        )
        train(training_set, out, TrainOptions(adapter=adapter, folds=numbers["folds"]), monitor)
    elif part == "lexicon":
        from .lexicon import LexiconOptions, train_lexicon

        train_lexicon(training_set, out, LexiconOptions(seed=numbers["seed"], loss=loss), monitor)
    return _report(out, collection.lines, len(training_set.papers), time.monotonic() - start)


def _report(out: Path, queries: int, papers: int, seconds: float) -> list[str]:
    made = sorted(path for path in out.iterdir() if path.suffix in (".npz", ".json"))
    sizes = ", ".join(f"{path.name} {path.stat().st_size / 1e6:.1f} MB" for path in made)
    return [
        f"Trained on {queries} queries and {papers} papers in {seconds / 60:.1f} minutes.",
        f"In {out}: {sizes}.",
        f"Measure them on other data with `texgeist eval retrieval --weights {out} …`.",
    ]
