"""Updates the passages of an index from full texts, paper by paper.

Order of the steps: remove the record of the paper, remove its old passages, write the new ones, record the
paper. After an interruption, the next run writes this paper again. If table and index disagree on the number
of passages, for example because a file was lost, the table is corrected."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ..errors import IndexMissing
from ..fulltext.chunks import CHUNKING, chunks_of
from ..ports import Monitor
from ..types import Passage, TextSection
from .hashes import TextTable

if TYPE_CHECKING:
    from .passages import PassageIndex

BATCH = 256  # passages written at once; the most that an interruption loses

FullText = tuple[str, tuple[TextSection, ...]]  # paper id and sections


@dataclass
class FullTextSummary:
    """Numbers of papers with new and with unchanged full text, and of the passages that were written."""

    new: int = 0
    unchanged: int = 0
    passages: int = 0


class PassageUpdater:
    """Writes and removes the passages of papers. `opening` opens the collection of passages; called with
    True, it makes a missing collection, with False, it raises `IndexMissing`."""

    def __init__(
        self,
        opening: Callable[[bool], PassageIndex],
        table: TextTable,
        monitor: Monitor,
    ) -> None:
        self._opening = opening
        self._table = table
        self._monitor = monitor
        self._known = self._held()
        self.taken = FullTextSummary()
        self.changed = False

    @cached_property
    def _index(self) -> PassageIndex:
        return self._opening(True)

    def _held(self) -> dict[str, bytes]:
        """The digests of the recorded texts, by paper id. Records of texts whose passages are not complete in
        the index are removed."""
        recorded = self._table.recorded()
        try:
            index = self._opening(False) if recorded else None
        except IndexMissing:
            index = None
        counted = index.count() if index else 0
        if counted != sum(passages for _, passages in recorded.values()):
            self._monitor.report("Comparing the passages with what was recorded of them")
            there = index.count_by_paper() if index else {}
            lost = [id_ for id_, (_, passages) in recorded.items() if there.get(id_, 0) != passages]
            self._table.forget(lost)
            recorded = {id_: row for id_, row in recorded.items() if id_ not in set(lost)}
        return {id_: digest for id_, (digest, _) in recorded.items()}

    def take(self, texts: Sequence[FullText]) -> None:
        changed: list[tuple[FullText, bytes]] = []
        for text in texts:
            digest = digest_of_text(text[1])
            if self._known.get(text[0]) == digest:
                self.taken.unchanged += 1
            else:
                changed.append((text, digest))
        for batch in _batches(changed):
            self._monitor.check()
            self._put(batch)

    def _put(self, batch: Sequence[tuple[str, bytes, list[Passage]]]) -> None:
        ids = [id_ for id_, _, _ in batch]
        self._table.forget([id_ for id_ in ids if id_ in self._known])
        if self._index.count():
            self._index.remove(ids)
        passages = [passage for _, _, some in batch for passage in some]
        self._index.put(passages)
        self._table.record((id_, digest, len(some)) for id_, digest, some in batch)
        self._known |= {id_: digest for id_, digest, _ in batch}
        self.taken.new += len(batch)
        self.taken.passages += len(passages)
        self.changed = True

    def rewritten(self, ids: Sequence[str]) -> None:
        """Records that title, authors or year of these papers may have changed, so that the snapshot is
        rebuilt."""
        if any(id_ in self._known for id_ in ids):
            self._table.touch()
            self.changed = True

    def remove(self, ids: Sequence[str]) -> None:
        """Removes the passages of papers that leave the index."""
        try:
            index = self._index if self._known else self._opening(False)
        except IndexMissing:
            return
        recorded, before = [id_ for id_ in ids if id_ in self._known], index.count()
        if recorded:
            self._table.forget(recorded)
        index.remove(list(ids))
        for id_ in recorded:
            del self._known[id_]
        self.changed = self.changed or bool(recorded) or index.count() != before


def _batches(
    texts: Sequence[tuple[FullText, bytes]],
) -> Iterator[list[tuple[str, bytes, list[Passage]]]]:
    batch: list[tuple[str, bytes, list[Passage]]] = []
    for (id_, sections), digest in texts:
        batch.append((id_, digest, chunks_of(id_, sections)))
        if sum(len(some) for _, _, some in batch) >= BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def digest_of_text(sections: Sequence[TextSection]) -> bytes:
    """The digest of a full text. It also changes with the chunking rules (`CHUNKING`)."""
    said = [[s.heading, [[b.text, b.page, b.whole] for b in s.blocks]] for s in sections]
    return hashlib.sha256(json.dumps([CHUNKING, said], ensure_ascii=False).encode()).digest()
