"""What registries answered, kept for the user, so that a second run asks nothing.

A retraction comes years after the paper, so what is found is believed for a week alone; that nothing was found,
for a day. What is old serves where nobody can be asked.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from ..cache_file import opened
from ..codec import from_plain, to_plain
from .registered import Registered

FRESH_S = 7 * 24 * 3600.0
UNKNOWN_S = 24 * 3600.0
_TABLE = "answers (asked TEXT PRIMARY KEY, answer TEXT, at REAL)"
_GET = "SELECT asked, answer, at FROM answers WHERE asked IN (SELECT value FROM json_each(?))"


class RegisteredStore:
    """Answers by what was asked. One file, several processes: every call opens, works and closes."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def get(self, asked: Sequence[str], *, whatever_age: bool = False) -> dict[str, list[Registered]]:
        """What is fresh, an empty list for what is known not to be there; a damaged file holds nothing."""
        try:
            with opened(self._path, _TABLE) as db:
                rows = db.execute(_GET, (json.dumps(list(asked)),)).fetchall()
        except sqlite3.Error:
            return {}
        now = time.time()
        found: dict[str, list[Registered]] = {}
        for name, answer, at in rows:
            with contextlib.suppress(ValueError, TypeError, KeyError, AttributeError):
                works = [from_plain(Registered, one) for one in json.loads(answer)]
                if whatever_age or now - at < (FRESH_S if works else UNKNOWN_S):
                    found[name] = works
        return found

    def put(self, answers: Mapping[str, Iterable[Registered]]) -> None:
        """Keeps them; a cache that cannot be written is no failure."""
        now = time.time()
        rows = [(name, json.dumps([to_plain(one) for one in works]), now) for name, works in answers.items()]
        with contextlib.suppress(sqlite3.Error), opened(self._path, _TABLE) as db:
            db.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
