"""Records of papers as they come from files: JSON lines of our own form and of arXiv's snapshot.

Streamed: memory does not grow with the file. Plain, `.gz` and `.zip` (the snapshot's own packing)."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any, BinaryIO, cast

from ..errors import SourceUnavailable
from ..types import Paper

Tidy = Callable[[str], str]
Attached = Callable[[Sequence[str]], tuple[str, ...]]
WITHDRAWN = re.compile(
    r"^\W*(?:this|the)\s+(?:\w+\s+)?(?:paper|article|submission|manuscript|work|preprint|version)\s+"
    r"(?:has\s+been|have\s+been|was|is|had\s+been)\s+(?:\w+\s+){0,2}withdrawn"
    r"|^\W*(?:paper\s+|article\s+|submission\s+)?withdrawn\b|\bwithdrawn\s+by\s+(?:the\s+)?(?:author|arxiv)",
    re.IGNORECASE,
)
MONTHS = {name: f"{number:02}" for number, name in enumerate(
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """One paper of a source. `gone`: withdrawn or deleted there, so that it leaves the index."""

    paper: Paper
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line or entry that is no record; it is counted and reported, and the rest goes on."""

    where: str
    reason: str


def no_files(named: Sequence[str]) -> tuple[str, ...]:
    return ()


class RecordFile:
    """The records of one file. `position` and `size` are bytes of the file, for a progress bar."""

    def __init__(self, path: Path, tidy: Tidy = str, attached: Attached = no_files) -> None:
        """`attached` picks those of the local files that a record names which count as its PDFs. A stranger
        may name any file of this machine, and what is in it would go to a model: by default none counts."""
        self._path = path
        self._tidy = tidy
        self._attached = attached
        self._raw: BinaryIO | None = None
        self._position = 0
        try:
            self.size = path.stat().st_size
        except OSError as error:
            raise SourceUnavailable(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error

    @property
    def position(self) -> int:
        raw = self._raw
        if raw is not None and not raw.closed:
            self._position = raw.tell()
        return self._position

    def __iter__(self) -> Iterator[Record | Unreadable]:
        try:
            with self._path.open("rb") as self._raw, self._unpacked(self._raw) as lines:
                yield from self._read(lines)
            self._position = self.size
        except (OSError, EOFError, zipfile.BadZipFile, gzip.BadGzipFile) as error:
            raise SourceUnavailable(
                f"{self._path.name} breaks off or is damaged ({error}).",
                "What was read is in the index; get the file again and repeat the command.",
            ) from error

    def _read(self, lines: IO[bytes]) -> Iterator[Record | Unreadable]:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                record = read_record(json.loads(line), self._tidy)
                yield replace(record, paper=replace(record.paper, files=self._attached(record.paper.files)))
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                yield Unreadable(f"{self._path.name}, line {number}", _reason(error))

    def _unpacked(self, raw: BinaryIO) -> IO[bytes]:
        start = raw.read(4)
        raw.seek(0)
        if start[:2] == b"\x1f\x8b":
            return cast("IO[bytes]", gzip.open(raw))
        if start == b"PK\x03\x04":
            archive = zipfile.ZipFile(raw)
            largest = max(archive.infolist(), key=lambda item: item.file_size)
            return archive.open(largest)
        return raw


def read_record(line: Mapping[str, Any], tidy: Tidy = str) -> Record:
    """A record of either form. `tidy` turns TeX accents of names and titles into letters.

    Raises `KeyError`, `ValueError` and `TypeError` for what is no record."""
    if not isinstance(line, dict):
        raise ValueError("no JSON object")
    comments = line.get("comments") or ""
    paper = _snapshot(line, tidy) if "versions" in line or "authors_parsed" in line else _plain(line, tidy)
    gone = bool(line.get("withdrawn") or line.get("deleted")) or is_withdrawn(paper.abstract, comments)
    return Record(paper, gone)


def is_withdrawn(abstract: str, comments: str) -> bool:
    """arXiv marks a withdrawal in words alone: in the comments, or where the abstract stood."""
    return "withdrawn" in (comments + abstract[:200]).lower() and bool(
        WITHDRAWN.search(comments) or WITHDRAWN.match(abstract)
    )


def one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _plain(line: Mapping[str, Any], tidy: Tidy) -> Paper:
    authors = line.get("authors") or ()
    if isinstance(authors, str):
        authors = re.split(r"\s*;\s*|\s+and\s+|,\s*", authors)
    published = str(line.get("published") or line.get("created") or line.get("date") or "")[:10]
    year = line.get("year") or published[:4]
    return Paper(
        id=_id(line["id"]),
        title=one_line(tidy(line["title"])),
        abstract=one_line(line.get("abstract")),
        authors=tuple(one_line(tidy(name)) for name in authors if name),
        year=int(year) if str(year).isdigit() else None,
        published=published,
        updated=str(line.get("updated") or "")[:10],
        primary=line.get("primary") or "",
        categories=_words(line.get("categories")),
        doi=line.get("doi") or "",
        venue=one_line(line.get("venue") or line.get("journal-ref")),
        url=line.get("url") or "",
        topic=line.get("topic") or "",
        files=tuple(line.get("files") or ()),
    )


def _snapshot(line: Mapping[str, Any], tidy: Tidy) -> Paper:
    versions = line.get("versions") or []
    published = _date(versions[0]["created"]) if versions else str(line.get("update_date") or "")
    categories = _words(line.get("categories"))
    id_ = _id(line["id"])
    return Paper(
        id=id_,
        title=one_line(tidy(line["title"])),
        abstract=one_line(line.get("abstract")),
        authors=tuple(_name(parts, tidy) for parts in line.get("authors_parsed") or ()),
        year=int(published[:4]) if published[:4].isdigit() else None,
        published=published,
        updated=str(line.get("update_date") or ""),
        version=len(versions) or None,
        primary=categories[0] if categories else "",
        categories=categories,
        doi=line.get("doi") or "",
        venue=one_line(line.get("journal-ref")),
        url=f"https://arxiv.org/abs/{id_}",
    )


def _id(value: object) -> str:
    text = str(value).strip()
    if not text or len(text) > 250:
        raise ValueError("no id")
    return text


def _name(parts: Sequence[str], tidy: Tidy) -> str:
    """`["Balázs", "C.", ""]` as `C. Balázs`."""
    last, first, *suffix = [*parts, "", ""]
    return one_line(tidy(" ".join((first, last, suffix[0]))))


def _date(text: str) -> str:
    """`Mon, 2 Apr 2007 19:18:42 GMT` as `2007-04-02`; "" where it is none."""
    words = text.split()
    if len(words) < 4 or words[2] not in MONTHS:
        return ""
    return f"{words[3]}-{MONTHS[words[2]]}-{words[1]:>02}"


def _words(value: Any) -> tuple[str, ...]:
    return tuple(value.split()) if isinstance(value, str) else tuple(map(str, value or ()))


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error}"
    return "it is no JSON" if isinstance(error, json.JSONDecodeError) else str(error)
