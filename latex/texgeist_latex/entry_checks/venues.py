"""Which venue a `booktitle` or `journal` means, and whether two of them can be one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from ..bib.index import folded
from ..bib.venues import kind_of_venue
from ..types import BibEntry
from .venue_table import TABLE

_ENOUGH = 0.6  # of the shorter name's words, found in the other, where no table knows either
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
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Venue:
    """`short` is "" for a venue that the table does not know, `words` are always there."""

    words: str
    short: str
    kind: Literal["conference", "journal", ""]
    side: bool  # a workshop, findings or a companion volume of it
    registrants: tuple[str, ...] = ()  # DOI prefixes, () where that is not known


@dataclass(frozen=True, slots=True)
class _Line:
    short: str
    kind: Literal["conference", "journal"]
    names: tuple[str, ...]
    registrants: tuple[str, ...]


@lru_cache(maxsize=1)
def _lines() -> tuple[_Line, ...]:
    lines = []
    for text in TABLE.splitlines():
        short, kind, names, prefixes = text.split("|")
        registrants = () if prefixes == "-" else tuple(prefixes.split())
        called = tuple(names.split(";"))
        lines.append(_Line(short, "conference" if kind == "c" else "journal", called, registrants))
    return tuple(lines)


def venue_field(entry: BibEntry) -> str:
    """What the entry says that it was published in; a preprint server is no venue."""
    for name in ("booktitle", "journal", "journaltitle"):
        value = entry.fields.get(name, "").strip()
        if value:
            return "" if is_preprint(value) else value
    return ""


def is_preprint(venue: str) -> bool:
    return kind_of_venue(venue, "article") == "preprint" or "arxiv" in venue.lower()


@lru_cache(maxsize=4096)
def read_venue(text: str) -> Venue:
    """The table's longest name within the text decides; a journal's must be the whole of it."""
    words = " ".join(word for word in folded(text).split() if not _YEAR.fullmatch(word))
    best: tuple[int, _Line] | None = None
    for line in _lines():
        for name in line.names:
            if _named(name, words, line) and (best is None or len(name) > best[0]):
                best = (len(name), line)
    side = bool(_SIDE.search(words))
    if best is None:
        return Venue(words, "", "", side)
    line = best[1]
    return Venue(words, line.short, line.kind, side, line.registrants)


def _named(name: str, words: str, line: _Line) -> bool:
    if line.kind == "journal" and " " in name:
        return words.removeprefix("the ").removeprefix("ieee ") in (name, name.removeprefix("ieee "))
    if line.kind == "journal" or name in ("fat", "ai", "www", "mm", "chi", "rss"):
        return words == name
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words) is not None


def registers_conferences(prefix: str) -> bool:
    """Whether the DOI prefix is that of a publisher of conferences: societies hold some together, such as the
    AAAI/ACM Conference on AI, Ethics, and Society, and either may publish them."""
    return any(line.kind == "conference" and prefix in line.registrants for line in _lines())


def venue_years(text: str) -> list[int]:
    return [int(year) for year in _YEAR.findall(text)]


def may_be_one(one: Venue, other: Venue) -> bool:
    """Whether two names can stand for one venue. In doubt they can: series, workshops of a conference
    and abbreviations in words that the table does not have."""
    if one.short and other.short:
        return one.short == other.short
    if not one.words or not other.words or _SERIES.search(f"{one.words} {other.words}"):
        return True
    return _initials(one.words, other.words) or _initials(other.words, one.words) or _words_agree(one, other)


def _words_agree(one: Venue, other: Venue) -> bool:
    """A known venue may be abbreviated in any way, but no word may be added before or within its name;
    of two unknown ones most words must agree."""
    if one.short or other.short:
        known, written = (one, other) if one.short else (other, one)
        return any(_spells(_telling(written.words), _telling(name)) for name in _names(known))
    return _share(_telling(one.words), _telling(other.words)) >= _ENOUGH


def _names(known: Venue) -> tuple[str, ...]:
    return next(line.names for line in _lines() if line.short == known.short)


def _telling(words: str) -> list[str]:
    return [word for word in words.split() if word not in _SMALL and not re.match(r"\d", word)]


def _spells(written: list[str], name: list[str]) -> bool:
    return len(written) >= len(name) > 0 and all(map(_abbreviates, written, name))


def _share(one: list[str], other: list[str]) -> float:
    """Of the shorter list, the words that abbreviate or are abbreviated by one of the other, in order."""
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
    """`icpr` for "international conference on pattern recognition"."""
    letters = "".join(word[0] for word in long.split() if word not in _LINKS)
    return any(len(word) > 2 and word in letters for word in short.split())
