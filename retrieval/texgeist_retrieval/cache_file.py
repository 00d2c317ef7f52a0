"""A cache in an SQLite file that several processes of a user share. The file is open only during a call."""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .paths import private_file, private_folder

_GET = "SELECT key, value, at FROM kept WHERE key IN (SELECT value FROM json_each(?))"
_FORGET = "DELETE FROM kept WHERE key IN (SELECT key FROM kept ORDER BY at DESC LIMIT -1 OFFSET ?)"


@dataclass(frozen=True, slots=True)
class CachedValue:
    """`value`: text or bytes, as stored. `age_s`: age in seconds."""

    value: Any
    age_s: float


class Cache:
    """Values by key. Because a cache is optional, an unreadable file counts as empty, and writing to an
    unwritable file does nothing; neither raises an error. Only the newest `most` values are kept."""

    def __init__(self, path: Path, most: int | None = None) -> None:
        self._path = path
        self._most = most

    def get(self, keys: Iterable[str]) -> dict[str, CachedValue]:
        """The cached values by key; keys without a value are absent."""
        try:
            with self._opened() as db:
                rows = db.execute(_GET, (json.dumps(list(keys)),)).fetchall()
        except sqlite3.Error:
            return {}
        now = time.time()
        return {key: CachedValue(value, now - at) for key, value, at in rows}

    def put(self, values: Mapping[str, str | bytes]) -> None:
        now = time.time()
        rows = [(key, value, now) for key, value in values.items()]
        with contextlib.suppress(sqlite3.Error), self._opened() as db:
            db.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?, ?)", rows)
            if self._most is not None:
                db.execute(_FORGET, (self._most,))

    def remove(self, value: str) -> None:
        """Removes all entries with this value."""
        with contextlib.suppress(sqlite3.Error), self._opened() as db:
            db.execute("DELETE FROM kept WHERE value = ?", (value,))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        """Opens the file, which only its owner may read; raises `sqlite3.Error` for any failure."""
        try:
            private_folder(self._path.parent)
            private_file(self._path)  # older versions did not restrict the permissions
        except OSError as error:
            raise sqlite3.OperationalError(str(error)) from None
        db = sqlite3.connect(self._path, timeout=5)
        try:
            db.execute("CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value, at REAL)")
            with db:
                yield db
        finally:
            db.close()
