"""What `texgeist index add` and `sync` take papers from: the user's files, and arXiv."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import PaperUnreadable, SourceUnavailable
from texgeist_retrieval.harvest.records import Attached, Record, RecordFile, Unreadable, no_files, one_line
from texgeist_retrieval.types import Paper

if TYPE_CHECKING:
    from texgeist_latex.types import BibEntry
    from texgeist_retrieval.harvest.fetch import Fetcher
    from texgeist_retrieval.index.hashes import HashTable
    from texgeist_retrieval.index.update import Source
    from texgeist_retrieval.ports import Monitor

    from ..config.settings import Settings

QUERY = re.compile(r"^(?:api:|(?=(?:cat|ti|au|abs|all|co|jr|rn|submittedDate):))", re.IGNORECASE)
OAI = re.compile(r"^oai(?::(?P<set>[\w:.-]*))?$", re.IGNORECASE)
SUFFIXES = (".bib", ".jsonl", ".json", ".ndjson", ".gz", ".zip")
FORMS = (
    "a .bib file, JSON lines (.jsonl, .json, .gz, .zip), a folder of PDFs, oai or oai:cs (all that is new "
    "on arXiv), or a query such as cat:cs.CL"
)


def open_source(
    text: str, settings: Settings, table: HashTable, monitor: Monitor, since: str | None = None
) -> Source:
    """The source that `text` names. Raises `SourceUnavailable` with the forms that are understood.

    Without `since`, arXiv is asked for what changed since the last run from the same source; with "" for
    all."""
    if since is None:
        since = table.last_run(text)
    if match := OAI.match(text):
        return _harvest(match["set"] or "", settings, since, monitor)
    if match := QUERY.match(text):
        return _query(text[match.end() :], settings, since, monitor)
    path = Path(text).expanduser()
    if path.is_dir():
        return PdfFolder(path, monitor)
    if path.suffix.lower() == ".bib":
        return BibFile(path, _files_of(path, settings))
    return RecordFile(path, tidy, _files_of(path, settings))


def _files_of(source: Path, settings: Settings) -> Attached:
    """Which of the files that a source names count: none of a stranger's, and of one that lies in the
    user's own folders (or is named there) those inside these folders."""
    from texgeist_retrieval.fulltext.attached import lies_within

    folders = [Path(folder).expanduser().resolve() for folder in settings.papers.folders]
    if not any(source.resolve().is_relative_to(folder) for folder in folders):
        return no_files
    return lambda named: tuple(
        name for name in named if isinstance(name, str) and lies_within(Path(name), folders)
    )


def check_source(text: str) -> None:
    """Raises `SourceUnavailable` for what is no source, before an index is opened or made for it."""
    if OAI.match(text) or QUERY.match(text):
        return
    path = Path(text).expanduser()
    if path.suffix.lower() == ".parquet":
        raise SourceUnavailable(f"{path.name} holds vectors.", f"Use `texgeist index import {text}`.")
    if not text.isprintable():  # bytes that are no letters cannot be remembered as a source
        raise SourceUnavailable("The name of the source holds signs that are no letters.", "Rename the file.")
    if not text.strip() or not path.exists():
        raise SourceUnavailable(f"There is no {text or 'source of that name'}.", f"A source is {FORMS}.")
    if path.is_dir():
        return
    if path.suffix.lower() not in SUFFIXES:
        raise SourceUnavailable(f"{path.name} is no source of papers.", f"A source is {FORMS}.")
    from texgeist_latex.disk.limits import help_for, limit_of, regular, unread_because

    state = regular(path)
    if state is None:  # a pipe or a device has no end
        raise SourceUnavailable(f"{path.name} is no regular file, and was not read.", f"A source is {FORMS}.")
    if path.suffix.lower() == ".bib" and state.st_size > limit_of(path):
        raise SourceUnavailable(f"{path.name} {unread_because(path)}.", help_for(path))


def tidy(text: str) -> str:
    """TeX accents of names and titles as letters (`Schr\\"odinger`), as arXiv's metadata has them."""
    if "\\" not in text and "{" not in text:
        return text
    from texgeist_latex.tex.accents import read_accents

    return read_accents(text)


class BibFile:
    """The entries of a `.bib` file. Those without an abstract are counted and left out by the index."""

    def __init__(self, path: Path, attached: Attached = no_files) -> None:
        from texgeist_latex.bib.parser import read_bib
        from texgeist_latex.tex.encodings import decode

        self._path = path
        self._attached = attached
        text = decode(path, path.read_bytes()).text
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


