"""Reads the file to verify, checks its entries, and reports the results as values, JSON and an exit code."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.library import Library
from texgeist_latex.bib.plain_references import read_item
from texgeist_latex.diagnostic_codes import Severity
from texgeist_latex.disk.gate import DOCUMENTS
from texgeist_latex.disk.paths import unread_because
from texgeist_latex.entry_checks.anonymity import check_anonymity
from texgeist_latex.entry_checks.details import compare_places
from texgeist_latex.entry_checks.entries import check_entry
from texgeist_latex.entry_checks.findings import CheckedEntry, Finding
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.errors import NoRoot, Unreadable
from texgeist_latex.reading.draft import open_project, read_draft
from texgeist_latex.reading.files import FileStore
from texgeist_latex.tex.citation_commands import CONTROL_ENTRIES
from texgeist_latex.tex.markdown import is_markdown
from texgeist_latex.types import BibEntry, Bibliography, Citation, Draft, Problem, SourceFile
from texgeist_latex.writing.renaming import cut_short, named_by, unread_files
from texgeist_retrieval.monitor import SILENT

from .reference_lists import SUFFIXES, read_references

if TYPE_CHECKING:
    from texgeist_retrieval.ports import Monitor

    from .known_titles import KnownTitles

CLEAN, WARNED, WRONG = 0, 3, 4  # exit codes; 1 and 2 mean that nothing could be checked


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on the draft. `line`: the line number, from 1; 0 if there is none."""

    code: str
    message: str
    severity: Severity
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class VerifyReport:
    entries: tuple[CheckedEntry, ...] = ()
    sentences: tuple[Remark, ...] = ()  # sentences that a model judges unsupported by their citations
    draft: tuple[Remark, ...] = ()
    share: str = ""  # how many references of a plain list could be read

    def as_json(self) -> dict[str, object]:
        entries = [
            {
                "key": e.key,
                "verdict": e.verdict,
                "problems": [_problem(finding, e) for finding in e.findings],
                "records": list(e.records),
            }
            for e in self.entries
        ]
        return {
            "entries": entries,
            "sentences": [asdict(remark) for remark in self.sentences],
            "draft": [asdict(remark) for remark in self.draft],
            **({"read": self.share} if self.share else {}),
        }

    @property
    def exit_code(self) -> int:
        """`WRONG` if any remark is an error (an entry is contradicted, or cited but missing); else `WARNED`
        if any remark is a warning; else `CLEAN`."""
        severities = {f.severity for e in self.entries for f in e.findings} | {r.severity for r in self.draft}
        if "error" in severities:
            return WRONG
        return WARNED if "warning" in severities else CLEAN


def _problem(finding: Finding, entry: CheckedEntry) -> dict[str, object]:
    said = asdict(Remark(finding.code, finding.message, finding.severity, entry.file, entry.line))
    return said | ({"correction": asdict(finding.correction)} if finding.correction else {})


_HEAD = re.compile(r"@[ \t]*[A-Za-z]+\s*[{(]\s*([^\s,{}()=\"#%]+)")
_OF_ENTRIES = "broken-entry"


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


def lists_references(path: Path) -> bool:
    """Whether the references are in the text of this file, as in a PDF, and not in bibliographies that it names. Raises
    the `LatexError`s."""
    if path.suffix.lower() not in SUFFIXES or not os.path.lexists(path):
        return False
    return not (is_markdown(path) and open_project(path).bibliographies)


