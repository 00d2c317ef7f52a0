"""Updates an index from a source (Citegeist, arXiv 2503.23229, section 3.2, "Update").

A record with unchanged hash is skipped, a new or changed record is written to the index; a text is embedded
only if it is new or changed. Withdrawn and deleted records are removed. Each batch of embedded texts is written
to the index, then its hashes to the table. After an interruption at any point, the update can be run again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ..errors import Cancelled, IndexRefused, IndexUnavailable, NoSource
from ..ports import Embedder, Monitor
from ..sources.admission import NotAdmitted, admitted, readmitted
from ..sources.records import Record, RecordSource, UnreadableRecord
from ..types import Paper, Vector
from ..types.papers import is_arxiv
from .hashes import Entry, HashTable, broken_off, digest_of, record_hash, text_hash

if TYPE_CHECKING:
    from .full_texts import FullTexts
    from .milvus import MilvusIndex
    from .topics import Topics

BATCH = 512  # records looked up at once
BATCH_LETTERS = 4 << 20  # characters of full texts in a batch
EMBED_BATCH = 64  # texts embedded at once; the most embedding that an interruption loses
MOST_REPORTED = 20
MOST_NAMED = 5  # titles in a sentence
LEAST_TITLE = 3  # words; a shorter title ("Introduction") says too little to replace an abstract

_Hashes = tuple[bytes, bytes]  # of the record and of its text
_Changed = tuple[Paper, bytes, bytes]  # with its hashes


@dataclass
class Summary:
    """The result of an update, as numbers of records."""

    read: int = 0
    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    without_abstract: int = 0  # left out, because the title alone says too little
    without_authors: int = 0  # in the index, but not cited in texts
    by_title: int = 0  # records without an abstract, whose titles were embedded
    embedded: int = 0
    written: int = 0  # rows now in the index
    repaired: int = 0
    unreadable: int = 0
    repeated: int = 0  # records of a paper that came before in the source
    seconds: float = 0.0
    problems: list[str] = field(default_factory=list)  # the first unreadable records
    full_texts: int = 0  # papers whose text was divided into passages
    full_texts_unchanged: int = 0
    passages: int = 0
    notes: list[str] = field(default_factory=list)  # on services without an answer, and texts read in part
    short_titles: list[str] = field(default_factory=list)  # some of those without abstract
    unanswered = False  # True if no service answered a request for abstracts; no field, so not in the JSON


class Updater:
    def __init__(
        self,
        index: MilvusIndex,
        table: HashTable,
        embedder: Callable[[], Embedder],
        monitor: Monitor,
        topics: Topics | None = None,
        full_texts: FullTexts | None = None,
        origin: str = "",
    ) -> None:
        """`full_texts`: None if full texts are not stored. `origin`: replaces
        `Paper.origin` in every paper; "" keeps the records' values."""
        self._index = index
        self._table = table
        self._embedder = cache(embedder)  # loaded when first needed
        self._monitor = monitor
        self._topics = topics
        self._full_texts = full_texts
        self._origin = origin
        self._read = 0  # position in the source after the last batch

    def run(self, source: RecordSource, *, prune: bool = False) -> Summary:
        """Updates the index with all records of `source`. `prune`: afterwards also removes arXiv papers that
        are not in `source`; then raises `NoSource` if `source` has no papers."""
        summary = Summary()
        try:
            self._run(source, summary, prune)
        except (Cancelled, IndexUnavailable) as stopped:
            done = ("put into the index", summary.written), ("taken out of it", summary.removed)
            raise broken_off(stopped, *done) from None
        return summary

    def _run(self, source: RecordSource, summary: Summary, prune: bool) -> None:
        started = time.monotonic()
        summary.repaired = self.reconcile()
        seen: set[str] | None = set() if prune else None
        records = iter(source)
        for batch in _batches(records):
            self._monitor.check()
            self._take(batch, source, summary)
            self._read = source.position
            if seen is not None:
                seen.update(item.paper.id for item in batch if isinstance(item, Record) and not item.gone)
            self._report(source, summary)
        if seen is not None:
            if not seen:  # a missing source must not empty an index
                raise NoSource("The source holds no papers, so none were removed.", "Check the source.")
            self._remove([id_ for id_ in self._table.ids() if is_arxiv(id_) and id_ not in seen], summary)
        summary.seconds = time.monotonic() - started

    def reconcile(self) -> int:
        """Makes the table agree with the index if their numbers of papers differ, for example after a
        restored backup. Returns the number of corrected entries."""
        if self._index.count() == self._table.count():
            return 0
        self._monitor.report("Comparing the index with its hash table")
        held = dict(self._index.hashes())
        lost = [id_ for id_ in self._table.ids() if id_ not in held]
        self._table.forget(lost)
        known: set[str] = set(self._table.ids())
        new = [(id_, digest_of(digest), b"") for id_, digest in held.items() if id_ not in known]
        self._table.record(new)
        return len(lost) + len(new)

    def _take(
        self, batch: Sequence[Record | UnreadableRecord], source: RecordSource, summary: Summary
    ) -> None:
        records: dict[str, Record] = {}
        for item in batch:
            summary.read += 1
            taken = _admitted(item, self._origin)
            if isinstance(taken, UnreadableRecord):
                _left_out([taken], summary)
            else:
                summary.repeated += taken.paper.id in records
                records[taken.paper.id] = taken  # a later record replaces an earlier one
                if taken.note and len(summary.notes) < MOST_REPORTED:
                    summary.notes.append(taken.note)
        known = self._table.known(list(records))
        self._remove([id_ for id_, record in records.items() if record.gone and id_ in known], summary)
        changed = [
            found
            for id_, record in records.items()
            if not record.gone and (found := self._changed(record.paper, known.get(id_), summary))
        ]
        self._embed(changed, known, source, summary)
        self._take_texts([one for one in records.values() if one.sections and not one.gone], summary)

    def _take_texts(self, records: Sequence[Record], summary: Summary) -> None:
        """Stores the full texts of those records whose papers are in the index."""
        if (texts := self._full_texts) is None or not records:
            return
        held = self._table.known([record.paper.id for record in records])
        texts.take([(r.paper.id, r.sections) for r in records if r.paper.id in held])
        summary.full_texts, summary.passages = texts.new, texts.passages
        summary.full_texts_unchanged = texts.unchanged

    def _changed(self, paper: Paper, known: _Hashes | None, summary: Summary) -> _Changed | None:
        if not (text := embedded_text(paper)):
            summary.without_abstract += 1
            if len(summary.short_titles) < MOST_NAMED:
                summary.short_titles.append(paper.title)
            return None
        summary.without_authors += not paper.authors
        summary.by_title += not paper.abstract
        digest = record_hash(paper)
        if known and known[0] == digest:
            summary.unchanged += 1
            return None
        summary.updated += known is not None
        summary.added += known is None
        return paper, digest, text_hash(text)

    def _embed(
        self, changed: list[_Changed], known: Mapping[str, _Hashes], source: RecordSource, summary: Summary
    ) -> None:
        same_text = [p.id for p, _, text in changed if p.id in known and known[p.id][1] == text]
        kept = self._index.get(same_text) if same_text else {}
        ready = [
            Entry(replace(p, topic=p.topic or kept[p.id][0].topic), record, text, kept[p.id][1])
            for p, record, text in changed
            if p.id in kept
        ]
        self._write(ready, summary)
        waiting = [item for item in changed if item[0].id not in kept]
        for start in range(0, len(waiting), EMBED_BATCH):
            read = self._read + (source.position - self._read) * start // len(waiting)
            step = f"Embedding papers, {summary.embedded:,} done"  # the size may be in bytes
            self._monitor.report(step, read, source.size)
            self._monitor.check()
            part = waiting[start : start + EMBED_BATCH]
            vectors = self._embedder().embed_documents([embedded_text(paper) for paper, _, _ in part])
            papers = self._with_topics([paper for paper, _, _ in part], list(vectors))
            entries = [
                Entry(paper, record, text, vector)
                for paper, (_, record, text), vector in zip(papers, part, vectors, strict=True)
            ]
            self._write(entries, summary)
            summary.embedded += len(part)

    def _write(self, entries: Sequence[Entry], summary: Summary) -> None:
        refused = self._store(entries) if entries else []
        out = {entry.paper.id for entry, _ in refused}
        self._table.record((e.paper.id, e.record, e.text) for e in entries if e.paper.id not in out)
        summary.written += len(entries) - len(refused)
        _left_out((UnreadableRecord(_shown(e.paper.id), str(error)) for e, error in refused), summary)

    def _store(self, entries: Sequence[Entry]) -> list[tuple[Entry, IndexRefused]]:
        """Writes entries. Returns the entries that the index refuses with their errors, found by bisection."""
        try:
            self._index.upsert(
                [entry.paper for entry in entries],
                np.stack([entry.vector for entry in entries]),
                [entry.record.hex() for entry in entries],
            )
        except IndexRefused as error:
            if len(entries) == 1:
                return [(entries[0], error)]
            half = len(entries) // 2
            return self._store(entries[:half]) + self._store(entries[half:])
        return []

    def _with_topics(self, papers: list[Paper], vectors: list[Vector]) -> list[Paper]:
        if self._topics is None:
            return papers
        names = self._topics.assign(vectors)
        return [replace(p, topic=p.topic or name) for p, name in zip(papers, names, strict=True)]

    def _remove(self, ids: list[str], summary: Summary) -> None:
        """Removes papers from the index, then from the table: in the other order, an interruption would leave
        papers in the index."""
        if ids:
            if self._full_texts is not None:
                self._full_texts.remove(ids)
            self._index.delete(ids)
            self._table.forget(ids)
            summary.removed += len(ids)

    def _report(self, source: RecordSource, summary: Summary) -> None:
        words = f"{summary.read:,} read, {summary.added:,} new, {summary.updated:,} changed"
        if summary.passages:
            words = f"{summary.full_texts:,} full papers, {summary.passages:,} passages"
        self._monitor.report(words, source.position, source.size)


