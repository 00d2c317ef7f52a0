"""What is known of papers, ready to be looked up: by id, by title, by a title that is nearly the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..bib.identity import KnownPapers, identity_of
from ..types import BibEntry
from .comparison import agrees, relate_titles, same_work, title_words
from .names import read_people
from .venues import read_venue, venue_field

_CLOSE = 40  # records whose titles are compared letter by letter
_TELLING = 20  # letters of a title that two papers hardly share
_TEAM = 3  # authors who together are seldom by chance


class Records:
    """Records of papers as bibliography entries. `name` tells people where they are from."""

    def __init__(self, records: Iterable[BibEntry], name: str) -> None:
        self.records = tuple(records)
        self.name = name
        self._known = KnownPapers(self.records)
        self._by_title: dict[str, list[BibEntry]] = {}
        self._by_word: dict[str, list[int]] = {}
        self._by_team: dict[str, list[BibEntry]] = {}
        for at, record in enumerate(self.records):
            self._by_title.setdefault(identity_of(record).title, []).append(record)
            for word in set(title_words(record.fields.get("title", "")).split()):
                self._by_word.setdefault(word, []).append(at)
            if team := _team(record):
                self._by_team.setdefault(team, []).append(record)

    def __len__(self) -> int:
        return len(self.records)

    def find(self, entry: BibEntry) -> list[BibEntry]:
        """Records that are about the entry's paper, or claimed by its ids; empty where nothing is."""
        identity = identity_of(entry)
        by_id = [r for r in self._known.find(identity) if agrees(identity, identity_of(r))]
        titled = self._by_title.get(identity.title, []) if len(identity.title) >= _TELLING else []
        titled = titled or [r for r in self._by_title.get(identity.title, []) if same_work(entry, r)]
        found = [*titled, *(record for record in by_id if record not in titled)]
        return found or self._known.find(identity) or self._nearly(entry)

    def of_the_team(self, entry: BibEntry) -> BibEntry | None:
        """The only paper known of just these authors in just this venue and year."""
        same = self._by_team.get(_team(entry) or "-", [])
        return same[0] if len(same) == 1 else None

    def _nearly(self, entry: BibEntry) -> list[BibEntry]:
        """By the same people under nearly the same title."""
        title = entry.fields.get("title", "")
        votes: Counter[int] = Counter()
        for word in set(title_words(title).split()):
            places = self._by_word.get(word, ())
            for at in places:
                votes[at] += 1.0 / len(places)  # type: ignore[assignment]
        close = [self.records[at] for at, _ in votes.most_common(_CLOSE)]
        near = [r for r in close if relate_titles(title, r.fields.get("title", "")) in ("near", "shortened")]
        return [record for record in near if same_work(entry, record)]


def _team(entry: BibEntry) -> str:
    """Authors, venue and year as one key; "" where they are too few to tell."""
    people = read_people(entry.fields.get("author", ""))
    venue = read_venue(venue_field(entry))
    if len(people.persons) < _TEAM or people.more or not venue.words:
        return ""
    names = [f"{p.given[:1]}{p.family}" for p in people.persons]
    return f"{names}|{venue.short or venue.words}|{entry.fields.get('year', '')}"
