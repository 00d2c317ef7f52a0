"""Reads the file to verify, and checks its entries against themselves and against records."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.bbl import read_item
from texgeist_latex.bib.library import Library
from texgeist_latex.disk.gate import DOCUMENTS
from texgeist_latex.disk.paths import seen_from, unread_because
from texgeist_latex.entry_checks.details import compare_places
from texgeist_latex.entry_checks.entries import check_entry
from texgeist_latex.entry_checks.findings import CheckedEntry, Finding
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.errors import NoRoot, Unreadable
from texgeist_latex.reading.draft import open_project, read_draft
from texgeist_latex.reading.files import FileStore
from texgeist_latex.tex.command_names import CONTROL_ENTRIES
from texgeist_latex.tex.markdown import is_markdown
from texgeist_latex.types import BibEntry, Bibliography, Citation, Draft, Problem, SourceFile
from texgeist_latex.writing.renaming import cut_short, named_by, unread_files
from texgeist_retrieval.monitor import SILENT
from texgeist_retrieval.text.words import number_of

from .known_records import own_index
from .reference_lists import SUFFIXES, read_references
from .registries import ask_registries
from .report import NO_JUDGE_ASKED, NOT_CITED, UNUSED, Remark, VerifyReport, some_keys

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings
    from .known_records import KnownTitles

_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*[{(]\s*([^\s,{}()=\"#%]+)")
_OF_ENTRIES = "broken-entry"
_NO_DOCUMENT = "citations: this is a list of references, not its document"
_NO_REGISTRY = "retractions, published versions and newer versions: no registry was asked"
_NOT_WHOLE = "which entries are cited: the document could not be read completely"


@dataclass(frozen=True, slots=True)
class Read:
    """The bibliographies, citations and texts to check. If a `.bib` file is checked, the citations are
    unknown."""

    folder: Path  # file names are given relative to it
    bibliographies: tuple[Bibliography, ...]
    problems: tuple[Problem, ...]
    citations: tuple[Citation, ...] | None  # None: unknown; then unused entries are not reported
    texts: Mapping[Path, str]
    share: str = ""  # how many references of a plain list could be read
    unchecked: tuple[str, ...] = (_NO_DOCUMENT,)


def lists_references(path: Path) -> bool:
    """Whether the references are in the text of this file, as in a PDF, and not in bibliographies that it names. Raises
    the `LatexError`s."""
    if path.suffix.lower() not in SUFFIXES or not os.path.lexists(path):
        return False
    return not (is_markdown(path) and open_project(path).bibliographies)


def read_file(
    path: Path, also: Callable[[Draft], Sequence[Problem]] = lambda _: (), monitor: Monitor = SILENT
) -> Read:
    """Reads a draft, a `.bib` file, or the references of another file (`reference_lists`). `also` returns
    further problems of a draft. Raises the `LatexError`s, and `PaperUnreadable` for a PDF."""
    if lists_references(path):
        listed = read_references(path, monitor)
        return Read(path.absolute().parent, (listed.bibliography,), (), None, {}, listed.share)
    if path.suffix.lower() != ".bib":
        if not os.path.lexists(path):
            raise NoRoot(f"{path} does not exist.", "Give a .tex or .bib file.")
        if path.suffix.lower() not in DOCUMENTS:
            raise Unreadable(f"{path} cannot be checked.", f"Give one of .tex, .bib, {', '.join(SUFFIXES)}.")
        draft = read_draft(path)
        if not draft.bibliographies and not draft.citations:
            hint = "Give the root document, or a .bib file."
            raise Unreadable(f"{draft.root.name} names no bibliography and cites nothing.", hint)
        return of_draft(draft, also(draft))
    store = FileStore()
    parsed = store.read(path.absolute())
    if parsed is None:
        reason = store.refused.get(path.absolute()) or unread_because(path)
        raise Unreadable(f"{path} {reason}.", "Check the path.")
    index = parsed.bibliography
    problems = Library([index]).problems
    if (
        parsed.text.strip()
        and not index.bibliography.entries
        and not problems
        and not _HEAD.search(parsed.text)
    ):
        raise Unreadable(f"{path} contains no entries that can be read.", "Check that it is a BibTeX file.")
    return Read(parsed.path.parent, (index.bibliography,), problems, None, {parsed.path: parsed.text})


def of_draft(draft: Draft, more: Sequence[Problem] = ()) -> Read:
    texts = _texts(draft.sources, draft.bibliographies)
    problems = (*draft.problems, *more)
    citations = draft.citations if read_whole(draft) else None
    unchecked = (NO_JUDGE_ASKED,) if citations is not None else (NO_JUDGE_ASKED, _NOT_WHOLE)
    return Read(draft.root.parent, draft.bibliographies, problems, citations, texts, unchecked=unchecked)


@dataclass(frozen=True, slots=True)
class Verification:
    """`records`: what the entries were compared with; `asked`: whether any registry was asked; `unanswered`:
    registries were asked, and none answered."""

    read: Read
    report: VerifyReport
    records: tuple[Records, ...]
    asked: bool
    unanswered: bool


def verify_file(
    file: Path,
    settings: Settings,
    monitor: Monitor,
    also: Callable[[Draft], Sequence[Problem]],
    *,
    known: Sequence[Records] = (),
    online: bool = False,
    titles: KnownTitles | None = None,
) -> Verification:
    """Checks the entries of a file (see `read_file`) against `known`, the user's own index, and the registries
    that the settings allow, or with `online` all registries. Raises the `LatexError`s, and `PaperUnreadable` for
    a PDF."""
    own, reason = own_index(settings)
    records = (*known, *([own] if own else []))
    done = verify_entries(read_file(file, also, monitor), settings, monitor, records, online, titles)
    notes = (*done.report.notes, reason) if reason else done.report.notes
    return replace(done, report=replace(done.report, notes=notes))


def verify_entries(
    read: Read,
    settings: Settings,
    monitor: Monitor,
    known: Sequence[Records],
    online: bool = False,
    titles: KnownTitles | None = None,
) -> Verification:
    """Checks the entries against `known` and the registries."""
    looked_up = ask_registries(entries_of(read), settings, online, monitor)
    records, asked = (*known, *looked_up.sources), any(source.was_asked for source in looked_up.sources)
    report = check(read, records, date.today().year, titles)
    unchecked = report.unchecked if asked else (*report.unchecked, _NO_REGISTRY)
    report = replace(report, notes=looked_up.notes, unchecked=unchecked)
    return Verification(read, report, records, asked, looked_up.unanswered)


def check(
    read: Read, sources: Sequence[Records], this_year: int, titles: KnownTitles | None = None
) -> VerifyReport:
    """Checks every entry, in the order of the bibliographies, then the draft as a whole. If several entries
    have the same key, only the first is checked, because BibTeX uses only the first. `titles`: adds to each
    unconfirmed entry a remark on whether a work with its title is known; the verdict stays."""
    entries = entries_of(read)
    places = compare_places(entries)
    checked = [
        _with_remarks(check_entry(entry, sources, this_year), entry, places.get(entry.key), titles)
        for entry in entries
    ]
    located = [
        replace(
            one,
            title=entry.fields.get("title", ""),
            file=seen_from(read.folder, entry.span.file),
            line=entry.line,
        )
        for one, entry in zip(checked, entries, strict=True)
    ]
    broken = [_broken(problem, read) for problem in read.problems if problem.code == _OF_ENTRIES]
    not_cited = [] if read.citations is None else unused(entries, {cited.key for cited in read.citations})
    keys = {entry.key for entry in not_cited}
    every = (entry for bibliography in read.bibliographies for entry in bibliography.entries)
    uncited = frozenset((seen_from(read.folder, e.span.file), e.line) for e in every if e.key in keys)
    idle = (
        Remark(UNUSED, e.key + NOT_CITED, "information", seen_from(read.folder, e.span.file), e.line)
        for e in not_cited
    )
    strays = {one.key for one in checked if any(finding.code == "other-paper" for finding in one.findings)}
    told = [r for r in remarks_on(read) if r.code != "same-paper" or not strays & set(r.message.split())]
    draft = (*told, *idle)
    unchecked = (*_not_compared(checked), *read.unchecked)
    names = tuple(source.described for source in sources)
    return VerifyReport((*located, *broken), (), draft, read.share, names, (), unchecked, uncited)


def _not_compared(checked: Sequence[CheckedEntry]) -> Iterator[str]:
    """How many entries were compared with no record, for each reason, with the first keys."""
    keys: dict[str, list[str]] = {}
    for entry in checked:
        if entry.unchecked:
            keys.setdefault(entry.unchecked, []).append(entry.key)
    for reason, some in keys.items():
        listed = f" ({some_keys(some)})" if len(some) < len(checked) else ""
        yield f"{number_of(len(some), 'entry')}{listed} against a record: {reason}"


def entries_of(read: Read) -> list[BibEntry]:
    """The entries in the order of the bibliographies. If several entries have the same key, only the
    first. A `\\bibitem` gets the fields of its text."""
    every = (entry for bibliography in read.bibliographies for entry in bibliography.entries)
    first: dict[str, BibEntry] = {}
    entries = [entry for entry in every if first.setdefault(entry.key, entry) is entry]
    return [read_item(entry) if entry.type == "bibitem" else entry for entry in entries]


def _with_remarks(
    checked: CheckedEntry, entry: BibEntry, place: Finding | None, titles: KnownTitles | None
) -> CheckedEntry:
    title = entry.fields.get("title")
    if place is not None and checked.verdict == "ok":
        return replace(checked, verdict="to-correct", findings=(*checked.findings, place))
    if titles is not None and title and checked.verdict in ("unknown", "not-found"):
        code, work = ("title-known", "A work") if titles.knows(title) else ("title-unknown", "No work")
        finding = Finding(code, f"{work} of this title is known in {titles.name}.", False)
        return replace(checked, findings=(*checked.findings, finding))
    return checked


def _broken(problem: Problem, read: Read) -> CheckedEntry:
    text, remark = read.texts.get(problem.span.file, ""), _remark(problem, read)
    head = _HEAD.match(text, problem.span.start)
    finding = Finding(_OF_ENTRIES, remark.message)
    return CheckedEntry(head[1] if head else "", "unknown", (finding,), file=remark.file, line=remark.line)


def remarks_on(read: Read) -> list[Remark]:
    """Remarks on citations and duplicate entries, at most one of a kind for each place. If two entries are
    the same paper, there is only one remark on both."""
    told = (problem for problem in read.problems if problem.code != _OF_ENTRIES)
    once: dict[tuple[str, str], Problem] = {}
    for problem in told:
        same = problem.message if problem.code == "same-paper" else str(problem.span)
        once.setdefault((problem.code, same), problem)
    return [_remark(problem, read) for problem in once.values()]


def unused(entries: Iterable[BibEntry], cited: Set[str]) -> list[BibEntry]:
    """Entries whose key is not cited and not named in a field of another entry (such as `crossref`)."""
    if "*" in cited:  # \nocite{*}
        return []
    entries = [entry for entry in entries if entry.type not in CONTROL_ENTRIES]
    named = {key for entry in entries for key in named_by(entry)}
    return [e for e in entries if not cited & (keys := _keys(e)) and not named & {k.lower() for k in keys}]


def _keys(entry: BibEntry) -> set[str]:
    return {entry.key, *re.split(r"\s*,\s*", entry.fields.get("ids", ""))} - {""}


def read_whole(draft: Draft) -> bool:
    """Whether the whole draft was read. If not, the unread part may cite any entry."""
    return not unread_files(draft) and cut_short(draft) is None


def _remark(problem: Problem, read: Read) -> Remark:
    file, start = problem.span.file, problem.span.start
    line = read.texts[file].count("\n", 0, start) + 1 if file in read.texts else 0
    return Remark(problem.code, problem.message, problem.severity, seen_from(read.folder, file), line)


def _texts(sources: Mapping[Path, SourceFile], bibliographies: Iterable[Bibliography]) -> dict[Path, str]:
    texts = {path: source.text for path, source in sources.items()}
    store = FileStore()
    for bibliography in bibliographies:
        if bibliography.problems and bibliography.path not in texts:
            parsed = store.read(bibliography.path)
            texts |= {bibliography.path: parsed.text} if parsed else {}
    return texts
