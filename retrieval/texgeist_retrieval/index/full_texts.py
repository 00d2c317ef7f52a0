"""The full texts of an index, as passages in an SQLite file beside its hash table.

A full text is replaced in one transaction, so after an interruption it is there as before, or as a whole. The
passages that are searched, with their words and vectors, are in the snapshot, which is built from this file."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ..fulltext.sections import CHUNKING, chunks_of
from ..ports import Monitor
from ..sources.admission import clean_line, clean_lines
from ..types import Passage, SectionType, TextSection
from .hashes import Table, opened, recorded_hashes

MOST = 100_000  # a larger page or place is invalid
SECTIONS: tuple[SectionType, ...] = get_args(SectionType)
_TABLES = """
CREATE TABLE IF NOT EXISTS texts (paper TEXT PRIMARY KEY, digest BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (
    paper TEXT, place INTEGER, page INTEGER, section TEXT, heading TEXT, text TEXT, PRIMARY KEY (paper, place));
"""

FullText = tuple[str, tuple[TextSection, ...]]  # paper id and sections


class FullTexts(Table):
    """The file for writing. It has the digest of each text, so that unchanged texts are skipped. `new`,
    `unchanged` and `passages` count what `take` did."""

    def __init__(self, path: Path, monitor: Monitor) -> None:
        super().__init__(path, _TABLES)
        self._monitor = monitor
        self.new = self.unchanged = self.passages = 0

    def take(self, texts: Sequence[FullText]) -> None:
        """Stores new and changed texts."""
        known = dict(self._base.execute("SELECT paper, digest FROM texts"))
        for paper, sections in texts:
            digest = digest_of_text(sections)
            if known.get(paper) == digest:
                self.unchanged += 1
                continue
            self._monitor.check()
            passages = chunks_of(paper, sections)
            rows = [(paper, p.place, p.page, p.section, p.heading, p.text) for p in passages]
            with self._transaction():
                self._remove([paper])
                self._base.executemany("INSERT INTO passages VALUES (?,?,?,?,?,?)", rows)
                self._base.execute("INSERT INTO texts VALUES (?,?)", (paper, digest))
            self.new += 1
            self.passages += len(rows)

    def remove(self, papers: Sequence[str]) -> None:
        with self._transaction():
            self._remove(papers)

    def _remove(self, papers: Sequence[str]) -> None:
        for table in ("texts", "passages"):
            self._base.executemany(f"DELETE FROM {table} WHERE paper = ?", ((id_,) for id_ in papers))  # noqa: S608


@dataclass(frozen=True, slots=True)
class FullTextStatus:
    """`stamp`: changes with the texts and with the records of their papers."""

    papers: int = 0
    passages: int = 0
    stamp: str = ""


def status_of(texts: Path, hash_table: Path) -> FullTextStatus:
    """The status of the file `texts`; zeros if it is missing, or is no such file."""
    try:
        with closing(opened(texts)) as base:
            digests: dict[str, bytes] = dict(base.execute("SELECT paper, digest FROM texts"))
            passages = base.execute("SELECT count(*) FROM passages").fetchone()[0]
    except sqlite3.Error:
        return FullTextStatus()
    return FullTextStatus(len(digests), passages, _stamp(digests, recorded_hashes(hash_table, digests)))


def _stamp(digests: Mapping[str, bytes], records: Mapping[str, bytes]) -> str:
    """Derived from the hashes, so that it is correct even after an interruption between two writes."""
    rows = [f"{id_} {digests[id_].hex()} {records.get(id_, b'').hex()}\n" for id_ in sorted(digests)]
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:16]


def read_passages(texts: Path) -> list[Passage]:
    """All passages of the file, by paper and place. Raises `sqlite3.Error`."""
    with closing(opened(texts)) as base:
        rows = base.execute(
            "SELECT paper, place, page, section, heading, text FROM passages ORDER BY paper, place"
        )
        return [passage_of(*row) for row in rows]


def passage_of(
    paper: object, place: object, page: object, section: object, heading: object, text: object
) -> Passage:
    """The passage of a row. The file may come from others, so invalid values count as missing."""
    return Passage(
        str(paper or ""),
        _count(page) or None,
        clean_lines(str(text or "")),
        None,
        section if section in SECTIONS else "other",
        clean_line(str(heading or "")),
        _count(place),
    )


def _count(value: object) -> int:
    """The value if it is a valid page or place, else 0."""
    return value if type(value) is int and 0 < value < MOST else 0


def digest_of_text(sections: Iterable[TextSection]) -> bytes:
    """The digest of a full text. It also changes with the chunking rules (`CHUNKING`)."""
    said = [[s.heading, [[b.text, b.page, b.whole] for b in s.blocks]] for s in sections]
    return hashlib.sha256(json.dumps([CHUNKING, said], ensure_ascii=False).encode()).digest()
