"""Caches of fetched data: metadata in SQLite, and files up to a size limit."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from ..cache_file import Cache
from ..paths import private_folder
from ..types import Paper

FRESH_S = 30 * 24 * 3600.0  # seconds; then a paper may have a new version
UNKNOWN_S = 24 * 3600.0  # how long an id is remembered as unknown
_FIELDS = set(Paper.__dataclass_fields__)


class MetadataStore:
    """Records of papers by id."""

    def __init__(self, path: Path) -> None:
        self._cache = Cache(path)

    def get(self, ids: Sequence[str], *, whatever_age: bool = False) -> dict[str, Paper | None]:
        """The cached entries by id: a paper, or None for an id that is known not to exist. Entries that are
        no longer fresh are left out unless `whatever_age` is True."""
        return {
            id: _paper(kept.value) if kept.value else None
            for id, kept in self._cache.get(ids).items()
            if whatever_age or kept.age_s < (FRESH_S if kept.value else UNKNOWN_S)
        }

    def put(self, papers: Iterable[Paper], unknown: Iterable[str] = ()) -> None:
        self._cache.put({p.id: json.dumps(asdict(p)) for p in papers} | dict.fromkeys(unknown, ""))


def _paper(record: str) -> Paper:
    values = {name: value for name, value in json.loads(record).items() if name in _FIELDS}
    lists = {name: tuple(value) for name, value in values.items() if isinstance(value, list)}
    return Paper(**{**values, **lists})


class FileCache:
    """Files by name with a size limit; the least recently used are removed first."""

    def __init__(self, folder: Path, most_bytes: int) -> None:
        self._folder = folder
        self._most_bytes = most_bytes

    def get(self, name: str) -> bytes | None:
        path = self._folder / name
        try:
            data = path.read_bytes()
            os.utime(path)  # mark as recently used
        except OSError:
            return None
        return data

    def put(self, name: str, data: bytes) -> None:
        """Writes the file atomically, even if another program writes it at the same time. A full disk raises
        no error."""
        with contextlib.suppress(OSError):
            private_folder(self._folder)
            handle, temporary = tempfile.mkstemp(dir=self._folder, suffix=".part")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(temporary).replace(self._folder / name)
            except OSError:
                Path(temporary).unlink(missing_ok=True)
                raise
            self._make_room()

    def _make_room(self) -> None:
        files = [(path, path.stat()) for path in self._folder.iterdir() if path.is_file()]
        size = sum(stat.st_size for _, stat in files)
        for path, stat in sorted(files, key=lambda item: item[1].st_mtime):
            if size <= self._most_bytes:
                return
            path.unlink(missing_ok=True)
            size -= stat.st_size


def file_name(id: str, version: int | None) -> str:
    """A file name for the id on any file system: `hep-th/9901001` version 2 becomes `hep-th_9901001v2`."""
    return id.replace("/", "_") + (f"v{version}" if version else "")
