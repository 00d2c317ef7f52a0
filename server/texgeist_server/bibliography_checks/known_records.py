"""Sources of paper records: a file that replaces the registries, and the user's own index.

Records of a file pass the gate for records (`admission`), because the file is foreign and its text is shown
to users.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.bib.authors import split_authors
from texgeist_latex.entry_checks.details import DETAILS
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.errors import Unreadable
from texgeist_latex.types import BibEntry, Span
from texgeist_retrieval.errors import SearchError
from texgeist_retrieval.sources.admission import NotAdmitted, admit
from texgeist_retrieval.types.papers import is_arxiv

if TYPE_CHECKING:
    from texgeist_retrieval.ports import PaperIndex
    from texgeist_retrieval.sources.registered import Registered
    from texgeist_retrieval.types import Paper

    from ..config.settings import Settings

LONGEST_LINE = 1 << 20  # characters
MOST_OF_AN_INDEX = 50_000  # papers; larger indexes are not used
_NOWHERE = Span(Path(), 0, 0)
_HINT = "Give JSON lines, plain or gzip, each with `type` and `fields` of a bibliography entry."


def read_registry(path: Path) -> tuple[Records, int]:
    """Returns the records of a file and the number of invalid lines. Raises `Unreadable`."""
    records, bad = [], 0
    for line in lines_of(path, _HINT):
        record = _record(line)
        if record is None:
            bad += 1
        else:
            records.append(record)
    if not records:
        raise Unreadable(f"{path.name} holds no record of a paper.", _HINT)
    return Records(records, path.name), bad


def own_index(settings: Settings) -> tuple[Records | None, str]:
    """Returns the papers of the user's index as records, without papers that came from a bibliography. If the
    index is not used, returns None, and the reason if the user should know it. No index is complete, so a
    missing paper proves nothing."""
    from ..config.credentials import keys_from_environment
    from ..index_places import index_place, open_place

    place = index_place(settings, keys_from_environment())
    if not place.on_this_disk:
        return None, ""
    try:
        index = open_place(settings, place)
    except SearchError as error:
        return None, f"Your own index was not asked: {error.sentence()}"
    try:
        return _records_of(index)
    finally:
        index.close()


def _records_of(index: PaperIndex) -> tuple[Records | None, str]:
    status = index.status()
    if not status.metadata or not status.papers:
        return None, ""
    if status.papers > MOST_OF_AN_INDEX:
        return None, f"Your own index was not asked: it holds more than {MOST_OF_AN_INDEX:,} papers."
    return Records(map(record_of, _witnesses(index.papers())), "your own index", asked=()), ""


def _witnesses(papers: Iterable[Paper]) -> Iterator[Paper]:
    """The papers that have a title and a known origin. A paper without an origin may have been made from a
    bibliography entry, and would then confirm that entry."""
    return (paper for paper in papers if paper.title and paper.origin)


def record_of(paper: Paper, registered: Registered | None = None) -> BibEntry:
    """The paper as a bibliography entry. A paper without a venue counts as a preprint."""
    arxiv = paper.id if is_arxiv(paper.id) else ""
    fields = {
        "title": paper.title,
        "author": " and ".join(name.replace(" and ", " ") for name in paper.authors),
        "year": str(paper.year or ""),
        "journal": paper.venue,
        "doi": paper.doi,
        "eprint": arxiv,
    }
    kind = "article"
    if registered is not None:
        fields |= {"volume": registered.volume, "number": registered.number, "pages": registered.pages}
        if registered.kind == "inproceedings":
            kind, fields["booktitle"] = "inproceedings", fields.pop("journal")
    return BibEntry(paper.id, kind, {n: v for n, v in fields.items() if v}, _NOWHERE, 0)


def _record(line: str) -> BibEntry | None:
    """The record in a line of JSON; None if the line is not a valid record."""
    try:
        read = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fields = read.get("fields") if isinstance(read, dict) else None
    if not isinstance(fields, dict):
        return None
    said = {name.lower(): value for name, value in fields.items() if isinstance(value, str)}
    try:
        paper = admit({
            "id": "record",
            "title": said.get("title"),
            "authors": split_authors(said.get("author", "")),
            "venue": said.get("booktitle") or said.get("journal"),
            "doi": said.get("doi"),
            "url": said.get("url"),
        })  # fmt: skip
    except NotAdmitted:
        return None
    if not paper.title:
        return None
    kept = {"title": paper.title, "author": " and ".join(paper.authors), "booktitle": paper.venue}
    kept |= {"doi": paper.doi, "url": paper.url}
    kept |= {name: said[name][:100] for name in ("year", "eprint", "archiveprefix", *DETAILS) if name in said}
    kind = read.get("type")
    return BibEntry(
        "", kind if isinstance(kind, str) else "misc", {n: v for n, v in kept.items() if v}, _NOWHERE, 0
    )


def lines_of(path: Path, hint: str) -> Iterator[str]:
    """The lines of a file, plain or gzip, without empty lines. Raises `Unreadable` with the `hint`."""
    try:
        with path.open("rb") as raw:
            packed = raw.read(2) == b"\x1f\x8b"
            raw.seek(0)
            lines = gzip.GzipFile(fileobj=raw) if packed else raw
            while line := lines.readline(LONGEST_LINE):
                if line.strip():
                    yield line.decode("utf-8", "replace")
    except (OSError, EOFError, zlib.error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is damaged"
        raise Unreadable(f"{path} cannot be read: {reason}.", hint) from error
