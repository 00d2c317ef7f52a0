"""Corrects the details of entries that `verify` found to differ from a record of the same paper."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import draft_of_bibliography, read_draft
from texgeist_latex.types import Draft, Edit, EditPlan, FieldCorrection
from texgeist_latex.writing.apply import apply_plan, edited
from texgeist_latex.writing.taking import correct
from texgeist_latex.writing.targets import source_of

from .report import VerifyReport

Corrections = Mapping[str, Sequence[FieldCorrection]]  # by entry key


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of the corrections. `entries`: the number of corrected entries; `diff`: the changes as a
    unified diff; `notes`: the entries that could not be corrected, and why."""

    entries: int
    diff: str
    notes: tuple[str, ...]


def fix_entries(file: Path, report: VerifyReport, own: Sequence[Path] = ()) -> Fixed:
    """Corrects the entries with the verdict `to-correct`, in the `.bib` files of `file` (a document or a
    `.bib` file). `own`: bibliographies outside of the project that may be written to. Raises `LatexError`s; then
    nothing is written."""
    draft = draft_of_bibliography(file) if file.suffix.lower() == ".bib" else read_draft(file, own=own)
    draft, plan = plan_corrections(draft, corrections_of(report))
    if plan.edits:
        apply_plan(plan, draft)
    return Fixed(len(plan.edits), "".join(_diffs(draft, plan.edits)), plan.notes)


def corrections_of(report: VerifyReport) -> dict[str, tuple[FieldCorrection, ...]]:
    """The corrections of the entries with the verdict `to-correct`. The others stay, because the record of a suspect
    entry may describe another paper."""
    wanted = {
        entry.key: tuple(finding.correction for finding in entry.findings if finding.correction is not None)
        for entry in report.entries
        if entry.verdict == "to-correct"
    }
    return {key: corrections for key, corrections in wanted.items() if corrections}


def plan_corrections(draft: Draft, corrections: Corrections) -> tuple[Draft, EditPlan]:
    """The edits of the draft's `.bib` files, an edit for each entry, and the draft with the texts of these files. The
    plan's notes say which entries could not be corrected."""
    texts = {b.path: source_of(draft, b.path) for b in draft.bibliographies if b.kind == "bib" and b.exists}
    draft = replace(draft, sources={**texts, **draft.sources})
    entries = {entry.key: entry for bib in reversed(draft.bibliographies) for entry in reversed(bib.entries)}
    edits, notes = [], []
    for key in corrections.keys() & entries.keys():
        try:
            draft.gate.check(entries[key].span.file)
            edits.append(correct(draft, entries[key], corrections[key]))
        except LatexError as error:
            notes.append(str(error))
    edits.sort(key=lambda edit: (edit.file, edit.start))
    return draft, EditPlan(tuple(edits), "", "", {}, notes=tuple(sorted(notes)))


def _diffs(draft: Draft, edits: Sequence[Edit]) -> Iterator[str]:
    for path in dict.fromkeys(edit.file for edit in edits):
        old = source_of(draft, path).text
        new = edited(old, [edit for edit in edits if edit.file == path])
        lines = difflib.unified_diff(
            old.splitlines(), new.splitlines(), path.name, f"{path.name}, corrected", n=1, lineterm=""
        )
        yield from (line + "\n" for line in lines)
