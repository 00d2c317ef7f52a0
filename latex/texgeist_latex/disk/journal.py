"""What a crash cut short while several files took their places, finished afterwards.

The journal lies beside the root document from before the first file is replaced until after the last. It
is a file of the project, so a stranger may have written it: nothing is touched by it but files below the
root's folder, by temporary files that lie beside them.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

_KINDS = (".tex", ".bib", ".json")
_LONGEST = 100_000  # bytes


@dataclass(frozen=True, slots=True)
class _Step:
    temporary: Path
    target: Path
    old: str  # sha256, "" for a file that was not there
    new: str


def journal_of(root: Path) -> Path:
    return root.with_name(f".{root.name}.texgeist-journal")


def write_journal(journal: Path, steps: Sequence[tuple[Path, Path, bytes | None, bytes]]) -> None:
    """`steps` are temporary file, target, and what the target held and is to hold. On the disk on return."""
    lines = [
        {
            "temporary": temporary.name,
            "target": os.path.relpath(target, Path(os.path.realpath(journal.parent))),
            "old": "" if old is None else sha256(old).hexdigest(),
            "new": sha256(new).hexdigest(),
        }
        for temporary, target, old, new in steps
    ]
    handle, name = tempfile.mkstemp(prefix=journal.name, dir=journal.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(lines, stream)
            stream.flush()
            os.fsync(stream.fileno())
        Path(name).replace(journal)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def recover(root: Path) -> bool:
    """Finishes what a crash left half-done, if no file was changed by anybody since; else lets go of it.
    Says whether any file was replaced."""
    journal = journal_of(root)
    if not journal.is_file():
        return False
    steps = _read(journal)
    waiting = [step for step in steps if _hash(step.target) != step.new]
    whole = all(_hash(each.target) == each.old and _hash(each.temporary) == each.new for each in waiting)
    if whole:
        for step in waiting:
            step.temporary.replace(step.target)
    for path in [*(step.temporary for step in steps), journal]:
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
    return whole and bool(waiting)


def _read(journal: Path) -> list[_Step]:
    """Empty where one of the steps would lead out of the folder, or is none of texgeist's."""
    try:
        lines = json.loads(journal.read_bytes()[:_LONGEST])
        steps = [_step(journal.parent, line) for line in lines]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    return [step for step in steps if step] if all(steps) else []


def _step(folder: Path, line: dict[str, str]) -> _Step | None:
    home = os.path.realpath(folder)
    target = Path(os.path.realpath(os.path.join(home, line["target"])))  # noqa: PTH118
    name = line["temporary"]
    own = name.startswith(f".{target.name}.") and name.endswith(".texgeist") and Path(name).name == name
    if not own or target.suffix.lower() not in _KINDS or not target.is_relative_to(home):
        return None
    temporary = target.with_name(name)
    return None if temporary.is_symlink() else _Step(temporary, target, line["old"], line["new"])


def _hash(path: Path) -> str:
    try:
        return sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
