"""Recognises the venue in a `booktitle` or `journal`, and decides whether two names may be the same venue."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from texgeist_latex.bib.index import folded
from texgeist_latex.bib.venues import KnownVenue, kind_of_venue, known_venues
from texgeist_latex.types import BibEntry

_ENOUGH = 0.6  # share of the shorter name's words that the other must contain, if neither is in the table
_SMALL = frozenset(
    """
    of the on in for and a an to at de la le und der die das fur proceedings proc annual ann international internat
    intl int conference conf joint ieee acm cvf rsj symposium symp meeting advances adv first second third fourth
    fifth sixth seventh eighth ninth tenth series volume vol
    """.split()
)
_LINKS = frozenset("of the on in for and a an to at".split())
_SIDE = re.compile(r"\b(?:workshops?|companion|tutorials?|demos?|findings|challenge|extended abstracts)\b")
_SERIES = re.compile(r"\b(?:pmlr|proceedings of machine learning research|jmlr w ?cp|lncs|lecture notes)\b")
_FOREIGN = re.compile(  # words of German, French, Hungarian, Spanish and Italian names
    r"\b(?:der|fur|uber|und|zur|tagungsband|des|du|les|sur|actes|es|nemzetkozi|konferencia\w*|los|del|della|delle)\b"
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Venue:
    """The venue that a text names. `words`: the words of the text, without years; `short`: the id in the
    table of venues, "" for an unknown venue."""

    words: str
    short: str
    kind: Literal["conference", "journal", ""]
    side: bool  # a workshop, the findings or a companion volume of the venue
    registrants: tuple[str, ...] = ()  # DOI prefixes, () if unknown


def venue_field(entry: BibEntry) -> str:
    """The entry's venue; "" for a preprint server."""
    for name in ("booktitle", "journal", "journaltitle"):
        value = entry.fields.get(name, "").strip()
        if value:
            return "" if is_preprint(value) else value
    return ""


def is_preprint(venue: str) -> bool:
    return kind_of_venue(venue, "article") == "preprint" or "arxiv" in venue.lower()


@lru_cache(maxsize=4096)
def read_venue(text: str) -> Venue:
    """The venue that the text names: the longest name from the table that occurs in the text. A journal's
    name must be the whole text."""
    text = re.sub(r"^\W*(?:In|Dans|En)\s*:", "", text, flags=re.I)
    words = " ".join(word for word in folded(text).split() if not _YEAR.fullmatch(word))
    best: tuple[int, KnownVenue] | None = None
    for line in known_venues():
        for name in line.names:
            if _named(name, words, line) and (best is None or len(name) > best[0]):
                best = (len(name), line)
    side = bool(_SIDE.search(words))
    if best is None:
        return Venue(words, "", "", side)
    line = best[1]
    return Venue(words, line.short, line.kind, side, line.registrants)


def _named(name: str, words: str, line: KnownVenue) -> bool:
    if line.kind == "journal" and " " in name:
        return words.removeprefix("the ").removeprefix("ieee ") in (name, name.removeprefix("ieee "))
    if line.kind == "journal" or name in ("fat", "ai", "www", "mm", "chi", "rss"):
        return words == name
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def differ_in_language(one: Venue, other: Venue) -> bool:
    """Whether one of the names is not English, so that the names cannot be compared. Known venues can."""
    if one.short and other.short:
        return False
    return bool(_FOREIGN.search(one.words)) != bool(_FOREIGN.search(other.words))


def registers_conferences(prefix: str) -> bool:
    """Whether the DOI prefix belongs to a publisher of conferences. Two societies may hold a conference
    together, such as the AAAI/ACM Conference on AI, Ethics, and Society, and either of them may publish
    it."""
    return any(line.kind == "conference" and prefix in line.registrants for line in known_venues())


def venue_years(text: str) -> list[int]:
    return [int(year) for year in _YEAR.findall(text)]


def may_be_one(one: Venue, other: Venue) -> bool:
    """Whether two names may be the same venue; True in doubt, as for series, workshops of a conference, and
    unknown abbreviations."""
    if one.short and other.short:
        return one.short == other.short
    if (
        not one.words
        or not other.words
        or one.words == other.words
        or _SERIES.search(f"{one.words} {other.words}")
    ):
        return True
    return _initials(one.words, other.words) or _initials(other.words, one.words) or _words_agree(one, other)


def _words_agree(one: Venue, other: Venue) -> bool:
    """Whether the words of two names agree. The name of a known venue may be abbreviated in any way, but must
    have no extra words before or in it. Two unknown venues must share most words."""
    if one.short or other.short:
        known, written = (one, other) if one.short else (other, one)
        return any(_spells(_telling(written.words), _telling(name)) for name in _names(known))
    return _share(_telling(one.words), _telling(other.words)) >= _ENOUGH


def _names(known: Venue) -> tuple[str, ...]:
    return next(line.names for line in known_venues() if line.short == known.short)


def _telling(words: str) -> list[str]:
    return [word for word in words.split() if word not in _SMALL and not re.match(r"\d", word)]


def _spells(written: list[str], name: list[str]) -> bool:
    return len(written) >= len(name) > 0 and all(map(_abbreviates, written, name))


def _share(one: list[str], other: list[str]) -> float:
    """The share of words in the shorter list that match words of the other list in the same order;
    abbreviations match. The share is lower if the other list is more than twice as long."""
    short, long = sorted((one, other), key=len)
    if not short:
        return 0.0
    at, found = 0, 0
    for word in short:
        place = next((i for i in range(at, len(long)) if _abbreviates(word, long[i])), None)
        if place is not None:
            at, found = place + 1, found + 1
    return found / max(len(short), len(long) / 2)


def _abbreviates(one: str, other: str) -> bool:
    return one[:1] == other[:1] and (one.startswith(other) or other.startswith(one) or one[:4] == other[:4])


def _initials(short: str, long: str) -> bool:
    """Whether a word of `short` consists of initials of `long`: `icpr` for "international conference on
    pattern recognition"."""
    letters = "".join(word[0] for word in long.split() if word not in _LINKS)
    return any(len(word) > 2 and word in letters for word in short.split())
