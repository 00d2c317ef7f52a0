"""Applied edits: where the text is, how it is undone, and why its papers are cited."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from texgeist_latex.errors import LatexError
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.targets import source_of

from ...errors import EditRefused
from ...sections import provenance
from .applying import apply_plan, drafts, to_the_end

if TYPE_CHECKING:
    from ...sections.provenance_model import CitationRecord
    from ...sections.recording import RecordedEdit
    from ..connection.editor import Editor

CHANGED = "The text was edited since, so it was not undone."
STEP_BY_STEP = "Use your editor's undo, step by step."


def found_again(now: str, after: str, edit: Edit) -> Edit | None:
    """Finds the text of `edit` in the current text `now`: at its old offset, or else at its only occurrence.
    Returns the edit with its current offsets, or None if the text is gone. Spaces and line breaks at the end
    of the text may be missing, because editors remove line breaks from the end of a file."""
    if now == after:
        return edit
    wanted = after[edit.start : edit.end]
    kept = wanted.rstrip()
    if not kept:
        return None
    if not now.startswith(kept, edit.start) and now.count(kept) != 1:
        return None
    start = edit.start if now.startswith(kept, edit.start) else now.index(kept)
    end = start + len(kept)
    while end < min(len(now), start + len(wanted)) and now[end] in "\r\n":
        end += 1
    left, right = after[: edit.start][-1:], after[edit.end : edit.end + 1]
    if not _alike(now[:start][-1:], left) or not _alike(now[end : end + 1], right):
        return None  # now part of a longer word: `smith2020` in `smith2020b`
    return replace(edit, start=start, end=end)


def _alike(now: str, then: str) -> bool:
    """Whether the character beside an edit is the same as before. Also true if there is no character, now or
    before, because the file begins or ends there."""
    return now == then or not now or not then


def _cited_elsewhere(draft: Draft, one: RecordedEdit, edits: Sequence[Edit]) -> frozenset[str]:
    """The keys that are also cited outside of the undone text: their entries must be kept."""
    return frozenset(
        c.key
        for c in draft.citations
        if c.key in one.keys
        and not any(e.file == c.span.file and e.start <= c.span.start and c.span.end <= e.end for e in edits)
    )


def _defines(text: str, keys: frozenset[str]) -> bool:
    return any(re.search(rf"@\w+\s*[{{(]\s*{re.escape(key)}\s*,", text) for key in keys)


async def take_back(editor: Editor, one: RecordedEdit) -> str:
    """Undoes a change and describes what happened to its entries: entries that are cited elsewhere, or in a
    file that was created for them, are kept. Raises EditRefused, LatexError, OSError; nothing is changed
    then."""
    async for draft in drafts(editor, one.draft.root):
        others = await _sharing(editor, draft, one)
        draft = await editor.reader.draft(one.draft.root)  # reading the others may have taken a while
        found = _found_again(draft, one)
        going = _going(draft, others, one, found)
        plan = EditPlan(going, "", "", {})
        if await apply_plan(editor, plan, draft, f"texgeist: undo {one.what.lower()}"):
            break
    else:
        raise EditRefused(CHANGED, "Try again.")
    from ...sections import recording

    await to_the_end(recording.take_back, one)
    if made := [file.name for file in one.plan.new_files if file.suffix == ".bib"]:
        return f"but not its entries: they stay in {' and '.join(made)}, which was created for them"
    whole = len(going) == len(found)
    return "with its entries" if whole else "but not its entries: they are cited elsewhere"


def _found_again(draft: Draft, one: RecordedEdit) -> list[Edit]:
    """The edits that undo the change, with their offsets in the current texts. Raises EditRefused if the text
    of an edit is gone."""
    try:
        edits = [
            found_again(source_of(draft, edit.file).text, one.after[edit.file], edit) for edit in one.back
        ]
    except LatexError:
        edits = [None]
    if not all(edits):
        raise EditRefused(CHANGED, STEP_BY_STEP)
    return [edit for edit in edits if edit]


async def _sharing(editor: Editor, draft: Draft, one: RecordedEdit) -> list[Draft]:
    """The other documents that may cite an entry that would be removed."""
    goes = any(edit.file.suffix == ".bib" for edit in one.back)
    return await editor.reader.sharing(draft, None) if goes else []


def _going(draft: Draft, others: list[Draft], one: RecordedEdit, found: list[Edit]) -> tuple[Edit, ...]:
    """The edits of `found` without those that would remove an entry cited in this document or in `others`."""
    kept = _cited_elsewhere(draft, one, found)
    kept |= {c.key for other in others for c in other.citations if c.key in one.keys}
    return tuple(
        now
        for now, then in zip(found, one.back, strict=True)
        if now.file.suffix != ".bib" or not _defines(one.after[then.file][then.start : then.end], kept)
    )


def reasons_of(one: RecordedEdit) -> dict[str, CitationRecord]:
    """The provenance records of the change's citations, by key."""
    known = provenance.read(one.draft.root).citations
    return {key: known[key] for key in one.keys if key in known}
