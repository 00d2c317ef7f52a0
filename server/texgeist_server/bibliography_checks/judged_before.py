"""What a judge said of a sentence and its passages, kept by their hash: a save asks, and pays, for what is new."""

from __future__ import annotations

import contextlib
import hashlib
import json
import sqlite3
from pathlib import Path

from texgeist_retrieval.cache_file import opened
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.pipeline.support import Support

_TABLE = "judged (name TEXT PRIMARY KEY, said TEXT)"


class JudgedBefore:
    """One file, several processes: every call opens, works and closes. A cache that cannot be used holds
    nothing."""

    def __init__(self, path: Path, judge: str) -> None:
        self._path = path
        self._judge = judge

    def get(self, claim: str, text: str) -> Support | None:
        with contextlib.suppress(sqlite3.Error, ValueError, TypeError), opened(self._path, _TABLE) as db:
            row = db.execute("SELECT said FROM judged WHERE name = ?", (self._name(claim, text),)).fetchone()
            return from_plain(Support, json.loads(row[0])) if row else None
        return None

    def put(self, claim: str, text: str, said: Support) -> None:
        row = (self._name(claim, text), json.dumps(to_plain(said)))
        with contextlib.suppress(sqlite3.Error), opened(self._path, _TABLE) as db:
            db.execute("INSERT OR REPLACE INTO judged VALUES (?, ?)", row)

    def _name(self, claim: str, text: str) -> str:
        return hashlib.sha256(json.dumps([self._judge, claim, text]).encode()).hexdigest()
