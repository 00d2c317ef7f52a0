"""The findings of `texgeist verify` for an editor, each with its place and quick fix.

The worker checks the files as saved. The text may change meanwhile, so each finding contains the text that it
refers to (`anchor`). If this text is gone, the finding is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from contextlib import suppress

from texgeist_latex.bib.authors import OTHERS, split_authors
from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
from texgeist_latex.entry_checks.findings import CheckedEntry, Finding
from texgeist_latex.entry_checks.venues import venue_field
from texgeist_latex.errors import LatexError
from texgeist_latex.types import BibEntry, Draft, Problem, Reference
from texgeist_latex.writing.taking import correct, take_over
from texgeist_latex.writing.targets import source_of

from .checking import Read, entries_of, not_cited, read_whole, unused
from .places import Find
from .report import VerifyReport
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
            start, said = entry.span.start, not_cited(entry)
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
