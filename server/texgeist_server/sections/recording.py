"""The record of why changes with the document, or not at all.

The command line writes document, bibliography and record as one. An editor writes its document itself: there
the record is whole on the disk before the edit is sent, so that what cannot be kept is not inserted, and only
a renaming is left to do afterwards.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.disk.folder import opened
from texgeist_latex.disk.journal import recover
from texgeist_latex.disk.together import sweep
from texgeist_latex.errors import LatexError, Unwritable
from texgeist_latex.types import Draft, EditPlan
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.types import Result

from . import provenance
from .safeguards import Writes

if TYPE_CHECKING:
    from .provenance_records import Applied

Part = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Staged:
    """A record that waits for its edit to land: `temporary` is its name beside `file`."""

    root: Path
    applied: Applied
    file: Path
    before: bytes | None  # what the file held then
    temporary: str


def draft_for(read: Callable[[], Draft], written_by: Writes) -> Draft:
    """The draft; where somebody is to write into it, what a crash cut short is finished first."""
    draft = read()
    return read() if written_by != "nobody" and finished(draft) else draft


def finished(draft: Draft) -> bool:
    """Finishes what a crash cut short; True where files changed by it, so that the draft must be read again."""
    if draft.doubt:
        return False
    return recover(draft.root, draft.gate, provenance.real_file_of(draft.root))


def write(draft: Draft, plan: EditPlan, result: Result) -> None:
    """Onto the disk, all or nothing. Raises LatexError."""
    provenance.check(draft.root)
    try:
        new = provenance.updated(draft.root, _applied(draft, plan, result))
    except OSError as error:
        raise Unwritable(f"{provenance.lost(draft.root, error)} Nothing was changed.") from error
    apply_plan(plan, draft, (provenance.real_file_of(draft.root), new))
    provenance.mark_for_git(draft.root)


def stage(draft: Draft, plan: EditPlan, result: Result) -> Staged:
    """Raises OutOfBounds, Unreadable, OSError."""
    provenance.check(draft.root)
    file, applied = provenance.real_file_of(draft.root), _applied(draft, plan, result)
    new = provenance.updated(draft.root, applied)
    with opened(file.parent, create=True) as folder:
        before = folder.content(file.name)
        return Staged(draft.root, applied, file, before, folder.stage(file.name, new))


def land(staged: Staged) -> str:
    """Puts it into its place, the text having landed: a sentence where that fails, else ""."""
    with contextlib.suppress(OSError), opened(staged.file.parent) as folder:
        if folder.content(staged.file.name) == staged.before:
            folder.replace(staged.temporary, staged.file.name)
            sweep(staged.root)
            provenance.mark_for_git(staged.root)
            return ""
    discard(staged)
    return provenance.remember(staged.root, staged.applied)  # something else was recorded meanwhile


def take_back(staged: Staged) -> None:
    """The record without this edit: what it changed is as it was before, and whatever else was recorded since it was
    staged stays. What cannot be taken back tells of more than stands in the text."""
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
    """`now`, but what `mine` made of `was`, and still is so, is as it was."""
    ours = {
        name for name in {*was, *mine} if was.get(name) != mine.get(name) and now.get(name) == mine.get(name)
    }
    return {name: one for name, one in now.items() if name not in ours} | {
        name: was[name] for name in ours if name in was
    }


def discard(staged: Staged) -> None:
    """The edit did not land."""
    with contextlib.suppress(OSError):
        with opened(staged.file.parent) as folder:
            folder.remove(staged.temporary)
        with opened(staged.file.parent.parent) as above:
            above.remove_folder(staged.file.parent.name)


def _applied(draft: Draft, plan: EditPlan, result: Result) -> Applied:
    from .provenance_records import Applied

    block = next((b for b in find_blocks(draft.sources.values()) if b.id == plan.section_id), None)
    file = block.span.file if block else plan.edits[0].file if plan.edits else draft.root
    relative = Path(os.path.relpath(file, draft.root.parent)).as_posix()
    return Applied(result, plan, relative, date.today().isoformat())
