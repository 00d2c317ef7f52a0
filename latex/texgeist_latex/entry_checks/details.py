"""Compares pages, volume, number and publisher of an entry with those of a record of the same version, and the
places of a conference in a bibliography."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping

from texgeist_latex.bib.venues import read_venue, venue_field

from ..bib.identity import year_of
from ..bib.index import folded
from ..tex.symbols import read_markup
from ..types import BibEntry, FieldCorrection
from .findings import Finding

DETAILS = ("pages", "volume", "number", "publisher")
# A publisher on each line, with its names. A name that contains names of two lines belongs to both.
_PUBLISHERS = """
acl;association for computational linguistics
acm;association for computing machinery
ieee;institute of electrical and electronics engineers
aaai;association for the advancement of artificial intelligence
springer;birkhauser;palgrave;nature
elsevier;academic press;north holland;morgan kaufmann;pergamon;cell press
wiley;blackwell
oxford university press;oup
cambridge university press;cup
mit press
usenix
siam;society for industrial and applied mathematics
taylor francis;routledge;crc press
world scientific
sage
""".strip()
_FAMILIES = [tuple(line.split(";")) for line in _PUBLISHERS.splitlines()]


def compare_details(entry: BibEntry, record: BibEntry, telling: Collection[str]) -> list[Finding]:
    """The differences between an entry and a record of the same paper in the same venue and year. `telling`:
    details that the record would have; if it lacks such a detail, the entry's value is unconfirmed. Pages
    that do not overlap and another publisher contradict the entry; other differences are only to be
    corrected."""
    findings, where = [], f"the record ({venue_field(record) or 'preprint'})"
    for name in DETAILS:
        mine, theirs = _value(entry, name), _value(record, name)
        if not mine or mine.startswith("abs/"):  # DBLP's volume of an arXiv paper
            continue
        if not theirs and name in telling:
            message = f"{name.capitalize()} {mine} is not confirmed: {where} has none."
            findings.append(Finding(name, message, False))
        elif theirs and not _AGREE[name](mine, theirs):
            wrong = name == "publisher" or (name == "pages" and _apart(mine, theirs))
            message = f"{name.capitalize()} {mine}: {where} has {theirs}."
            correction = FieldCorrection(name, entry.fields[name], theirs)
            findings.append(Finding(name, message, wrong, correction))
    return findings


def compare_places(entries: Iterable[BibEntry]) -> dict[str, Finding]:
    """Findings by entry key, for entries whose place no other entry of the same proceedings names. An entry
    may name the publisher's place or the conference's; either counts if another entry has it."""
    proceedings: dict[tuple[str, int], dict[str, str]] = defaultdict(dict)
    for entry in entries:
        venue, year, place = read_venue(venue_field(entry)), year_of(entry), _value(entry, "address")
        if venue.kind == "conference" and not venue.side and year and _city(place):
            proceedings[venue.short, year][entry.key] = place
    return {
        key: Finding("place", f"Place {places[key]}: other entries of these proceedings say {other}.", False)
        for places in proceedings.values()
        for key in _alone(places)
        if (other := next((place for k, place in places.items() if k != key), ""))
    }


def _alone(places: Mapping[str, str]) -> list[str]:
    """The keys of the places that share no word of the city with another place."""
    counts = Counter(word for place in places.values() for word in _city(place))
    return [key for key, place in places.items() if all(counts[word] == 1 for word in _city(place))]


def _city(place: str) -> set[str]:
    return set(re.findall(r"\w{4,}", folded(place.partition(",")[0])))


def _value(entry: BibEntry, name: str) -> str:
    return " ".join(read_markup(entry.fields.get(name, "")).replace("{", "").replace("}", "").split())[:200]


def _same_pages(mine: str, theirs: str) -> bool:
    """Whether two page fields may mean the same pages. Returns True if they cannot be compared: if a field is
    not a range of plain numbers (an article number), or if the pages of a version begin at 1."""
    one, other = _range(mine), _range(theirs)
    if one is None or other is None or 1 in (one[0], other[0]):
        return True
    return one == other


def _range(pages: str) -> tuple[int, int] | None:
    """First and last page; `1639--57` ends at 1657. None if it is not a range of plain numbers."""
    match = re.fullmatch(r"(?:pp?\.?\s*)?(\d{1,7})\s*[-–—]+\s*(\d{1,7})", pages.strip())
    if match is None:
        return None
    first, last = match[1], match[2]
    return int(first), int(first[: len(first) - len(last)] + last)


def _apart(mine: str, theirs: str) -> bool:
    one, other = _range(mine), _range(theirs)
    return one is not None and other is not None and (one[1] < other[0] or other[1] < one[0])


def _same_number(mine: str, theirs: str) -> bool:
    one, other = ({int(number) for number in re.findall(r"\d{1,9}", text)} for text in (mine, theirs))
    return not one or not other or bool(one & other)


def _families(publisher: str) -> set[int]:
    words = f" {folded(publisher)} "
    return {at for at, names in enumerate(_FAMILIES) if any(f" {name} " in words for name in names)}


def _same_publisher(mine: str, theirs: str) -> bool:
    """True unless both publishers are known and different, because imprints and resellers have many names."""
    one, other = _families(mine), _families(theirs)
    return not one or not other or bool(one & other)


_AGREE: dict[str, Callable[[str, str], bool]] = {
    "pages": _same_pages,
    "volume": _same_number,
    "number": _same_number,
    "publisher": _same_publisher,
}
