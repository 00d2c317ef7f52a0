"""The full papers of an index: embeds their passages while other programs search, and provides passages to
the reading step of the pipeline."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..ports import Embedder, Monitor
from ..text.words import query_words
from ..types import Passage, Vector
from .full_texts import SECTIONS
from .passage_vectors import PassageVectors, make_vectors
from .snapshot import Snapshot, stamp_of

BATCH = 16  # passages embedded at once; the most that an interruption loses
UNREAD = 3  # passages of a paper that a search embeds if none is embedded yet


@dataclass(frozen=True)
class IndexedPapers:
    """Implements `FullPapers` with a snapshot. `vectors`: made by the embedding model of the search."""

    snapshot: Snapshot
    vectors: PassageVectors

    def passages(self, ids: Sequence[str], text: str, embedder: Embedder) -> dict[str, tuple[Passage, ...]]:
        """See `FullPapers`. If no passage of a paper is embedded yet, the `UNREAD` passages that share most
        words with the text are embedded, for this and all later searches."""
        words = self.snapshot.by_passage.score(query_words(text))
        known = [id_ for id_ in ids if id_ in self.snapshot.rows_by_id]
        rows = {id_: self._rows(self.snapshot.rows_by_id[id_], words) for id_ in known}
        if missing := self.vectors.missing([row for some in rows.values() for row in some]):
            texts = [self.snapshot.texts[row] for row in missing]
            self.vectors.put(missing, embedder.embed_documents(texts))
        return {id_: tuple(map(self._passage, some)) for id_, some in rows.items() if some}

    def _rows(self, paper: int, words: Vector) -> list[int]:
        """The rows of the paper's embedded passages; if there are none, of the `UNREAD` passages with the
        highest scores in `words`. The abstract is left out, because it is evidence already."""
        abstract = SECTIONS.index("abstract")
        rows = [row for row in range(*self.snapshot.rows_of(paper)) if self.snapshot.section[row] != abstract]
        embedded = [row for row in rows if self.vectors.done[row]]
        return embedded or sorted(rows, key=lambda row: -words[row])[:UNREAD]

    def _passage(self, row: int) -> Passage:
        return replace(self.snapshot.passage(row), vector=np.array(self.vectors.rows[row]))


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
