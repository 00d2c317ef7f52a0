"""Offline knowledge of papers: records of a file that replaces the registries, the user's own index, and
fingerprints of all titles of a large collection.

Records of a file pass the gate for records (`admission`), because the file is foreign and its text is shown
to users. A fingerprint has 32 bits, so a title that is not in a collection of n titles counts as known with
the probability n / 2**32 (0.01 % for 400,000 titles, 0.2 % for DBLP's 7 million).
"""

from __future__ import annotations

import gzip
import html
import json
import re
import zlib
from array import array
from collections.abc import Iterator, Mapping
from contextlib import closing
from hashlib import blake2b
from pathlib import Path
from tokenize import TokenError
from typing import TYPE_CHECKING

from texgeist_latex.bib.authors import split_authors
from texgeist_latex.bib.identity import normalise_title
from texgeist_latex.entry_checks.details import DETAILS
from texgeist_latex.entry_checks.records import Records
from texgeist_latex.errors import Unreadable
from texgeist_latex.types import BibEntry, Span
from texgeist_retrieval.errors import SearchError
from texgeist_retrieval.sources.admission import NotAdmitted, admit
from texgeist_retrieval.types.papers import is_arxiv

if TYPE_CHECKING:
    import numpy
    from texgeist_retrieval.ports import Monitor
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
    with closing(index):
        status = index.status()
        if not status.metadata or not status.papers:
            return None, ""
        if status.papers > MOST_OF_AN_INDEX:
            return None, f"Your own index was not asked: it holds more than {MOST_OF_AN_INDEX:,} papers."
        # A paper without an origin may be made from an entry of a bibliography, and would confirm that entry.
        papers = (record_of(paper) for paper in index.papers() if paper.title and paper.origin)
        return Records(papers, "your own index", complete=False), ""


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


SUFFIX = ".titles.npy"
MAIN = 3  # a title before its subtitle has at least so many words
_HINT_TITLES = (
    "Give JSON lines, DBLP's XML, or a text with one title per line; plain or gzip. For example: `texgeist index titles "
    "dblp.xml.gz --out dblp.titles.npy`."
)
_XML_TITLE = re.compile(r"<title>(.{1,2000}?)</title>")
_SUBTITLE = re.compile(r"[:?!.–—]\s|\s-+\s")


class KnownTitles:
    """The fingerprints of a file. `name`: for messages."""

    def __init__(self, prints: numpy.ndarray, name: str) -> None:
        self._prints = prints
        self.name = f"{name} ({len(prints):,} fingerprints)"

    def knows(self, title: str) -> bool:
        """Whether the collection probably has a work with this title, in any spelling, with or without its
        subtitle."""
        print_ = _fingerprint(title)
        at = int(self._prints.searchsorted(print_))
        return at < len(self._prints) and int(self._prints[at]) == print_


def open_titles(path: Path) -> KnownTitles:
    """Opens a file that `write_titles` made. Raises `Unreadable`."""
    import numpy

    try:
        prints = numpy.lib.format.open_memmap(path, mode="r")
        if prints.dtype != numpy.dtype("<u4") or prints.ndim != 1 or not len(prints):
            raise ValueError("The array has another form.")
    except (OSError, ValueError, EOFError, TokenError) as error:
        raise Unreadable(
            f"{path} is not a file of title fingerprints.",
            "Make it, for example: `texgeist index titles dblp.xml.gz --out dblp.titles.npy`.",
        ) from error
    return KnownTitles(prints, path.name)


def write_titles(source: Path, target: Path, monitor: Monitor) -> int:
    """Writes the sorted fingerprints of the titles in `source`, and of the main titles before a subtitle.
    Returns the number of titles. Raises `Unreadable` if there are none."""
    import numpy

    prints, count = array("I"), 0
    for title in titles_of(source):
        main = _SUBTITLE.split(title, maxsplit=1)[0]
        prints.append(_fingerprint(title))
        if main != title and len(main.split()) >= MAIN:
            prints.append(_fingerprint(main))
        count += 1
        if count % 10_000 == 0:
            monitor.report("Reading titles", count, None)
    if not count:
        raise Unreadable(f"{source} has no titles.", _HINT_TITLES)
    with target.open("wb") as file:
        numpy.save(file, numpy.unique(numpy.frombuffer(prints, dtype="<u4")))
    return count


def titles_of(source: Path) -> Iterator[str]:
    """The titles of a metadata dump: JSON lines (arXiv, OpenAlex, Crossref), DBLP's XML, or a text with one title per
    line; also as `.gz`. Raises `Unreadable`."""
    kind = source.with_suffix("").suffix if source.suffix == ".gz" else source.suffix
    for line in lines_of(source, _HINT_TITLES):
        if kind in (".jsonl", ".json", ".ndjson"):
            title = _json_title(line)
        elif kind == ".xml":
            match = _XML_TITLE.search(line)
            title = html.unescape(re.sub(r"<[^>]*>", "", match[1])) if match else ""
        else:
            title = line
        if any(letter.isalnum() for letter in title):
            yield title.strip()


def _json_title(line: str) -> str:
    try:
        read = json.loads(line.strip().rstrip(","))
    except (ValueError, RecursionError):
        return ""
    record = read.get("fields", read) if isinstance(read, Mapping) else {}
    title = (record.get("title") or record.get("display_name")) if isinstance(record, Mapping) else ""
    first = title[0] if isinstance(title, list) and title else title  # Crossref has lists
    return " ".join(first.split()) if isinstance(first, str) else ""


def _fingerprint(title: str) -> int:
    return int.from_bytes(blake2b(normalise_title(title).encode(), digest_size=4).digest(), "little")
