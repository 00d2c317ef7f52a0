"""A cache in one SQLite file that several processes of one user share: every use opens it, works and closes it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from .paths import private_file, private_folder


@contextlib.contextmanager
def opened(path: Path, table: str) -> Iterator[sqlite3.Connection]:
    """The file at `path`, with its `table` (a name and columns, as SQL has them); what was done in it holds when
    the block ends well. Raises `sqlite3.Error` whatever is wrong with the file, so that callers can do without."""
    try:
        private_folder(path.parent)
        private_file(path)  # older versions left it to the umask
    except OSError as error:
        raise sqlite3.OperationalError(str(error)) from None
    db = sqlite3.connect(path, timeout=5)
    try:
        db.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        with db:
            yield db
    finally:
        db.close()
