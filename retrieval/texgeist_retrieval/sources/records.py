"""Reads records of papers from files of JSON lines, in the format of texgeist or of arXiv's snapshot. The
files may be compressed as `.gz` or `.zip` (like the snapshot). They are streamed, so memory use does not grow
with the file."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import IO, BinaryIO, Protocol, cast

from ..errors import NoSource
from ..types import Paper, TextSection
from .admission import AUTHOR_BYTES, MOST_TITLE, NotAdmitted, admit, admitted_sections, with_abstract

LONGEST_LINE = 4 << 20  # bytes
Tidy = Callable[[str], str]
Attached = Callable[[Sequence[str]], tuple[str, ...]]
_BETWEEN_NAMES = re.compile(r" ?; ?| and |, ?")
_TEXT = "(?:paper|article|submission|manuscript|work|preprint|version|comment)"
_WITHDRAWN = re.compile(
    rf"\b(?:this|the) {_TEXT} (?:is|was|(?:has|have|had|is|was|will) (?:(?!not )\w+ ){{0,2}}?be(?:en)?) (?:\w+ )?withdrawn\b"
    rf"|^\W*(?:{_TEXT} )?withdr(?:awn|ew)(?=\W*$|[^\w\s]| (?:by|due|because|for|from|as|pending|since|until|in|and|to)\b)"
    r"|\bwithdrawn by (?:the )?(?:author|arxiv)",
    re.IGNORECASE,
)
MONTHS = {name: f"{number:02}" for number, name in enumerate(
    ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"), 1)}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Record:
    """A paper of a source. `gone`: the paper was withdrawn or deleted, and must be removed from the index.
    `sections`: the full text, empty if the source has only the abstract. `note`: how the full text was read,
    for the user."""

    paper: Paper
    gone: bool = False
    sections: tuple[TextSection, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class UnreadableRecord:
    """A line or entry that is not a valid record. It is counted and reported, and reading continues."""

    where: str
    reason: str


class RecordSource(Protocol):
    """An iterable of records, with the reading `position` and the `size` of the source, in the same unit;
    `size` is None if unknown."""

    @property
    def position(self) -> int: ...

    @property
    def size(self) -> int | None: ...

    def __iter__(self) -> Iterator[Record | UnreadableRecord]: ...


def no_files(named: Sequence[str]) -> tuple[str, ...]:
    return ()


class RecordFile:
    """The records of a file. `position` and `size` are bytes of the file, for a progress bar."""

    def __init__(self, path: Path, tidy: Tidy = str, attached: Attached = no_files) -> None:
        """`tidy`: converts TeX accents in names and titles. `attached`: selects the files that may be used as
        PDFs from the files that a record names. By default no file may be used: an untrusted record could
        name any file of this machine, which would then be sent to a model."""
        self._path = path
        self._tidy = tidy
        self._attached = attached
        self._raw: BinaryIO | None = None
        self._position = 0
        try:
            self.size = path.stat().st_size
        except OSError as error:
            raise NoSource(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error

    @property
    def position(self) -> int:
        raw = self._raw
        if raw is not None and not raw.closed:
            self._position = raw.tell()
        return self._position

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        begun = False
        try:
            with self._path.open("rb") as self._raw, self._unpacked(self._raw) as lines:
                for record in self._read(lines):
                    begun = True
                    yield record
            self._position = self.size
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error, RuntimeError) as error:  # locked archives
            raise NoSource(
                f"{self._path.name} {'breaks off or is damaged' if begun else 'cannot be read'} ({error}).",
                "What was read is in the index; get the file again and repeat the command."
                if begun
                else "Nothing was taken in: it is no archive or text of records. Get the file again.",
            ) from error

    def _read(self, lines: IO[bytes]) -> Iterator[Record | UnreadableRecord]:
        for number in count(1):
            if not (line := lines.readline(LONGEST_LINE)):
                return
            where = f"{self._path.name}, line {number}"
            if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
                while (part := lines.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
                    pass
                yield UnreadableRecord(where, f"it is longer than {LONGEST_LINE >> 20} MB")
            elif line.strip():
                try:
                    record = read_record(json.loads(line), self._tidy)
                except (ValueError, KeyError, RecursionError) as error:
                    yield UnreadableRecord(where, _reason(error))
                else:
                    files = self._attached(record.paper.files)
                    yield replace(record, paper=replace(record.paper, files=files))

    def _unpacked(self, raw: BinaryIO) -> IO[bytes]:
        start = raw.read(4)
        raw.seek(0)
        if start[:2] == b"\x1f\x8b":
            return cast("IO[bytes]", gzip.open(raw))
        if start == b"PK\x03\x04":
            archive = zipfile.ZipFile(raw)
            if not archive.infolist():
                raise zipfile.BadZipFile("there is nothing in it")
            largest = max(archive.infolist(), key=lambda item: item.file_size)
            return archive.open(largest)
        return raw


def read_record(line: object, tidy: Tidy = str) -> Record:
    """Reads a record in either format. `tidy`: converts TeX accents in names and titles. Raises `KeyError` or
    `NotAdmitted` for an invalid record."""
    if not isinstance(line, dict):
        raise NotAdmitted("no JSON object")
    known = _snapshot(line, tidy) if "versions" in line or "authors_parsed" in line else _plain(line, tidy)
    sections = admitted_sections(line.get("sections"))
    paper = with_abstract(admit(known), sections)
    gone = bool(line.get("withdrawn") or line.get("deleted"))
    gone = gone or is_withdrawn(paper.abstract, _text(line.get("comments")))
    return Record(paper, gone, () if gone else sections)


def is_withdrawn(abstract: str, comments: str) -> bool:
    """Whether a paper is withdrawn. arXiv has no field for this: a sentence in the comments or at the beginning of the
    abstract says it. Finds 41 of 43 withdrawals among 20,000 records of arXiv, and nothing else."""
    said, first = _WITHDRAWN.search(one_line(comments)), _WITHDRAWN.search(one_line(abstract[:200]))
    return said is not None or (first is not None and first.start() < 3)


def one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _plain(line: Mapping[str, object], tidy: Tidy) -> dict[str, object]:
    published = _text(line.get("published") or line.get("created") or line.get("date"))[:10]
    year = line.get("year") or published[:4]
    return {
        **line,
        "id": line["id"],
        "title": _tidied(line["title"], tidy),
        "authors": [tidy(name) for name in _names(line.get("authors"))],
        "year": int(year) if isinstance(year, str) and re.fullmatch("[0-9]{1,4}", year) else year,
        "published": published,
        "categories": _split(line.get("categories")),
        "venue": line.get("venue") or line.get("journal-ref"),
        "origin": "",  # anybody can write such a file
    }


def _snapshot(line: Mapping[str, object], tidy: Tidy) -> dict[str, object]:
    versions = _list(line.get("versions"))
    first = versions[0] if versions and isinstance(versions[0], dict) else {}
    updated = _text(line.get("update_date"))
    published = _date(_text(first.get("created"))) if versions else updated
    categories = _split(line.get("categories"))
    return {
        "id": line["id"],
        "title": _tidied(line["title"], tidy),
        "abstract": line.get("abstract"),
        "authors": [_name(parts, tidy) for parts in _list(line.get("authors_parsed"))],
        "year": int(published[:4]) if re.match("[0-9]{4}", published) else None,
        "published": published,
        "updated": updated,
        "version": len(versions) or None,
        "primary": categories[0] if categories else "",
        "categories": categories,
        "doi": line.get("doi"),
        "venue": line.get("journal-ref"),
        "url": f"https://arxiv.org/abs/{str(line['id']).strip()}",
        "origin": "arXiv",
    }


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _tidied(title: object, tidy: Tidy) -> object:
    """The title with converted accents. An invalid title is returned unchanged, so that the gate rejects
    it."""
    return tidy(title) if isinstance(title, str) and len(title) <= MOST_TITLE else title


def _names(value: object) -> list[str]:
    """The names in a string (`A; B`, `A and B`, `A, B`), or in a list of strings or of objects with a
    name."""
    if isinstance(value, str):
        # collapses white space first, because the pattern takes quadratic time on runs of it
        return [name[:AUTHOR_BYTES] for name in _BETWEEN_NAMES.split(one_line(value))]
    names = (item.get("name") if isinstance(item, dict) else item for item in _list(value))
    return [name[:AUTHOR_BYTES] for name in names if isinstance(name, str)]


def _name(parts: object, tidy: Tidy) -> str:
    """`["Balázs", "C.", ""]` becomes `C. Balázs`."""
    last, first, suffix = [*map(_text, _list(parts)), "", "", ""][:3]
    return one_line(tidy(" ".join((first, last, suffix))[:AUTHOR_BYTES]))


def _date(text: str) -> str:
    """`Mon, 2 Apr 2007 19:18:42 GMT` becomes `2007-04-02`; "" for anything else."""
    words = text.split()
    if len(words) < 4 or words[2] not in MONTHS:
        return ""
    return f"{words[3]}-{MONTHS[words[2]]}-{words[1]:>02}"


def _split(value: object) -> list[object]:
    return list(value.split()) if isinstance(value, str) else _list(value)


def _reason(error: Exception) -> str:
    if isinstance(error, KeyError):
        return f"it has no {error}"
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    return str(error) if isinstance(error, NotAdmitted) else "it is no JSON"
