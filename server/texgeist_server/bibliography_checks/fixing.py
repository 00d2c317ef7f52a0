"""Corrects the details of entries that `verify` found to differ from a record of the same paper."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import draft_of_bibliography, read_draft
from texgeist_latex.types import Draft, Edit, EditPlan
from texgeist_latex.writing.apply import apply_plan, edited
from texgeist_latex.writing.corrections import correct
from texgeist_latex.writing.targets import source_of

from .checking import VerifyReport


@dataclass(frozen=True, slots=True)
class Fixed:
    """The result of the corrections. `entries`: the number of corrected entries; `diff`: the changes as a
    unified diff; `notes`: the entries that could not be corrected, and why."""

    entries: int
    diff: str
    notes: tuple[str, ...]


def fix_entries(file: Path, report: VerifyReport) -> Fixed:
    """Corrects the entries with the verdict `to-correct`, in the `.bib` files of `file` (a document or a
    `.bib` file). Suspect entries are not changed, because their record may describe another paper. Raises
    `LatexError`s; then nothing is written."""
    draft = draft_of_bibliography(file) if file.suffix.lower() == ".bib" else read_draft(file)
    texts = {b.path: source_of(draft, b.path) for b in draft.bibliographies if b.kind == "bib" and b.exists}
    draft = replace(draft, sources={**texts, **draft.sources})
    edits, notes = [], []
    for result in _edits(draft, report):
        if isinstance(result, Edit):
            edits.append(result)
        else:
            notes.append(result)
    if edits:
        apply_plan(EditPlan(tuple(edits), "", "", {}), draft)
    return Fixed(len(edits), "".join(_diffs(draft, edits)), tuple(notes))


def _edits(draft: Draft, report: VerifyReport) -> Iterator[Edit | str]:
    entries = {entry.key: entry for bib in reversed(draft.bibliographies) for entry in reversed(bib.entries)}
    for checked in report.entries:
        wanted = [remark.correction for remark in checked.problems if remark.correction is not None]
        if checked.verdict != "to-correct" or not wanted or checked.key not in entries:
            continue
        try:
            draft.gate.check(entries[checked.key].span.file)
            yield correct(draft, entries[checked.key], wanted)
        except LatexError as error:
            yield str(error)


def _diffs(draft: Draft, edits: list[Edit]) -> Iterator[str]:
    for path in dict.fromkeys(edit.file for edit in edits):
        old = source_of(draft, path).text
        new = edited(old, [edit for edit in edits if edit.file == path])
        lines = difflib.unified_diff(
            old.splitlines(), new.splitlines(), path.name, f"{path.name}, corrected", n=1, lineterm=""
        )
        yield from (line + "\n" for line in lines)
