"""Embeds the passages of a snapshot while other programs search the snapshot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np

from ..ports import Embedder, Monitor
from .passage_vectors import PassageVectors, make_vectors
from .snapshot import Snapshot, stamp_of

BATCH = 16  # passages embedded at once; the most that an interruption loses


def make_empty(snapshot: Snapshot, folder: Path, embedder: Embedder) -> PassageVectors:
    """Makes empty files in `folder` for the vectors of the snapshot's passages."""
    sizes = len(snapshot.paper), len(snapshot.papers)
    return make_vectors(folder, embedder.name, embedder.dimension, *sizes)


def embed_all(current: Callable[[], Snapshot], folder: Path, embedder: Embedder, monitor: Monitor) -> int:
    """Embeds all passages of the snapshot in `folder`. `current` returns this snapshot; if it is rebuilt
    meanwhile, embedding starts again with the new snapshot. Returns the number of passages embedded. Raises
    `Cancelled`; finished batches are kept."""
    embedded = 0
    while True:
        snapshot = current()
        total = len(snapshot.paper)
        vectors = snapshot.vectors_by(embedder.name) or make_empty(snapshot, folder, embedder)
        while rows := next_rows(snapshot, vectors, BATCH):
            monitor.report("Embedding passages", int(vectors.done.sum()), total)
            monitor.check()
            vectors.put(rows, embedder.embed_documents([snapshot.texts[row] for row in rows]))
            embedded += len(rows)
            if stamp_of(folder) != snapshot.stamp:
                break
        else:
            return embedded


def next_rows(snapshot: Snapshot, vectors: PassageVectors, count: int) -> list[int]:
    """The rows of at most `count` passages to embed next. Passages of the papers that most searches returned
    come first; then the first passage of each paper, the second of each, and so on."""
    left = np.flatnonzero(~vectors.done)
    wanted = vectors.wanted[snapshot.paper[left]].astype(np.int64)
    order = np.lexsort((snapshot.place[left], -wanted))
    return [int(row) for row in left[order[:count]]]
