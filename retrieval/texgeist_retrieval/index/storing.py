"""Writes rows to an index and their hashes to its table, reports the rows that the index refuses, and allows one
writer at a time."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ..errors import Cancelled, IndexRefused, IndexUnavailable
from ..paths import waiting_lock
from ..ports import Monitor
from ..sources.records import UnreadableRecord
from ..text.words import number_of
from .hashes import Entry, HashTable

if TYPE_CHECKING:
    from .milvus import MilvusIndex


def write_rows(index: MilvusIndex, table: HashTable, entries: Sequence[Entry]) -> list[UnreadableRecord]:
    """Writes entries to the index, then their hashes to the table. Returns the entries that the index
    refuses."""
    if not entries:
        return []
    refused = _store(index, entries)
    out = {entry.paper.id for entry, _ in refused}
    table.record((e.paper.id, e.record, e.text) for e in entries if e.paper.id not in out)
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
    parts = [f"{number_of(count, 'paper')} {what}" for what, count in done if count]
    if not parts:
        return stopped
    until = f"Until then: {', '.join(parts)}."
    if isinstance(stopped, IndexUnavailable):
        return IndexUnavailable(
            f"{stopped} {until}", "The same command, given again later, goes on from there."
        )
    return Cancelled(f"Cancelled. {until}", "The same command goes on from there.")


def updating(table: Path, monitor: Monitor) -> AbstractContextManager[None]:
    """Locks an index for writing, because two parallel updates would both embed the new papers."""
    table.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = table.with_name(f"{table.name}.lock")
    return waiting_lock(lock, monitor, "Waiting: another texgeist is writing to this index")
