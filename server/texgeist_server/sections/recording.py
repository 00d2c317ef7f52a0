"""Keeps document and provenance record consistent: both change, or neither does.

The command line writes document, bibliography and record in a single transaction. An editor writes its
document itself, so the record is written to a temporary file before the edit is sent; if that fails, nothing
is inserted. After the edit, only a rename remains.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.disk.folder import opened
from texgeist_latex.errors import LatexError, Unwritable
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.apply import apply_plan
from texgeist_retrieval.types import Result

from . import provenance
from .provenance_changes import cited_entries, names_now

if TYPE_CHECKING:
    from .provenance_records import Applied

Part = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Staged:
    """A record that waits for its edit to be inserted. `temporary`: the name of the temporary file in the
    folder of `file`."""

    root: Path
    applied: Applied
    file: Path
    before: bytes | None  # the earlier contents of the file
    temporary: str


def write(draft: Draft, plan: EditPlan, result: Result) -> None:
    """Writes the plan and its record to disk, all or nothing. Raises LatexError."""
    provenance.check(draft.root)
    try:
        new = provenance.updated(draft.root, _applied(draft, plan, result))
    except OSError as error:
        raise Unwritable(f"{provenance.lost(draft.root, error)} Nothing was changed.") from error
    apply_plan(plan, draft, (provenance.real_file_of(draft.root), new))
    provenance.mark_for_git(draft.root)


def stage(draft: Draft, plan: EditPlan, result: Result) -> Staged:
    """Writes the record to a temporary file. Raises OutOfBounds, Unreadable, OSError."""
    provenance.check(draft.root)
    file, applied = provenance.real_file_of(draft.root), _applied(draft, plan, result)
    new = provenance.updated(draft.root, applied)
    with opened(file.parent, create=True) as folder:
        before = folder.content(file.name)
        return Staged(draft.root, applied, file, before, folder.stage(file.name, new))


def land(staged: Staged) -> str:
    """Moves the staged record into place after the text was inserted. Returns "", or a sentence for the user
    if the record could not be saved."""
    with contextlib.suppress(OSError), opened(staged.file.parent) as folder:
        if folder.content(staged.file.name) == staged.before:
            folder.replace(staged.temporary, staged.file.name)
            folder.sweep()
            provenance.mark_for_git(staged.root)
            return ""
    discard(staged)
    return provenance.remember(staged.root, staged.applied)  # the record has changed meanwhile


def take_back(staged: Staged) -> None:
    """Removes this edit from the record. Its changes are reverted; records that others added meanwhile are
    kept. If this fails, the record keeps the reasons for text that is gone."""
    from .provenance_model import PARTS, encoded
    from .provenance_records import record

    with contextlib.suppress(OSError, LatexError):
        was = provenance.read_from(staged.before)
        mine = provenance.read_from(encoded(record(was, staged.applied)))
        now = provenance.read_to_write(staged.root)
        parts = {part: _without(*(getattr(data, part) for data in (was, mine, now))) for part in PARTS}
        back = now.model_copy(update=parts)
        with opened(staged.file.parent) as folder:
            if back == was and staged.before is None:
                folder.remove(staged.file.name)
            else:
                folder.put(
                    staged.file.name, staged.before if back == was and staged.before else encoded(back)
                )


def _without(was: Part, mine: Part, now: Part) -> Part:
    """A copy of `now` in which the changes from `was` to `mine` are reverted. Records that were changed again
    later are kept."""
    ours = {
        name for name in {*was, *mine} if was.get(name) != mine.get(name) and now.get(name) == mine.get(name)
    }
    return {name: one for name, one in now.items() if name not in ours} | {
        name: was[name] for name in ours if name in was
    }


def discard(staged: Staged) -> None:
    """Removes the staged record; used if the edit was not inserted."""
    with contextlib.suppress(OSError):
        with opened(staged.file.parent) as folder:
            folder.remove(staged.temporary)
        with opened(staged.file.parent.parent) as above:
            above.remove_folder(staged.file.parent.name)


def _applied(draft: Draft, plan: EditPlan, result: Result) -> Applied:
    from .provenance_records import Applied

    renamed = names_now(provenance.read(draft.root), cited_entries(draft))
    return Applied(result, plan, date.today().isoformat(), renamed)
