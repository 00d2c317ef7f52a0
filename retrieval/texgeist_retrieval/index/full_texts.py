"""The full texts of an index, as passages in an SQLite file beside its hash table.

A full text is replaced in one transaction, so after an interruption it is there as before, or as a whole. The
passages that are searched, with their words and vectors, are in the snapshot, which is built from this file."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from ..errors import IndexMismatch
from ..fulltext.sections import CHUNKING, chunks_of
from ..ports import Monitor
from ..sources.admission import clean_line, clean_lines
from ..text.words import number_of
from ..types import Passage, SectionType, TextSection
from .hashes import FULL_TEXTS, Table, beside, opened, recorded_hashes

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
        with _undamaged(path):
            super().__init__(path, _TABLES)
        self._path = path
        self._monitor = monitor
        self.new = self.unchanged = self.passages = 0

    def take(self, texts: Sequence[FullText]) -> None:
        """Stores new and changed texts."""
        for paper, sections in texts:
            self._monitor.check()
            with _undamaged(self._path):
                self._take(paper, sections)

    def _take(self, paper: str, sections: Sequence[TextSection]) -> None:
        digest = digest_of_text(sections)
        if self._base.execute("SELECT digest FROM texts WHERE paper = ?", (paper,)).fetchone() == (digest,):
            self.unchanged += 1
            return
        passages = chunks_of(paper, sections)
        rows = [(paper, p.place, p.page, p.section, p.heading, p.text) for p in passages]
        with self._transaction():
            self._remove([paper])
            self._base.executemany("INSERT INTO passages VALUES (?,?,?,?,?,?)", rows)
            self._base.execute("INSERT INTO texts VALUES (?,?)", (paper, digest))
        self.new += 1
        self.passages += len(rows)

    def remove(self, papers: Sequence[str]) -> None:
        with _undamaged(self._path), self._transaction():
            self._remove(papers)

    def _remove(self, papers: Sequence[str]) -> None:
        for table in ("texts", "passages"):
            self._base.executemany(f"DELETE FROM {table} WHERE paper = ?", ((id_,) for id_ in papers))  # noqa: S608


@contextmanager
def _undamaged(path: Path) -> Iterator[None]:
    """Raises `IndexMismatch` if the file of full texts is damaged, or another program's."""
    try:
        yield
    except sqlite3.OperationalError:  # for example a full disk
        raise
    except sqlite3.DatabaseError as error:
        raise IndexMismatch(
            f"The file with the full papers of the index, {path}, is damaged ({error}).",
            "Move it away and add the full papers again by `texgeist index add`; the abstracts are not affected.",
        ) from error


@dataclass(frozen=True, slots=True)
class FullTextStatus:
    """`stamp`: changes with the texts and with the records of their papers. `to_add_again`: papers whose texts
    an earlier version stored in Milvus, where they are no longer read."""

    papers: int
    passages: int
    stamp: str
    to_add_again: int

    @property
    def note(self) -> str:
        """A sentence for the user, "" if all full papers can be searched."""
        if not self.to_add_again:
            return ""
        return (
            f"{number_of(self.to_add_again, 'full paper')} added by an earlier version of texgeist cannot be "
            "searched any more: add the files again by `texgeist index add`."
        )


def status_of(hash_table: Path) -> FullTextStatus:
    """The status of the full texts beside `hash_table`. Raises `IndexMismatch` if their file is damaged."""
    path = beside(hash_table, FULL_TEXTS)
    digests, passages = dict[str, bytes](), 0
    with suppress(sqlite3.OperationalError), _undamaged(path), closing(opened(path)) as base:
        digests = dict(base.execute("SELECT paper, digest FROM texts"))
        passages = base.execute("SELECT count(*) FROM passages").fetchone()[0]
    stamp = _stamp(digests, recorded_hashes(hash_table, digests))
    to_add_again = recorded_hashes(hash_table, _earlier_texts(hash_table) - digests.keys())
    return FullTextStatus(len(digests), passages, stamp, len(to_add_again))


def _earlier_texts(hash_table: Path) -> set[str]:
    """The papers whose full texts an earlier version recorded; their passages were in Milvus."""
    path = hash_table.with_name(hash_table.name.removesuffix(".sqlite") + ".texts.sqlite")
    with suppress(sqlite3.Error), closing(opened(path)) as base:
        return {id_ for (id_,) in base.execute("SELECT id FROM texts")}
    return set()


def any_passages(texts: Path) -> bool:
    """Whether the file has passages; False if it cannot be read."""
    with suppress(sqlite3.Error), closing(opened(texts)) as base:
        return bool(base.execute("SELECT EXISTS (SELECT 1 FROM passages)").fetchone()[0])
    return False


def _stamp(digests: Mapping[str, bytes], records: Mapping[str, bytes]) -> str:
    """Derived from the hashes, so that it is correct even after an interruption between two writes."""
    rows = [f"{id_} {digests[id_].hex()} {records.get(id_, b'').hex()}\n" for id_ in sorted(digests)]
    return hashlib.sha256("".join(rows).encode()).hexdigest()[:16]


def read_passages(texts: Path) -> list[Passage]:
    """All passages of the file, by paper and place. Raises `IndexMismatch` if it is damaged."""
    with _undamaged(texts), closing(opened(texts)) as base:
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
