"""What is known of papers, ready to be looked up: by id, by title, by a title that is nearly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from ..bib.identity import Identity, identity_of, year_of
from ..types import BibEntry
from .comparison import agrees, relate_titles, same_place, same_work, shares_authors, title_words
from .findings import Facts

_CLOSE = 40  # records whose titles are compared letter by letter
_RARE_WORDS = 6  # of a title, which find the records that have most of them
_COMMON = 5_000  # records; a word that more of them have finds nothing
_TELLING = 5  # words of a title that two papers hardly share


class Records:
    """Records of papers as bibliography entries. `name` tells people where they are from, `facts` by the
    records' keys what else is known. Of a collection that was only asked for some entries, `asked` are the
    keys of those that it answered: of others its silence says nothing."""

    def __init__(
        self,
        records: Iterable[BibEntry],
        name: str,
        facts: Mapping[str, Facts] | None = None,
        asked: Collection[str] | None = None,
    ) -> None:
        self.records = tuple(records)
        self.name = name
        self.facts = facts or {}
        self._asked = asked
        self._by_mark: dict[str, list[tuple[BibEntry, Identity]]] = {}
        for record in self.records:
            identity = identity_of(record)
            for mark in {identity.arxiv, identity.doi, identity.title} - {""}:
                self._by_mark.setdefault(mark, []).append((record, identity))

    def __len__(self) -> int:
        return len(self.records)

    def covers(self, entry: BibEntry) -> bool:
        """Whether the entry's paper would have been found."""
        return bool(self.records) if self._asked is None else entry.key in self._asked

    @property
    def described(self) -> str:
        return f"{self.name} ({len(self):,} papers)" if self._asked is None else self.name

    def dated(self, record: BibEntry, entry: BibEntry) -> BibEntry:
        """The record in the entry's year, where that is one of the paper's several."""
        facts, year = self.facts.get(record.key), year_of(entry)
        if facts is None or year not in facts.years:
            return record
        return replace(record, fields={**record.fields, "year": str(year)})

    def with_doi(self, doi: str) -> BibEntry | None:
        return next((record for record, known in self._by_mark.get(doi, []) if known.doi == doi), None)

    def find(self, entry: BibEntry) -> list[BibEntry]:
        """Records that are about the entry's paper, or claimed by its ids; empty where nothing is. A long
        title decides alone, a short one together with the authors."""
        wanted = identity_of(entry)
        titled = [record for record, _ in self._by_mark.get(wanted.title or "-", [])]
        if len(title_words(entry.fields.get("title", "")).split()) < _TELLING:
            titled = [r for r in titled if shares_authors(entry, r) or same_place(entry, r)]
        marked = [*self._by_mark.get(wanted.arxiv or "-", []), *self._by_mark.get(wanted.doi or "-", [])]
        by_id = [record for record, identity in marked if agrees(identity, wanted) and record not in titled]
        return [*titled, *by_id] or self._nearly(entry)

    def _nearly(self, entry: BibEntry) -> list[BibEntry]:
        """By the same people under nearly the same title."""
        title = entry.fields.get("title", "")
        places = [self._by_word.get(word, []) for word in set(title_words(title).split())]
        telling = sorted((p for p in places if len(p) <= _COMMON), key=len)[:_RARE_WORDS]
        votes = Counter(at for place in telling for at in place)
        close = [self.records[at] for at, _ in votes.most_common(_CLOSE)]
        near = [r for r in close if relate_titles(title, r.fields.get("title", "")) in ("near", "shortened")]
        return [record for record in near if same_work(entry, record)]

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Where each word of the titles stands; made when the first entry is not found otherwise."""
        found: dict[str, list[int]] = {}
        for at, record in enumerate(self.records):
            for word in set(title_words(record.fields.get("title", "")).split()):
                found.setdefault(word, []).append(at)
        return found
