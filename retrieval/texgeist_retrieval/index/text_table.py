"""Which full texts an index holds, beside its hash table (`hashes`): by the paper's id the SHA-256 of the text as it
was cut, so that an unchanged file costs nothing, and how many passages it made.

A text is recorded when all its passages are in the index; one that was interrupted is put in again, whole."""

from __future__ import annotations

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from ..fulltext.chunks import CHUNKING
from ..paths import private_file
from ..types import TextSection

TABLES = """
CREATE TABLE IF NOT EXISTS texts (id TEXT PRIMARY KEY, digest BLOB NOT NULL, passages INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


def text_table_of(table: Path) -> Path:
    """Beside the hash table of the index."""
    return table.with_name(table.name.removesuffix(".sqlite") + ".texts.sqlite")


def digest_of_text(sections: Sequence[TextSection], model: str) -> bytes:
    """Changes with the text, with the rules by which it is cut, and with the model of the vectors."""
    said = [[s.heading, [[b.text, b.page, b.whole] for b in s.blocks]] for s in sections]
    return hashlib.sha256(json.dumps([CHUNKING, model, said], ensure_ascii=False).encode()).digest()


class TextTable:
    def __init__(self, path: Path) -> None:
        private_file(path)
        self._base = sqlite3.connect(path, timeout=30, isolation_level=None)
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.executescript(TABLES)

    def recorded(self) -> dict[str, tuple[bytes, int]]:
        """Digest and number of passages, by paper."""
        rows = self._base.execute("SELECT id, digest, passages FROM texts")
        return {id_: (digest, passages) for id_, digest, passages in rows}

    def counts(self) -> tuple[int, int]:
        """Papers with full text, and their passages."""
        papers, passages = self._base.execute(
            "SELECT count(*), coalesce(sum(passages), 0) FROM texts"
        ).fetchone()
        return int(papers), int(passages)

    def record(self, rows: Iterable[tuple[str, bytes, int]]) -> None:
        self._base.execute("BEGIN IMMEDIATE")
        self._base.executemany("INSERT OR REPLACE INTO texts VALUES (?,?,?)", rows)
        self._stamp()
        self._base.execute("COMMIT")

    def forget(self, ids: Iterable[str]) -> None:
        """Before the passages go: an interruption then leaves a text to be put in again, not one that is believed."""
        self._base.execute("BEGIN IMMEDIATE")
        self._base.executemany("DELETE FROM texts WHERE id = ?", ((id_,) for id_ in ids))
        self._stamp()
        self._base.execute("COMMIT")

    def touch(self) -> None:
        """What is known of a recorded paper beside its text has changed."""
        self._stamp()

    def _stamp(self) -> None:
        self._base.execute("INSERT OR REPLACE INTO state VALUES ('stamp', ?)", (secrets.token_hex(8),))

    def close(self) -> None:
        self._base.close()


def recorded_texts(path: Path) -> tuple[int, int, str]:
    """Papers, passages, and a stamp that changes with every change; nothing where there is no table."""
    if not path.exists():
        return 0, 0, ""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as base:
        try:
            papers, passages = base.execute(
                "SELECT count(*), coalesce(sum(passages), 0) FROM texts"
            ).fetchone()
            row = base.execute("SELECT value FROM state WHERE name = 'stamp'").fetchone()
        except sqlite3.OperationalError:
            return 0, 0, ""
    return int(papers), int(passages), str(row[0]) if row else ""
