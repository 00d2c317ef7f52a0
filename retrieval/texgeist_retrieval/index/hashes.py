"""The hash table of an index: an SQLite file beside the index, with the version of each record that is in the index
(Citegeist, section 3.2, "Update"). A row is recorded after the record was written to the index; after an
interruption in between, the next run writes it again."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import Cancelled, IndexUnavailable
from ..monitor import Announcing, announced
from ..paths import expanded, private_file, waiting_lock
from ..ports import Monitor
from ..text.words import number_of
from ..types import Paper, Vector
from .paper_rows import to_json

ABSTRACTS_ASKED = "abstracts asked"
_TABLES = """
CREATE TABLE IF NOT EXISTS papers (
    id TEXT PRIMARY KEY, record BLOB NOT NULL, text BLOB NOT NULL) WITHOUT ROWID;
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


FULL_TEXTS, SNAPSHOT, TOPICS = ".full-texts.sqlite", ".snapshot", ".topics.npz"


def beside(table: Path, ending: str) -> Path:
    """The path of another file or folder of the index with this hash table: its full texts, snapshot or topics."""
    return table.with_name(table.name.removesuffix(".sqlite").removesuffix(".hashes") + ending)


def opened(path: Path) -> sqlite3.Connection:
    """Opens a table to read it; it may be another program's file, or damaged. Raises `sqlite3.Error`."""
    if not path.is_file():  # opening a pipe would block
        raise sqlite3.OperationalError(f"{path} is no file")
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)


def recorded_papers(table: Path) -> int:
    """The number of papers recorded in the table; 0 without a table."""
    try:
        with closing(opened(table)) as base:
            return int(base.execute("SELECT count(*) FROM papers").fetchone()[0])
    except sqlite3.Error:
        return 0


def recorded_runs(table: Path) -> dict[str, str]:
    """The sources that were read before, each with its `until` (see `HashTable.record_run`)."""
    try:
        with closing(opened(table)) as base:
            return dict(base.execute("SELECT source, until FROM runs ORDER BY source"))
    except sqlite3.Error:
        return {}


def recorded_hashes(table: Path, ids: Collection[str]) -> dict[str, bytes]:
    """The record hashes of these papers, by id; papers that are not recorded are absent."""
    try:
        with closing(opened(table)) as base:
            return {id_: record for id_, (record, _) in _hashes(base, ids).items()}
    except sqlite3.Error:
        return {}


def _hashes(base: sqlite3.Connection, ids: Collection[str]) -> Mapping[str, tuple[bytes, bytes]]:
    question = "SELECT id, record, text FROM papers WHERE id IN (SELECT value FROM json_each(?))"
    return {id_: (record, text) for id_, record, text in base.execute(question, (json.dumps(list(ids)),))}


def digest_of(text: object) -> bytes:
    """Converts a digest that an index stores as text; b"" if it is invalid, so that the record counts as
    changed."""
    if not isinstance(text, str) or not re.fullmatch("[0-9a-f]{64}", text):
        return b""
    return bytes.fromhex(text)


class Table:
    """Only one process at a time may write to it (see `updating`); others may read meanwhile."""

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


class HashTable(Table):
    """For each paper its id, `record` (SHA-256 of the serialised record) and `text` (SHA-256 of the embedded text)."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, _TABLES)

    def known(self, ids: Collection[str]) -> Mapping[str, tuple[bytes, bytes]]:
        """(record hash, text hash) by id, for the papers of `ids` in the index."""
        return _hashes(self._base, ids)

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

    def record_run(self, source: str, until: str) -> None:
        """`until`: the date up to which the source was read; for a `.bib`, `ABSTRACTS_ASKED` if the registries
        were asked for its abstracts; "" otherwise."""
        with self._transaction():
            self._base.execute("INSERT OR REPLACE INTO runs VALUES (?,?)", (source, until))


@contextmanager
def updating(table: Path, monitor: Monitor) -> Iterator[Monitor]:
    """Locks an index for writing, because two parallel updates would both embed the new papers. Yields a monitor
    whose progress other processes show while they wait."""
    table.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock, progress = (table.with_name(f"{table.name}.{end}") for end in ("lock", "progress"))

    def waiting() -> str:
        other = announced(progress)
        return "Waiting for another texgeist, which is changing this index" + (f" ({other})" if other else "")

    with waiting_lock(lock, monitor, waiting):
        private_file(progress)
        try:
            yield Announcing(monitor, progress)
        finally:
            with suppress(OSError):  # on Windows, while another process reads it
                progress.unlink()


def broken_off(stopped: Cancelled | IndexUnavailable, *done: tuple[str, int]) -> Cancelled | IndexUnavailable:
    """Adds a sentence on the finished work to `stopped`. `done`: pairs (what was done, number of papers)."""
    parts = [f"{number_of(count, 'paper')} {what}" for what, count in done if count]
    if not parts:
        return stopped
    until = f"Until then: {', '.join(parts)}."
    if isinstance(stopped, IndexUnavailable):
        return IndexUnavailable(
            f"{stopped} {until}", "Run the command again later; it continues where it stopped."
        )
    return Cancelled(f"Cancelled. {until}", "Run the command again; it continues where it stopped.")
