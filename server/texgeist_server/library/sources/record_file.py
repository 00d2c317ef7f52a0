"""Reads records in JSON: a record on each line, as in arXiv's snapshot and many exports, or a whole file with
one JSON value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from texgeist_retrieval.errors import NoSource
from texgeist_retrieval.sources.admission import NotAdmitted
from texgeist_retrieval.sources.records import Record, RecordFile, UnreadableRecord, read_record

from . import SourceRequest

SUFFIXES = (".jsonl", ".json", ".ndjson", ".gz", ".zip")
LARGEST = 64 << 20  # bytes of a file with one JSON value, which is loaded into memory


def open_records(asked: SourceRequest) -> RecordFile | WholeFile:
    if asked.path.suffix.lower() == ".json" and not _in_lines(asked.path):
        return WholeFile(asked.path)
    return RecordFile(asked.path, tidy, asked.attached)


def _in_lines(path: Path) -> bool:
    """Guesses whether the file has a record on each line, from its first line."""
    try:
        with path.open("rb") as file:
            first = file.readline(1 << 20).strip()
    except OSError:
        return True  # reading it will report the error
    return not first or (first.startswith(b"{") and first.endswith(b"}")) or first[:1] not in b"{["


class WholeFile:
    """A record or a list of records in one JSON value. Local files that the records name are ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.position = 0
        self.size: int | None = None

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        for number, value in enumerate(self._values(), 1):
            self.position = number
            try:
                record = read_record(value, tidy)
            except (ValueError, KeyError) as error:
                reason = str(error) if isinstance(error, NotAdmitted) else f"it is not a record ({error})"
                yield UnreadableRecord(f"{self._path.name}, record {number}", reason)
            else:
                yield replace(record, paper=replace(record.paper, files=()))

    def _values(self) -> list[object]:
        help_ = "Write one record a line into a .jsonl file."
        if self._path.stat().st_size > LARGEST:
            raise NoSource(f"{self._path.name} is one value of more than {LARGEST >> 20} MB.", help_)
        try:
            value = json.loads(self._path.read_bytes())
        except (ValueError, RecursionError) as error:
            raise NoSource(f"{self._path.name} is no JSON.", help_) from error
        values = value if isinstance(value, list) else [value]
        self.size = len(values)
        return values


def tidy(text: str) -> str:
    r"""Converts TeX accents in names and titles (`Schr\"odinger`) to letters, because arXiv's metadata
    contains such accents."""
    if "\\" not in text and "{" not in text:
        return text
    from texgeist_latex.tex.accents import read_accents

    return read_accents(text)