def embedded_text(paper: Paper) -> str:
    """The text that is embedded: the abstract, else the title if it is long enough, else ""."""
    if paper.abstract:
        return paper.abstract
    return paper.title if len(paper.title.split()) >= LEAST_TITLE else ""


def _batches(records: Iterator[Record | UnreadableRecord]) -> Iterator[list[Record | UnreadableRecord]]:
    """Batches of at most BATCH records, smaller for long texts, so that memory use is bounded."""
    batch: list[Record | UnreadableRecord] = []
    letters = 0
    for item in records:
        batch.append(item)
        if isinstance(item, Record):
            letters += sum(len(block.text) for section in item.sections for block in section.blocks)
        if len(batch) >= BATCH or letters >= BATCH_LETTERS:
            yield batch
            batch, letters = [], 0
    if batch:
        yield batch


def _admitted(item: Record | UnreadableRecord, origin: str) -> Record | UnreadableRecord:
    """The record after the checks of `admission`, or the reason why it is refused. All records of a source
    pass this gate."""
    if isinstance(item, UnreadableRecord):
        return item
    try:
        paper = admitted(replace(item.paper, origin=origin or item.paper.origin))
        return replace(item, paper=paper, sections=readmitted(item.sections))
    except NotAdmitted as error:
        return UnreadableRecord(_shown(item.paper.id), str(error))


def _left_out(items: Iterable[UnreadableRecord], summary: Summary) -> None:
    for item in items:
        summary.unreadable += 1
        if len(summary.problems) < MOST_REPORTED:
            summary.problems.append(f"{item.where}: {item.reason}")


def _shown(id_: object) -> str:
    """An id for messages: ASCII, at most 60 characters."""
    text = str(id_).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= 60 else f"{text[:57]}…"