def read_file(
    path: Path, also: Callable[[Draft], Sequence[Problem]] = lambda _: (), monitor: Monitor = SILENT
) -> Read:
    """Reads a draft, a `.bib` file, or the references of another file (`reference_lists`). `also` is a function
    that returns additional problems of a draft. Raises the `LatexError`s, and `PaperUnreadable` for a PDF."""
    if lists_references(path):
        listed = read_references(path, monitor)
        return Read(path.absolute().parent, (listed.bibliography,), (), None, {}, listed.share)
    if path.suffix.lower() != ".bib":
        if not os.path.lexists(path):
            raise NoRoot(f"{path} does not exist.", "Give a .tex or .bib file.")
        if path.suffix.lower() not in DOCUMENTS:
            raise Unreadable(f"{path} cannot be checked.", f"Give one of .tex, .bib, {', '.join(SUFFIXES)}.")
        draft = read_draft(path)
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
    problems = (*draft.problems, *check_anonymity(draft), *more)
    citations = draft.citations if read_whole(draft) else None
    return Read(draft.root.parent, draft.bibliographies, problems, citations, texts)


def check(
    read: Read, sources: Sequence[Records], this_year: int, titles: KnownTitles | None = None
) -> VerifyReport:
    """Checks every entry, in the order of the bibliographies, then the draft as a whole. If several entries
    have the same key, only the first is checked, because BibTeX uses only the first. `titles`: adds a remark to
    each entry that no record confirms, whether a work of its title is known; the verdict stays."""
    entries = entries_of(read)
    places = compare_places(entries)
    checked = [
        _with_remarks(check_entry(entry, sources, this_year), entry, places.get(entry.key), titles)
        for entry in entries
    ]
    located = [
        replace(one, file=_name(entry.span.file, read), line=entry.line)
        for one, entry in zip(checked, entries, strict=True)
    ]
    broken = [_broken(problem, read) for problem in read.problems if problem.code == _OF_ENTRIES]
    draft = (*_told(read), *_unused(entries, read))
    return VerifyReport((*located, *broken), draft=draft, share=read.share)


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
        return replace(checked, findings=(*checked.findings, _of_title(titles, title)))
    return checked


def _of_title(titles: KnownTitles, title: str) -> Finding:
    if titles.knows(title):
        return Finding("title-known", f"A work of this title is known in {titles.name}.", False)
    return Finding("title-unknown", f"No work of this title is known in {titles.name}.", False)


def _broken(problem: Problem, read: Read) -> CheckedEntry:
    text, remark = read.texts.get(problem.span.file, ""), _remark(problem, read)
    head = _HEAD.match(text, problem.span.start)
    finding = Finding(_OF_ENTRIES, remark.message)
    return CheckedEntry(head[1] if head else "", "unknown", (finding,), file=remark.file, line=remark.line)


def _told(read: Read) -> list[Remark]:
    """Remarks on citations and duplicate entries, at most one of a kind for each place. If two entries are
    the same paper, there is only one remark on both."""
    told = (problem for problem in read.problems if problem.code != _OF_ENTRIES)
    once: dict[tuple[str, str], Problem] = {}
    for problem in told:
        same = problem.message if problem.code == "same-paper" else str(problem.span)
        once.setdefault((problem.code, same), problem)
    return [_remark(problem, read) for problem in once.values()]


def _unused(entries: Iterable[BibEntry], read: Read) -> list[Remark]:
    if read.citations is None:
        return []
    return [
        Remark("unused", not_cited(entry), "information", _name(entry.span.file, read), entry.line)
        for entry in unused(entries, {citation.key for citation in read.citations})
    ]


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


def not_cited(entry: BibEntry) -> str:
    return f"{entry.key} is not cited."


def _remark(problem: Problem, read: Read) -> Remark:
    file, start = problem.span.file, problem.span.start
    line = read.texts[file].count("\n", 0, start) + 1 if file in read.texts else 0
    return Remark(problem.code, problem.message, problem.severity, _name(file, read), line)


def _name(file: Path, read: Read) -> str:
    return Path(os.path.relpath(file, read.folder)).as_posix()


def _texts(sources: Mapping[Path, SourceFile], bibliographies: Iterable[Bibliography]) -> dict[Path, str]:
    texts = {path: source.text for path, source in sources.items()}
    store = FileStore()
    for bibliography in bibliographies:
        if bibliography.problems and bibliography.path not in texts:
            parsed = store.read(bibliography.path)
            texts |= {bibliography.path: parsed.text} if parsed else {}
    return texts
