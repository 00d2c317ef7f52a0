"""The tables of an index in SQLite, beside the index. They record which version of each record (Citegeist, section
3.2, "Update") and of each full text is in the index. A row is recorded after it was written to the index; after an
interruption in between, the next run adopts or writes it again."""

from __future__ import annotations

import hashlib
import json
import re
import secrets
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..paths import expanded, private_file
from ..types import Paper, Vector
from .paper_rows import to_json

PAPERS = """
CREATE TABLE IF NOT EXISTS papers (
    id TEXT PRIMARY KEY, record BLOB NOT NULL, text BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (source TEXT PRIMARY KEY, until TEXT NOT NULL);
DROP TABLE IF EXISTS pending;
"""
TEXTS = """
CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, digest BLOB NOT NULL, passages INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
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


def text_table_of(table: Path) -> Path:
    """The path of the `TextTable`, beside the hash table of the index."""
    return table.with_name(table.name.removesuffix(".sqlite") + ".texts.sqlite")


def recorded_papers(table: Path) -> int:
    """The number of papers recorded in the table; 0 without a table."""
    row = _first_row(table, "SELECT count(*) FROM papers")
    return int(row[0]) if row else 0


def recorded_texts(table: Path) -> tuple[int, str]:
    """The number of papers with full text, and a stamp that changes with every change; (0, "") without a table."""
    row = _first_row(table, "SELECT count(*), (SELECT value FROM state WHERE name = 'stamp') FROM texts")
    return (int(row[0]), str(row[1] or "")) if row else (0, "")


def _first_row(table: Path, question: str) -> tuple[Any, ...] | None:
    if not table.is_file():
        return None
    try:
        with closing(sqlite3.connect(f"{table.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as base:
            row: tuple[Any, ...] | None = base.execute(question).fetchone()
            return row
    except sqlite3.Error:  # another program's file, or damaged
        return None


def digest_of(text: object) -> bytes:
    """Converts a digest that an index stores as text; b"" if it is invalid, so that the record counts as
    changed."""
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        return b""
    return bytes.fromhex(text)


class _Table:
    """Only one process at a time may write to it (see `storing.updating`); others may read meanwhile."""

    def __init__(self, path: Path, tables: str) -> None:
        private_file(path)
        self._base = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        self._base.executescript(tables)

    def close(self) -> None:
        self._base.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._base.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._base.execute("ROLLBACK")
            raise
        self._base.execute("COMMIT")


class HashTable(_Table):
    """For each paper its id, `record` (SHA-256 of the serialised record) and `text` (SHA-256 of the embedded text)."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, PAPERS)

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


class TextTable(_Table):
    """For each paper with full text its id, the SHA-256 of the text, so that unchanged files are skipped, and the number
    of passages. A text is recorded only when all its passages are in the index; after an interruption, it is
    written again completely."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, TEXTS)

    def recorded(self) -> dict[str, tuple[bytes, int]]:
        """Digest and number of passages, by paper id."""
        rows = self._base.execute("SELECT id, digest, passages FROM texts")
        return {id_: (digest, passages) for id_, digest, passages in rows}

    def record(self, rows: Iterable[tuple[str, bytes, int]]) -> None:
        with self._transaction():
            self._base.executemany("INSERT OR REPLACE INTO texts VALUES (?,?,?)", rows)
            self.touch()

    def forget(self, ids: Iterable[str]) -> None:
        """Removes the records of these papers. Called before their passages are removed, so that after an
        interruption the text is written again."""
        with self._transaction():
            self._base.executemany("DELETE FROM texts WHERE id = ?", ((id_,) for id_ in ids))
            self.touch()

    def touch(self) -> None:
        """Changes the stamp, for example because the metadata of a recorded paper has changed."""
        self._base.execute("INSERT OR REPLACE INTO state VALUES ('stamp', ?)", (secrets.token_hex(8),))
