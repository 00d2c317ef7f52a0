"""The findings of `texgeist verify` for an editor, each with its place and quick fix; and the corrections of details
that differ from a record of the same paper.

The worker checks the files as saved. The text may change meanwhile, so each finding contains the text that it
refers to (`anchor`). If this text is gone, the finding is dropped.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from texgeist_latex.bib.authors import OTHERS, split_authors
from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
from texgeist_latex.bib.venues import venue_field
from texgeist_latex.entry_checks.findings import CheckedEntry, Finding
from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import draft_of_bibliography, read_draft
from texgeist_latex.types import BibEntry, Draft, Edit, EditPlan, FieldCorrection, Problem, Reference
from texgeist_latex.writing.apply import apply_plan, edited
from texgeist_latex.writing.taking import correct, take_over
from texgeist_latex.writing.targets import source_of

from .checking import Read, entries_of, read_whole, unused
from .places import Find
from .report import NOT_CITED, VerifyReport
from .sentences import Judged

_FEW = 20  # unused entries allowed in a file of any size
MOST = 200  # findings shown for a project
_LEFT_OUT = frozenset(
    {"not-found", "incomplete"}
)  # BibTeX itself warns of incomplete entries, and a missing record is no fault of an entry


def finds(draft: Draft, read: Read, report: VerifyReport) -> tuple[Find, ...]:
    """The findings of the report on a draft, without the draft's own problems, which are shown at once."""
    entries = {entry.key: entry for entry in entries_of(read)}
    found = [
        find
        for one in report.entries
        if one.key in entries
        for find in _of_entry(draft, entries[one.key], one)
    ]
    problems = (problem for problem in read.problems if problem not in draft.problems)
    return (*found, *_of_draft(draft, problems))[:MOST]


def unused_finds(draft: Draft, cited_elsewhere: Set[str]) -> tuple[Find, ...]:
    """Findings for entries in the project's own `.bib` files that no document cites. A file in which most
    entries are unused is skipped, because it is a general library and not this paper's list. Returns () if
    the document was not read completely."""
    if not read_whole(draft):
        return ()
    own = [b for b in draft.bibliographies if b.kind == "bib" and b.exists and draft.gate.inside(b.path)]
    cited = {citation.key for citation in draft.citations} | cited_elsewhere
    idle = {id(entry) for entry in unused((e for b in draft.bibliographies for e in b.entries), cited)}
    found = []
    for bibliography in own:
        entries = [entry for entry in bibliography.entries if id(entry) in idle]
        if len(entries) > max(_FEW, len(bibliography.entries) // 2):
            continue
        try:
            text = source_of(draft, bibliography.path).text
        except LatexError:
            continue
        for entry in entries:
            anchor, shown = text[entry.span.start : entry.span.end], len(entry.type) + 2 + len(entry.key)
            start, said = entry.span.start, entry.key + NOT_CITED
            found.append(Find(str(bibliography.path), start, anchor, shown, "unused", said, "hint"))
    return tuple(found[:MOST])


def sentence_finds(draft: Draft, found: Sequence[Judged]) -> tuple[Find, ...]:
    finds = []
    for judged in found[:MOST]:
        span = judged.sentence.span
        anchor = draft.sources[span.file].text[span.start : span.end]
        find = Find(str(span.file), span.start, anchor, len(anchor), judged.code, judged.message, "hint")
        finds.append(find)
    return tuple(finds)


def _of_entry(draft: Draft, entry: BibEntry, report: CheckedEntry) -> Iterator[Find]:
    told = [finding for finding in report.findings if finding.code not in _LEFT_OUT]
    if not told:
        return
    try:
        text = source_of(draft, entry.span.file).text
    except LatexError:
        return
    anchor = text[entry.span.start : entry.span.end]
    shown = len(entry.type) + 2 + len(entry.key)
    for finding in told:
        severity = "warning" if finding.severity == "error" else finding.severity
        said = finding.code, f"{entry.key}: {finding.message}", severity
        fix = _quick_fix(draft, entry, report, finding)
        yield Find(str(entry.span.file), entry.span.start, anchor, shown, *said, *fix)


def _of_draft(draft: Draft, problems: Iterable[Problem]) -> Iterator[Find]:
    for problem in problems:
        span, source = problem.span, draft.sources.get(problem.span.file)
        if source:
            line = source.text.find("\n", span.end)  # the key alone may occur several times
            anchor = source.text[span.start : line if line >= 0 else None]
            shown, said = span.end - span.start, (problem.code, problem.message, problem.severity)
            yield Find(str(span.file), span.start, anchor, shown, *said)


def _quick_fix(draft: Draft, entry: BibEntry, report: CheckedEntry, finding: Finding) -> tuple[str, str]:
    """The title of the quick fix and the entry's new text; ("", "") if there is none."""
    record, wanted = report.published, finding.correction
    with suppress(LatexError):
        if finding.code == "published" and record is not None and venue_field(record):
            title = f"take over the published version of {entry.key} ({venue_field(record)[:60]})"
            return title, take_over(draft, entry, _published(entry, record), record.fields).text
        if wanted is not None:
            title = f"correct {wanted.field} of {entry.key}: {wanted.new[:60]}"
            return title, correct(draft, entry, [wanted]).text
    return "", ""


def _published(entry: BibEntry, record: BibEntry) -> Reference:
    """The published paper that `record` describes, with the arXiv id of `entry`. If the record leaves out
    some authors, the authors of the entry are used."""
    names = split_authors(record.fields.get("author", ""))
    if names[-1:] == [OTHERS]:
        names = split_authors(entry.fields.get("author", "")) or names
    return Reference(
        id=record.key,
        title=record.fields.get("title", ""),
        authors=tuple(name.strip("{}") for name in names),
        year=year_of(record),
        arxiv_id=arxiv_id_of(entry),
        doi=doi_of(record),
        venue=venue_field(record),
        kind="inproceedings" if record.fields.get("booktitle") else "article",
    )


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
