"""Completes replacements of several files that a crash interrupted.

The journal is beside the root document from before the first file is replaced until after the last. It is a
file of the project, so it may come from another person: only files that the project may write are changed,
only from texgeist's temporary files beside them, and no links are followed.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from ..errors import OutOfBounds
from .folder import JOURNAL, TEMPORARY, Folder, opened
from .gate import Gate
from .paths import real

_LONGEST = 100_000  # bytes
_MOST = 50  # files


@dataclass(frozen=True, slots=True)
class Replacement:
    """A file to replace: `target` is its resolved path, `temporary` the name of the new file beside it."""

    target: Path
    temporary: str
    old: bytes | None  # None if the file did not exist
    new: bytes


@dataclass(frozen=True, slots=True)
class _Noted:
    """A replacement as recorded in the journal, with SHA-256 hashes instead of contents."""

    target: Path
    temporary: str
    old: str  # "" if the file did not exist
    new: str


def journal_of(root: Path) -> Path:
    """The path of a root document's journal. The name contains a hash, so it is short."""
    return Path(real(root.parent)) / f"{JOURNAL}{_hash(root.name.encode(errors='replace'))[:16]}"


def journal_text(home: Path, steps: Sequence[Replacement]) -> bytes:
    """The contents of the journal. `home`: the journal's folder. Paths are relative to this folder, because
    the project may be moved."""
    lines = [
        {
            "target": str(step.target.relative_to(home) if step.target.is_relative_to(home) else step.target),
            "temporary": step.temporary,
            "old": _hash(step.old),
            "new": _hash(step.new),
        }
        for step in steps
    ]
    return json.dumps(lines).encode()


def recover(root: Path, gate: Gate, record: Path) -> bool:
    """Completes interrupted replacements if no file has changed since; else discards them. `record`: the
    resolved path of the provenance record, the only file outside the rules of `gate` that the journal may
    name. Returns whether any file was replaced."""
    journal = journal_of(root)
    if not os.path.lexists(journal):
        return False
    with contextlib.suppress(OSError, ValueError), opened(journal.parent) as home:
        try:
            return _finish(_read(home, journal.name, gate, record))
        finally:
            home.remove(journal.name)
    return False


def _finish(steps: Sequence[_Noted]) -> bool:
    with contextlib.ExitStack() as stack:
        held = [(stack.enter_context(opened(step.target.parent)), step) for step in steps]
        waiting = [(folder, step) for folder, step in held if _now(folder, step.target.name) != step.new]
        whole = all(
            _now(folder, step.target.name) == step.old and _now(folder, step.temporary) == step.new
            for folder, step in waiting
        )
        for folder, step in waiting if whole else ():
            folder.replace(step.temporary, step.target.name)
        for folder, step in held:
            folder.remove(step.temporary)
        return whole and bool(waiting)


def _read(home: Folder, name: str, gate: Gate, record: Path) -> list[_Noted]:
    """The recorded steps; empty if any is invalid or names a file that must not be written."""
    try:
        lines = json.loads(home.read(name, _LONGEST))
        if len(lines) > _MOST:
            return []
        return [_noted(home.path / line["target"], line, gate, record) for line in lines]
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OutOfBounds):
        return []


def _noted(target: Path, line: dict[str, object], gate: Gate, record: Path) -> _Noted:
    """Validates a step. Raises ValueError, KeyError, OutOfBounds."""
    temporary, old, new = (str(line[field]) for field in ("temporary", "old", "new"))
    meant = Path(real(record)) if target == record else gate.check(target)
    if meant != target or not TEMPORARY.fullmatch(temporary):
        raise ValueError(line)
    return _Noted(target, temporary, old, new)


def _now(folder: Folder, name: str) -> str:
    return _hash(folder.content(name))


def _hash(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
