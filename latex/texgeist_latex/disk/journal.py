"""What a crash cut short while several files took their places, finished afterwards.

The journal lies beside the root document from before the first file is replaced until after the last. It
is a file of the project, so a stranger may have written it: nothing is touched by it but files that the
project may have written, by temporary files of texgeist's own that lie beside them, and through no link.
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
    """One file that is to be replaced: `target` is its real path, `temporary` the name beside it."""

    target: Path
    temporary: str
    old: bytes | None  # None for a file that was not there
    new: bytes


@dataclass(frozen=True, slots=True)
class _Noted:
    """A step as the journal keeps it: contents by their SHA-256."""

    target: Path
    temporary: str
    old: str  # "" for a file that was not there
    new: str


def journal_of(root: Path) -> Path:
    """One for each root document; its name is short whatever the document's is."""
    return Path(real(root.parent)) / f"{JOURNAL}{_hash(root.name.encode(errors='replace'))[:16]}"


def journal_text(home: Path, steps: Sequence[Replacement]) -> bytes:
    """`home` is the journal's folder: the project may be moved before it is opened again."""
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
    """Finishes what a crash left half-done, if no file was changed by anybody since; else lets go of it.
    `record` is the one file beside TeX and BibTeX that may be meant, a real path. Says whether any file was
    replaced."""
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
    """Returns no steps if one of them was not written by texgeist, or leads to a file that it may not write."""
    try:
        lines = json.loads(home.read(name, _LONGEST))
        if len(lines) > _MOST:
            return []
        return [_noted(home.path / line["target"], line, gate, record) for line in lines]
    except (OSError, ValueError, TypeError, KeyError, RecursionError, OutOfBounds):
        return []


def _noted(target: Path, line: dict[str, object], gate: Gate, record: Path) -> _Noted:
    """Raises ValueError, KeyError, OutOfBounds."""
    temporary, old, new = (str(line[field]) for field in ("temporary", "old", "new"))
    meant = Path(real(record)) if target == record else gate.check(target)
    if meant != target or not TEMPORARY.fullmatch(temporary):
        raise ValueError(line)
    return _Noted(target, temporary, old, new)


def _now(folder: Folder, name: str) -> str:
    return _hash(folder.content(name))


def _hash(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
