"""The vectors that an evaluation needs: given in files, or embedded here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..monitor import Silent
from ..ports import Embedder, Monitor
from ..types import Matrix
from .collection import Collection, load_vectors, unit

_BATCH = 64

Opener = Callable[[], Embedder]


def document_vectors(
    collection: Collection, given: Path | None, embedder: Opener, monitor: Monitor | None = None
) -> Matrix:
    """Unit rows of the abstracts; `embedder` is opened only when no file is given."""
    if given is not None:
        return load_vectors(given, len(collection.documents))
    return _embed(
        [d.abstract or d.title for d in collection.documents], embedder(), "papers", monitor or Silent()
    )


def query_vectors(
    collection: Collection, given: Path | None, lines: int, embedder: Opener, monitor: Monitor | None = None
) -> Matrix:
    """Unit rows of the queries' abstracts. The file has one row for each of the `lines` of the query file;
    those of queries that cite nothing of the corpus are skipped."""
    if given is not None:
        return load_vectors(given, lines)[[topic.line for topic in collection.topics]]
    return _embed([topic.abstract for topic in collection.topics], embedder(), "queries", monitor or Silent())


def title_vectors(collection: Collection, embedder: Opener, monitor: Monitor | None = None) -> Matrix:
    """Rows of the queries' titles, of length 1, or 0 for a query without a title."""
    titles = [topic.title for topic in collection.topics]
    rows = _embed(titles, embedder(), "titles", monitor or Silent())
    return rows * np.array([[bool(title.strip())] for title in titles], dtype=np.float32)


def _embed(texts: Sequence[str], embedder: Embedder, what: str, monitor: Monitor) -> Matrix:
    parts = []
    for start in range(0, len(texts), _BATCH):
        monitor.check()
        monitor.report(f"Embedding {what}", start, len(texts))
        parts.append(embedder.embed_documents(texts[start : start + _BATCH]))
    return unit(np.vstack(parts))
