"""Makes the record of an edit, and keeps document and record consistent: both change, or neither does.

The command line writes document, bibliography and record in a single transaction. An editor writes its
document itself, so the record is written to a temporary file before the edit is sent; if that fails, nothing
is inserted. After the edit, only a rename remains. The language server imports this module only when it writes, because the
types of the record are slow to import.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as day
from functools import cached_property
from pathlib import Path

from texgeist_latex.disk.folder import opened
from texgeist_latex.errors import LatexError, Unwritable
from texgeist_latex.tex.sentences import keys_of
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.targets import source_of
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import Evidence, Result, Selected

from ..references import reference_of
from . import provenance
from .provenance_model import (
    PARTS,
    VERSION,
    CitationRecord,
    PaperRecord,
    PassageRecord,
    Provenance,
    ReasonsRecord,
    SectionRecord,
    encoded,
)

Part = Mapping[str, object]


@dataclass(frozen=True)
class RecordedEdit:
    """An edit of `draft`, with the result whose reasons are recorded. `what`: its name for the user. `before` and
    `temporary`: the earlier contents of the provenance file, and the name of the temporary file with the new record,
    from `stage` on."""

    draft: Draft
    plan: EditPlan
    result: Result
    what: str = ""
    date: str = field(default_factory=lambda: day.today().isoformat())  # ISO
    before: bytes | None = None
    temporary: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(self.plan.keys.values())

    @cached_property
    def inverse(self) -> tuple[tuple[Edit, ...], dict[Path, str]]:
        return inverse(self.draft, self.plan)

    @property
    def back(self) -> tuple[Edit, ...]:
        """The edits that undo it."""
        return self.inverse[0]

    @property
    def after(self) -> dict[Path, str]:
        """The texts of the files after it."""
        return self.inverse[1]


def inverse(draft: Draft, plan: EditPlan) -> tuple[tuple[Edit, ...], dict[Path, str]]:
    """The edits that undo the plan, and the texts of the files after the plan. Files that the plan created
    are kept, because other programs may have written to them."""
    back: list[Edit] = []
    after: dict[Path, str] = {}
    for file in dict.fromkeys(edit.file for edit in plan.edits if edit.file not in plan.new_files):
        text, made, at, shift = source_of(draft, file).text, "", 0, 0
        for edit in sorted((e for e in plan.edits if e.file == file), key=lambda e: (e.start, e.end)):
            made += text[at : edit.start] + edit.text
            start = edit.start + shift
            back.append(Edit(file, start, start + len(edit.text), text[edit.start : edit.end]))
            shift += len(edit.text) - (edit.end - edit.start)
            at = edit.end
        after[file] = made + text[at:]
    return tuple(back), after


def write(draft: Draft, plan: EditPlan, result: Result) -> None:
    """Writes the plan and its record to disk, all or nothing. Raises LatexError."""
    provenance.check(draft.root)
    try:
        new = recorded(RecordedEdit(draft, plan, result))
    except OSError as error:
        raise Unwritable(f"{provenance.lost(draft.root, error)} Nothing was changed.") from error
    apply_plan(plan, draft, (provenance.real_file_of(draft.root), new))
    provenance.mark_for_git(draft.root)


def recorded(edit: RecordedEdit) -> bytes:
    """The new contents of the provenance file, with this edit. Raises Unreadable, OSError."""
    return encoded(record(provenance.read_to_write(edit.draft.root), edit))


def stage(edit: RecordedEdit) -> RecordedEdit:
    """Writes the record to a temporary file. Raises OutOfBounds, Unreadable, OSError."""
    provenance.check(edit.draft.root)
    file, new = provenance.real_file_of(edit.draft.root), recorded(edit)
    with opened(file.parent, create=True) as folder:
        before = folder.content(file.name)
        return replace(edit, before=before, temporary=folder.stage(file.name, new))


def land(edit: RecordedEdit) -> str:
    """Moves the staged record into place after the text was inserted. Returns "", or a sentence for the user
    if the record could not be saved."""
    root = edit.draft.root
    file = provenance.real_file_of(root)
    with contextlib.suppress(OSError), opened(file.parent) as folder:
        if folder.content(file.name) == edit.before:
            folder.replace(edit.temporary, file.name)
            folder.sweep()
            provenance.mark_for_git(root)
            return ""
    discard(edit)  # the record has changed meanwhile
    return remember(edit)


def save(edit: RecordedEdit) -> None:
    """Adds the edit to the record. Raises LatexError, OSError."""

    root = edit.draft.root
    provenance.check(root)
    provenance.write(root, record(provenance.read_to_write(root), edit))


def remember(edit: RecordedEdit) -> str:
    """Saves the record after the text was inserted. Returns "", or a sentence for the user if saving
    failed."""
    try:
        save(edit)
    except LatexError as error:
        return f"The reasons for the citations could not be stored: {error.sentence()}"
    except OSError as error:
        return provenance.lost(edit.draft.root, error)
    return ""


def take_back(edit: RecordedEdit) -> None:
    """Removes this edit from the record. Its changes are reverted; records that others added meanwhile are
    kept. If this fails, the record keeps the reasons for text that is gone."""
    file = provenance.real_file_of(edit.draft.root)
    with contextlib.suppress(OSError, LatexError):
        was = provenance.read_from(edit.before)
        mine = provenance.read_from(encoded(record(was, edit)))
        now = provenance.read_to_write(edit.draft.root)
        parts = {part: _without(*(getattr(data, part) for data in (was, mine, now))) for part in PARTS}
        back = now.model_copy(update=parts)
        with opened(file.parent) as folder:
            if back == was and edit.before is None:
                folder.remove(file.name)
            else:
                folder.put(file.name, edit.before if back == was and edit.before else encoded(back))


def _without(was: Part, mine: Part, now: Part) -> Part:
    """A copy of `now` in which the changes from `was` to `mine` are reverted. Records that were changed again
    later are kept."""
    ours = {
        name for name in {*was, *mine} if was.get(name) != mine.get(name) and now.get(name) == mine.get(name)
    }
    return {name: one for name, one in now.items() if name not in ours} | {
        name: was[name] for name in ours if name in was
    }


def discard(edit: RecordedEdit) -> None:
    """Removes the staged record; used if the edit was not inserted."""
    file = provenance.real_file_of(edit.draft.root)
    with contextlib.suppress(OSError):
        with opened(file.parent) as folder:
            folder.remove(edit.temporary)
        with opened(file.parent.parent) as above:
            above.remove_folder(file.parent.name)


def record(old: Provenance, edit: RecordedEdit) -> Provenance:
    """A copy of `old` with the record of this edit, which replaces earlier records of the same section or
    keys."""
    plan, result = edit.plan, edit.result
    section_id, keys = plan.section_id, plan.keys
    old = provenance.called_now(old, provenance.cited_entries(edit.draft))
    kept = keys_of(plan.latex) if plan.written else ()  # keys that the author's merged edits cite
    citations = {
        key: why
        for key, why in old.citations.items()
        if not section_id or why.section != section_id or key in kept
    }
    reasons = {selected.candidate.paper.id: _citation(edit, selected) for selected in result.selected}
    citations |= {keys[id]: why for id, why in reasons.items() if id in keys}
    sections = {**old.sections, section_id: _section(edit)} if section_id else old.sections
    return old.model_copy(update={"version": VERSION, "citations": citations, "sections": sections})


def _citation(edit: RecordedEdit, selected: Selected) -> CitationRecord:
    result = edit.result
    return CitationRecord.made_of(
        paper=paper_record(selected),
        why=selected.reasons.numbers,
        reasons=ReasonsRecord.made_of(**to_plain(selected.reasons)),
        summary=selected.summary,
        evidence=[_passage(item) for item in selected.evidence],
        date=edit.date,
        writer=result.writer,
        index=result.index,
        model=result.model,
        section=edit.plan.section_id,
    )


def paper_record(selected: Selected) -> PaperRecord:
    reference = reference_of(selected.candidate.paper)
    return PaperRecord.made_of(
        id=reference.id,
        title=reference.title,
        authors=list(reference.authors),
        year=reference.year,
        venue=reference.venue,
        arxiv=reference.arxiv_id,
        doi=reference.doi,
        url=reference.url,
    )


def _passage(item: Evidence) -> PassageRecord:
    return PassageRecord.made_of(
        page=item.passage.page,
        heading=item.passage.heading,
        similarity=round(float(item.similarity), 4),
        summary=item.summary,
        text=item.passage.text,
    )


def _section(edit: RecordedEdit) -> SectionRecord:
    result, plan = edit.result, edit.plan
    return SectionRecord.made_of(
        query=result.query.kind,
        papers=len(plan.keys),
        date=edit.date,
        text=plan.written or plan.latex,  # the generated text before merging
        abstract=result.query.abstract,
        gone=list(plan.gone),
    )
