"""Reads the entries of a `.bib` file as papers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import NoSource, PaperUnreadable
from texgeist_retrieval.monitor import SILENT
from texgeist_retrieval.sources.records import Attached, Record, UnreadableRecord, no_files, one_line
from texgeist_retrieval.types import Paper
from texgeist_retrieval.types.papers import DETAILS, ENTRY_TYPES

from . import SourceRequest
from .pdfs import record_of_pdf

if TYPE_CHECKING:
    from texgeist_latex.types import BibEntry
    from texgeist_retrieval.ports import Monitor

    from ...bibliography_checks.lookups import AbstractLookup


def open_bib(asked: SourceRequest) -> BibEntries:
    from texgeist_latex.tex.encodings import decode

    text = decode(asked.path, asked.path.read_bytes()).text
    return BibEntries(asked.path, text, asked.attached, asked.monitor, asked.abstracts)


SAMPLE = re.compile(r"sample$", re.IGNORECASE)


def open_sample(asked: SourceRequest) -> BibEntries:
    """The entries of the sample library, a file in the wheel or in the checkout. Raises `NoSource` if there
    is no such file."""
    here = Path(__file__).resolve()
    for file in (here.parent.parent / "sample.bib", here.parents[4] / "examples" / "library.bib"):
        if file.is_file():
            return BibEntries(file, file.read_text("utf-8"))
    raise NoSource("The sample library is missing.", "Install texgeist again.")


class BibEntries:
    """The entries of a bibliography, each with the full text of its attached PDF. The abstract comes from the
    entry, else from `abstracts`, else from the PDF."""

    def __init__(
        self,
        path: Path,
        text: str,
        attached: Attached = no_files,
        monitor: Monitor = SILENT,
        abstracts: AbstractLookup | None = None,
    ) -> None:
        from texgeist_latex.bib.parser import read_bib

        self._path = path
        self._attached = attached
        self._monitor = monitor
        self._abstracts = abstracts
        read = read_bib(path, text)
        self._entries = read.entries
        self._broken = [(text.count("\n", 0, p.span.start) + 1, p.message) for p in read.problems]
        self.position = 0
        self.size: int | None = len(self._entries)

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        for line, message in self._broken:
            yield UnreadableRecord(f"{self._path.name}, line {line}", message)
        found = self._abstracts.of(self._entries) if self._abstracts else {}
        for self.position, entry in enumerate(self._entries, 1):  # noqa: B020
            try:
                paper = paper_of_entry(entry, self._path.parent, self._attached)
            except ValueError as error:
                yield UnreadableRecord(f"{self._path.name}, line {entry.line}", str(error))
            else:
                paper = replace(paper, abstract=paper.abstract or found.get(entry.key, ""))
                yield from with_text(paper, self._monitor)


def with_text(paper: Paper, monitor: Monitor) -> Iterator[Record | UnreadableRecord]:
    """The paper with the text of its first readable PDF, whose abstract is used if the source has none.
    Unreadable PDFs are reported, and the paper is yielded in any case."""
    found = Record(paper)
    for path in map(Path, paper.files):
        monitor.report(f"Reading {path.name}")
        try:
            read = record_of_pdf(path, monitor)
        except (PaperUnreadable, OSError) as error:
            reason = error.strerror or "it cannot be opened" if isinstance(error, OSError) else str(error)
            yield UnreadableRecord(path.name, reason)
            continue
        told = replace(paper, abstract=paper.abstract or read.paper.abstract)
        found = Record(told, sections=read.sections, note=read.note)
        break
    yield found


def paper_of_entry(entry: BibEntry, folder: Path, attached: Attached = no_files) -> Paper:
    """The paper that an entry describes, with LaTeX converted to text and the paths of attached PDFs. Raises
    `ValueError` if the entry has no title."""
    from texgeist_latex.bib.authors import split_authors
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of, year_of
    from texgeist_latex.tex.plaintext import plain

    fields = entry.fields
    title = one_line(plain(fields.get("title", "")))
    if not title:
        raise ValueError(f"the entry {entry.key} has no title")
    arxiv, doi = arxiv_id_of(entry), doi_of(entry)
    venue = fields.get("journal") or fields.get("journaltitle") or fields.get("booktitle") or ""
    primary = fields.get("primaryclass") or fields.get("eprintclass") or ""
    year = year_of(entry)
    edited = entry.type in ("book", "proceedings")  # the editors of a book did not write its chapters
    names = fields.get("author") or (fields.get("editor", "") if edited else "")
    return Paper(
        id=arxiv or (f"doi:{doi}" if doi else f"bib:{entry.key}"),
        title=title,
        abstract=one_line(plain(fields.get("abstract", ""))),
        authors=tuple(map(_readable, split_authors(names))),
        year=year,
        published=_date(fields, year),
        primary=primary,
        categories=(primary,) if primary else (),
        doi=doi,
        venue=one_line(plain(venue)),
        url=fields.get("url", ""),
        kind=entry.type if entry.type in ENTRY_TYPES else "",
        details=tuple(f"{name}={one_line(plain(fields[name]))}" for name in DETAILS if fields.get(name)),
        files=_attached_to(fields.get("file", ""), folder, attached),
    )


def _attached_to(field: str, folder: Path, attached: Attached) -> tuple[str, ...]:
    """The PDFs in a `file` field that `attached` accepts. If `attached` accepts no file at all, the paths are
    not looked up on disk, because a path may lead to another machine."""
    from texgeist_retrieval.fulltext.local import attached_pdfs

    if attached is no_files:
        return ()
    return attached([str(path) for path in attached_pdfs(field, folder)])


def _readable(name: str) -> str:
    """`Last, First` as `First Last`."""
    from texgeist_latex.bib.authors import parse_name

    parsed = parse_name(name)
    return one_line(" ".join((parsed.first, parsed.last, parsed.suffix)))


def _date(fields: dict[str, str], year: int | None) -> str:
    date = fields.get("date", "")
    return date[:10] if re.match(r"^\d{4}(-\d\d(-\d\d)?)?", date) else str(year or "")
