"""The hash table of an index. It records which version of each record is in the index (Citegeist, section
3.2, "Update").

    papers   id, record (SHA-256 of the serialised record), text (SHA-256 of the embedded text)
    pending  rows to be written to the index: id, the same hashes, paper, vector

`pending` is a write-ahead log. Vectors are stored there before the index is changed, and removed in the
transaction that records them in `papers`. After an interruption, the next run writes `pending` again, which
is harmless, and no text is embedded twice."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..paths import expanded, private_file
from ..sources.admission import NotAdmitted, admit
from ..types import Paper, Vector
from .paper_rows import to_json

TABLES = """
CREATE TABLE IF NOT EXISTS papers (
    id TEXT PRIMARY KEY, record BLOB NOT NULL, text BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pending (
    id TEXT PRIMARY KEY, record BLOB NOT NULL, text BLOB NOT NULL, paper TEXT NOT NULL, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS runs (source TEXT PRIMARY KEY, until TEXT NOT NULL);
"""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record to be written to the index. Hashes are raw digests."""

    paper: Paper
    record: bytes
    text: bytes
    vector: Vector


def record_hash(paper: Paper) -> bytes:
    """SHA-256 of the paper's canonical JSON. The topic is left out, because texgeist adds it."""
    known = to_json(paper)
    known.pop("topic", None)
    return hashlib.sha256(json.dumps(known, sort_keys=True, ensure_ascii=False).encode()).digest()


def text_hash(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def table_of(location: str, collection: str, data: Path | None = None) -> Path:
    """The path of an index's hash table: beside a local index; for a server, in the folder `data`."""
    if "://" not in location:
        path = expanded(location)
        suffix = "" if collection == "abstracts" else f".{collection}"
        return path.with_name(f"{path.name}{suffix}.hashes.sqlite")
    name = hashlib.sha256(f"{location.rstrip('/')} {collection}".encode()).hexdigest()[:16]
    assert data is not None, "a server's table needs the data folder"
    return data / "hashes" / f"{name}.sqlite"


def recorded_papers(table: Path) -> int:
    """The number of papers recorded in the table; 0 without a table."""
    if not table.is_file():
        return 0
    try:
        with closing(sqlite3.connect(f"{table.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as base:
            return int(base.execute("SELECT count(*) FROM papers").fetchone()[0])
    except sqlite3.Error:  # another program's file, or damaged
        return 0


def digest_of(text: object) -> bytes:
    """Converts a digest that an index stores as text; b"" if it is invalid, so that the record counts as
    changed."""
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        return b""
    return bytes.fromhex(text)


def _paper(text: str) -> Paper:
    try:
        known = json.loads(text)
    except (ValueError, TypeError, RecursionError):
        raise NotAdmitted("what was kept of it cannot be read") from None
    return admit(known if isinstance(known, dict) else {})


def _vector(data: object) -> Vector:
    if not isinstance(data, bytes) or len(data) % 4:
        raise NotAdmitted("its vector was not kept whole")
    vector = np.frombuffer(data, dtype="<f4")
    if not vector.size or not np.isfinite(vector).all():
        raise NotAdmitted("its vector was not kept whole")
    return vector


class HashTable:
    """The hash table. Only one process at a time may write to it (see `updating`); others may read
    meanwhile."""

    def __init__(self, path: Path) -> None:
        private_file(path)
        self._base = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        self._base.executescript(TABLES)

    def known(self, ids: Sequence[str]) -> dict[str, tuple[bytes, bytes]]:
        """Record hash and text hash by id, for those of `ids` that are in the index."""
        found: dict[str, tuple[bytes, bytes]] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            marks = ",".join("?" * len(part))
            rows = self._base.execute(f"SELECT id, record, text FROM papers WHERE id IN ({marks})", part)  # noqa: S608
            found |= {id_: (record, text) for id_, record, text in rows}
        return found

    def count(self) -> int:
        return int(self._base.execute("SELECT count(*) FROM papers").fetchone()[0])

    def ids(self) -> Iterator[str]:
        return (row[0] for row in self._base.execute("SELECT id FROM papers ORDER BY id"))

    def keep_pending(self, entries: Iterable[Entry]) -> None:
        rows = [
            (
                entry.paper.id,
                entry.record,
                entry.text,
                json.dumps(to_json(entry.paper)),
                np.asarray(entry.vector, dtype="<f4").tobytes(),
            )
            for entry in entries
        ]
        with self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO pending VALUES (?,?,?,?,?)", rows)

    def pending(self) -> tuple[list[Entry], dict[str, str]]:
        """The entries that can be written to an index, and for the others, the reason by id. Entries can be
        invalid if another version wrote them, or if the disk was full."""
        entries: list[Entry] = []
        odd: dict[str, str] = {}
        for id_, record, text, paper, vector in self._base.execute(
            "SELECT id, record, text, paper, vector FROM pending"
        ):
            try:
                entries.append(Entry(_paper(paper), record, text, _vector(vector)))
            except NotAdmitted as error:
                odd[id_] = str(error)
        return entries, odd

    def drop_pending(self, ids: Iterable[str]) -> None:
        """Removes entries that cannot be written to the index."""
        with self._transaction():
            self._base.executemany("DELETE FROM pending WHERE id = ?", ((id_,) for id_ in ids))

    def waiting(self) -> int:
        """The number of papers that are embedded, but not yet in the index."""
        return int(self._base.execute("SELECT count(*) FROM pending").fetchone()[0])

    def settle(self) -> None:
        """Moves all pending entries to the table of indexed papers."""
        with self._transaction():
            self._base.execute("INSERT OR REPLACE INTO papers SELECT id, record, text FROM pending")
            self._base.execute("DELETE FROM pending")

    def record(self, rows: Iterable[tuple[str, bytes, bytes]]) -> None:
        """Records rows that are already in the index: id, record hash, text hash."""
        with self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO papers VALUES (?,?,?)", rows)

    def forget(self, ids: Iterable[str]) -> None:
        with self._transaction():
            self._base.executemany("DELETE FROM papers WHERE id = ?", ((id_,) for id_ in ids))

    def last_run(self, source: str) -> str:
        """The recorded date up to which `source` was read; "" if it was never read."""
        row = self._base.execute("SELECT until FROM runs WHERE source = ?", (source,)).fetchone()
        return str(row[0]) if row else ""

    def runs(self) -> list[str]:
        """The sources that were synchronised before."""
        return [source for (source,) in self._base.execute("SELECT source FROM runs ORDER BY source")]

    def record_run(self, source: str, until: str) -> None:
        with self._transaction():
            self._base.execute("INSERT OR REPLACE INTO runs VALUES (?,?)", (source, until))

    def close(self) -> None:
        self._base.close()

    def _transaction(self) -> _Transaction:
        return _Transaction(self._base)


class _Transaction:
    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base

    def __enter__(self) -> None:
        self._base.execute("BEGIN IMMEDIATE")

    def __exit__(self, kind: object, *_: object) -> None:
        self._base.execute("COMMIT" if kind is None else "ROLLBACK")
