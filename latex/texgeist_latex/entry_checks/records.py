"""Records of papers, searchable by id, title and similar title."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from rapidfuzz import fuzz

from texgeist_latex.bib.venues import read_venue, venue_field

from ..bib.identity import Identity, identity_of, year_of
from ..types import BibEntry
from .comparison import NEAR, relate_titles, same_place, same_work, shares_authors, title_words
from .details import DETAILS
from .findings import Facts
from .names import read_people

_CLOSE = 40  # records whose titles are compared in detail
_RARE_WORDS = 6  # words of a title, used to find records that contain most of them
_COMMON = 5_000  # records; more frequent words are ignored
_ENOUGH, _NEARLY_ALL = 5, 0.9  # records of a venue; share of them
_RECORDS = "records"  # key of the number of records, in a count of details
_TELLING = 5  # words; two papers rarely share a title that is this long


class Records:
    """Records of papers as bibliography entries. `name`: the name of their source, for users; `facts`: facts
    about the papers, by the record's key. `asked`: for a source that was asked about single entries, the keys
    of the entries that it answered for. For other entries, a missing record means nothing. `complete`:
    whether the source would have a record of each paper; `never_asked`: for a source that was asked earlier, the
    keys of the entries that it has no answer for."""

    def __init__(
        self,
        records: Iterable[BibEntry],
        name: str,
        facts: Mapping[str, Facts] | None = None,
        asked: Collection[str] | None = None,
        complete: bool = True,
        never_asked: Collection[str] = (),
    ) -> None:
        self.records = tuple(records)
        self.name = name
        self.facts = facts or {}
        self._asked, self._complete, self.never_asked = asked, complete, never_asked
        self._by_mark: dict[str, list[tuple[BibEntry, Identity]]] = {}
        for record in self.records:
            identity = identity_of(record)
            for mark in {identity.arxiv, identity.doi, identity.title} - {""}:
                self._by_mark.setdefault(mark, []).append((record, identity))

    def __len__(self) -> int:
        return len(self.records)

    def covers(self, entry: BibEntry) -> bool:
        """Whether the source would have a record of the entry's paper."""
        return self._complete and bool(self.records) if self._asked is None else entry.key in self._asked

    @property
    def was_asked(self) -> bool:
        """Whether the source is a registry, which was asked about single entries."""
        return self._asked is not None

    @property
    def described(self) -> str:
        return f"{self.name} ({len(self):,} papers)" if self._asked is None else self.name

    def telling(self, record: BibEntry) -> frozenset[str]:
        """The details that the record would have: those of nearly all records of its venue, and volume and
        number if the source has them for other venues. Empty if there are few records of the venue, and for a
        source that was asked, because registries lack details of many papers."""
        return self._telling.get(_venue_key(record), frozenset())

    @cached_property
    def _telling(self) -> dict[str, frozenset[str]]:
        counts: dict[str, Counter[str]] = {}
        for record in self.records if self._complete and not self.was_asked else ():
            names = [name for name in DETAILS if record.fields.get(name)]
            counts.setdefault(_venue_key(record), Counter()).update([_RECORDS, *names])
        anywhere = {name for count in counts.values() for name in count}
        return {
            venue: frozenset(
                name
                for name in anywhere & set(DETAILS)
                if count[name] >= _NEARLY_ALL * count[_RECORDS]
                or (name in ("volume", "number") and not count[name])
            )
            for venue, count in counts.items()
            if count[_RECORDS] >= _ENOUGH
        }

    def dated(self, record: BibEntry, entry: BibEntry) -> BibEntry:
        """The record with the entry's year if this is one of the paper's years, else the record unchanged."""
        facts, year = self.facts.get(record.key), year_of(entry)
        if facts is None or year not in facts.years:
            return record
        return replace(record, fields={**record.fields, "year": str(year)})

    def with_doi(self, doi: str) -> BibEntry | None:
        return next((record for record, known in self._by_mark.get(doi, []) if known.doi == doi), None)

    def find(self, entry: BibEntry) -> list[BibEntry]:
        """Records with the title of the entry's paper, or with one of its ids; empty if there are none. A
        short title must be confirmed by authors or venue."""
        wanted = identity_of(entry)
        titled = [record for record, _ in self._by_mark.get(wanted.title or "-", [])]
        if len(title_words(entry.fields.get("title", "")).split()) < _TELLING:
            titled = [r for r in titled if shares_authors(entry, r) or same_place(entry, r)]
        marked = [*self._by_mark.get(wanted.arxiv or "-", []), *self._by_mark.get(wanted.doi or "-", [])]
        by_id = [record for record, identity in marked if identity.shares_id(wanted) and record not in titled]
        return [*titled, *by_id] or self._nearly(entry)

    def _nearly(self, entry: BibEntry) -> list[BibEntry]:
        """Records with a similar title by the same authors."""
        title = entry.fields.get("title", "")
        places = [self._by_word.get(word, []) for word in set(title_words(title).split())]
        telling = sorted((p for p in places if len(p) <= _COMMON), key=len)[:_RARE_WORDS]
        votes = Counter(at for place in telling for at in place)
        close = [self.records[at] for at, _ in votes.most_common(_CLOSE)]
        near = [r for r in close if relate_titles(title, r.fields.get("title", "")) != "other"]
        return [record for record in near if same_work(entry, record)]

    def mentions(self, printed: str) -> bool:
        """Whether a record's title and first author occur in the text of a printed reference."""
        words = title_words(printed)
        places = [self._by_word.get(word, []) for word in set(words.split())]
        votes = Counter(at for place in places if len(place) <= _COMMON for at in place)
        for record in (self.records[at] for at, _ in votes.most_common(_CLOSE)):
            title, people = (
                title_words(record.fields.get("title", "")),
                read_people(record.fields.get("author", "")),
            )
            first = people.persons[0].family if people.persons else ()
            if (
                set(first) <= set(words.split())
                and len(title.split()) > 1
                and fuzz.partial_ratio(title, words) >= NEAR
            ):
                return True
        return False

    @cached_property
    def _by_word(self) -> dict[str, list[int]]:
        """Record positions by title word, built when first needed."""
        found: dict[str, list[int]] = {}
        for at, record in enumerate(self.records):
            for word in set(title_words(record.fields.get("title", "")).split()):
                found.setdefault(word, []).append(at)
        return found


def _venue_key(record: BibEntry) -> str:
    venue = read_venue(venue_field(record))
    return venue.short or venue.words