class PdfFolder:
    """The PDFs of a folder, each by what stands on its first page. What cannot be read is reported."""

    def __init__(self, folder: Path, monitor: Monitor) -> None:
        self._folder = folder
        self._files = sorted(path for path in folder.rglob("*") if path.suffix.lower() == ".pdf")
        if not self._files:
            raise SourceUnavailable(f"There are no PDFs in {folder}.", f"A source is {FORMS}.")
        self._monitor = monitor
        self.position = 0
        self.size: int | None = len(self._files)

    def __iter__(self) -> Iterator[Record | Unreadable]:
        for self.position, path in enumerate(self._files, 1):  # noqa: B020
            self._monitor.report(f"Reading {path.name}")
            try:
                yield Record(paper_of_pdf(path, self._monitor))
            except PaperUnreadable as error:
                yield Unreadable(path.name, str(error))
            except OSError as error:
                yield Unreadable(path.name, error.strerror or "it cannot be opened")


ABSTRACT = re.compile(
    r"(?:^|\n)\W*abstract\b[\s.:—–-]*(?P<text>.{80,4000}?)"
    r"(?=\n\W*(?:\d+\W*\s+|I\.\s+)?(?:introduction|keywords|index terms|ccs concepts|key words)\b|\Z)",
    re.IGNORECASE | re.DOTALL,
)
MADE_UP_TITLE = re.compile(
    r"^(?:untitled|microsoft word|.*\.(?:tex|dvi|docx?|indd|pdf)$|[\d.\sv/-]*$)", re.IGNORECASE
)
LONGEST_ABSTRACT = 2500  # code points


def paper_of_pdf(path: Path, monitor: Monitor | None = None) -> Paper:
    """A PDF as a paper. The title is the one that the file itself names, else the file's name, as
    reference managers make it; the abstract what follows that word on the first two pages.

    Raises `PaperUnreadable`."""
    import hashlib

    from texgeist_retrieval.fulltext.pdf import extract_all
    from texgeist_retrieval.harvest.atom import ARXIV_ID

    data = path.read_bytes()
    said = extract_all(data, monitor)
    first = "\n".join(said["pages"][:2]).replace("\r", "")
    match = ABSTRACT.search(first)
    body = one_line(match["text"] if match else first)[:LONGEST_ABSTRACT]
    if len(body) < 80:
        raise PaperUnreadable("Its first pages hold no text.")
    stamp = re.search(rf"arXiv:\s*({ARXIV_ID.pattern})", first)
    named = ARXIV_ID.fullmatch(path.stem) or ARXIV_ID.fullmatch(path.stem.replace("_", "/", 1))
    found = stamp or named
    title = one_line(said.get("title"))
    digest = hashlib.sha256(data).hexdigest()[:16]
    return Paper(
        id=found["id"] if found else f"pdf:{digest}",
        title=title if title and not MADE_UP_TITLE.match(title) else _title_of_name(path.stem),
        abstract=body,
        authors=tuple(filter(None, map(one_line, re.split(r"[;,]|\band\b", said.get("author") or "")))),
        files=(str(path.resolve()),),
    )


def _title_of_name(stem: str) -> str:
    """Zotero names files `Smith et al. - 2020 - Title`."""
    return one_line(re.split(r"\s-\s(?:\d{4}\s-\s)?", stem)[-1].replace("_", " "))


def _harvest(set_: str, settings: Settings, since: str, monitor: Monitor) -> Source:
    from texgeist_retrieval.harvest.arxiv import OaiHarvest
    from texgeist_retrieval.network.addresses import host_of, is_arxiv

    mirror = settings.papers.arxiv_address.rstrip("/")
    address = "" if is_arxiv(host_of(mirror)) else f"{mirror}/oai"
    return OaiHarvest(_fetcher(settings), address, set_, since, monitor)


def _query(query: str, settings: Settings, since: str, monitor: Monitor) -> Source:
    from texgeist_retrieval.harvest.arxiv import ApiQuery

    return ApiQuery(_fetcher(settings), query, settings.papers.arxiv_address, since, monitor)


def _fetcher(settings: Settings) -> Fetcher:
    from texgeist_retrieval.harvest.fetch import Fetcher
    from texgeist_retrieval.harvest.gate import Gate, gate_name

    name = gate_name(settings.papers.arxiv_address)
    return Fetcher(Gate(settings.papers.arxiv_gate_seconds, name), total_s=600.0, silence_s=60.0)
