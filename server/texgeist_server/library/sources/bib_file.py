"""The entries of a `.bib` file as papers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.harvest.records import Attached, Record, Unreadable, no_files, one_line
from texgeist_retrieval.types import Paper

from .asked import Asked

if TYPE_CHECKING:
    from texgeist_latex.types import BibEntry


def open_bib(asked: Asked) -> BibEntries:
    from texgeist_latex.tex.encodings import decode

    return BibEntries(asked.path, decode(asked.path, asked.path.read_bytes()).text, asked.attached)


class BibEntries:
    """The entries of a bibliography. Those without an abstract are counted and left out by the index."""

    def __init__(self, path: Path, text: str, attached: Attached = no_files) -> None:
        from texgeist_latex.bib.parser import read_bib

        self._path = path
        self._attached = attached
        read = read_bib(path, text)
        self._entries = read.entries
        self._broken = [(text.count("\n", 0, p.span.start) + 1, p.message) for p in read.problems]
        self.position = 0
        self.size: int | None = len(self._entries)

    def __iter__(self) -> Iterator[Record | Unreadable]:
        for line, message in self._broken:
            yield Unreadable(f"{self._path.name}, line {line}", message)
        for self.position, entry in enumerate(self._entries, 1):  # noqa: B020
            try:
                yield Record(paper_of_entry(entry, self._path.parent, self._attached))
            except ValueError as error:
                yield Unreadable(f"{self._path.name}, line {entry.line}", str(error))


def paper_of_entry(entry: BibEntry, folder: Path, attached: Attached = no_files) -> Paper:
    """An entry as a paper: LaTeX read as text, attached PDFs looked up. Raises `ValueError` without title."""
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
    return Paper(
        id=arxiv or (f"doi:{doi}" if doi else f"bib:{entry.key}"),
        title=title,
        abstract=one_line(plain(fields.get("abstract", ""))),
        authors=tuple(
            _readable(name) for name in split_authors(fields.get("author", "")) if name != "others"
        ),
        year=year,
        published=_date(fields, year),
        primary=primary,
        categories=(primary,) if primary else (),
        doi=doi,
        venue=one_line(plain(venue)),
        url=fields.get("url", ""),
        files=_attached_to(fields.get("file", ""), folder, attached),
    )


def _attached_to(field: str, folder: Path, attached: Attached) -> tuple[str, ...]:
    """Where no file counts, none is looked for either: a path may name another machine."""
    from texgeist_retrieval.fulltext.attached import attached_pdfs

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
