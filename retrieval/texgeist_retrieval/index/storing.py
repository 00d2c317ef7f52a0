"""Writes pending rows to an index, reports the rows that the index refuses, and allows one writer at a
time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import Cancelled, IndexRefused, IndexUnavailable
from ..ports import Monitor
from ..sources.records import UnreadableRecord
from .hashes import Entry, HashTable

if TYPE_CHECKING:
    from .milvus import MilvusIndex

AGAIN_SECONDS = 0.2  # interval for retrying a locked index and for checking cancellation


def recover(index: MilvusIndex, table: HashTable) -> list[UnreadableRecord]:
    """Writes the entries that an interrupted run embedded but did not write. Returns the entries that cannot
    be written; they are removed from the log, because they would block every later run."""
    entries, odd = table.pending()
    table.drop_pending(odd)
    kept = [entry for entry in entries if entry.vector.size == index.dimension]
    other = [entry.paper.id for entry in entries if entry.vector.size != index.dimension]
    table.drop_pending(other)
    set_aside = [UnreadableRecord(shown(id_), reason) for id_, reason in odd.items()]
    set_aside += [UnreadableRecord(shown(id_), "its vector is of another model") for id_ in other]
    return set_aside + write_rows(index, table, kept)


def write_rows(index: MilvusIndex, table: HashTable, entries: Sequence[Entry]) -> list[UnreadableRecord]:
    """Writes entries to the index, then their hashes to the table. All `entries` must be pending in the
    table. Returns the entries that the index refuses; they are no longer pending."""
    if not entries:
        return []
    refused = _store(index, entries)
    table.drop_pending(entry.paper.id for entry, _ in refused)
    table.settle()
    return [UnreadableRecord(shown(entry.paper.id), str(error)) for entry, error in refused]


def _store(index: MilvusIndex, entries: Sequence[Entry]) -> list[tuple[Entry, IndexRefused]]:
    """Stores entries. Returns those that the index refuses, each with the error; they are found by
    bisection."""
    try:
        index.upsert(
            [entry.paper for entry in entries],
            np.stack([entry.vector for entry in entries]),
            [entry.record.hex() for entry in entries],
        )
    except IndexRefused as error:
        if len(entries) == 1:
            return [(entries[0], error)]
        half = len(entries) // 2
        return _store(index, entries[:half]) + _store(index, entries[half:])
    return []


def shown(id_: object) -> str:
    """An id for messages: ASCII, at most 60 characters."""
    text = str(id_).encode("ascii", "backslashreplace").decode()
    return text if len(text) <= 60 else f"{text[:57]}…"


def broken_off(stopped: Cancelled | IndexUnavailable, *done: tuple[str, int]) -> Cancelled | IndexUnavailable:
    """The error `stopped` with a sentence on the work done until then. `done`: pairs (what was done, number
    of papers)."""
    parts = [f"{_papers(count)} {what}" for what, count in done if count]
    if not parts:
        return stopped
    until = f"Until then: {', '.join(parts)}."
    if isinstance(stopped, IndexUnavailable):
        return IndexUnavailable(
            f"{stopped} {until}", "The same command, given again later, goes on from there."
        )
    return Cancelled(f"Cancelled. {until}", "The same command goes on from there.")


def _papers(count: int) -> str:
    return "1 paper" if count == 1 else f"{count:,} papers"


class updating:
    """Locks an index for writing, because two parallel updates would both embed the new papers. Waits while
    another program holds the lock, and reports this; raises `Cancelled` if the user cancels. The lock of a
    crashed program is released."""

    def __init__(self, table: Path, monitor: Monitor) -> None:
        from filelock import FileLock

        table.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._lock = FileLock(f"{table}.lock")
        self._monitor = monitor

    def __enter__(self) -> None:
        from filelock import Timeout

        while True:
            try:
                self._lock.acquire(timeout=AGAIN_SECONDS)
                return
            except Timeout:
                self._monitor.check()
                self._monitor.report("Waiting: another texgeist is writing to this index")

    def __exit__(self, *_: object) -> None:
        self._lock.release()
