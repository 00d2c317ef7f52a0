"""Reads the venue and the year from a DOI. Many publishers include them in their DOIs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .venues import Venue, read_venue

_WELL_FORMED = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
# Repositories, which register DOIs for papers of any venue.
_ANYWHERE = "10.48550 10.5281 10.6084 10.31219 10.31234 10.2139 10.13140 10.1101 10.21203".split()
_FORMS = (
    # IEEE conferences: 10.1109/cvpr52688.2022.01981
    (re.compile(r"10\.1109/(?P<venue>[a-z]+?)w?(?P<digits>\d*)\.(?P<year>(?:19|20)\d\d)\.\d+"), 0),
    # AAAI by volume: 10.1609/aaai.v36i2.20128, volume 1 in 1987
    (re.compile(r"10\.1609/(?P<venue>aaai)\.v(?P<volume>\d+)i\d+\.\d+"), 0),
    (re.compile(r"10\.24963/(?P<venue>ijcai)\.(?P<year>20\d\d)/\d+"), 0),
    (re.compile(r"10\.21437/(?P<venue>interspeech)\.(?P<year>20\d\d)-\d+"), 0),
    # ACL anthology: 10.18653/v1/2021.acl-long.5, 10.18653/v1/n19-1357
    (re.compile(r"10\.18653/v1/(?P<year>20\d\d)\.(?P<venue>[a-z]+)-[a-z]+\.\d+"), 0),
    (re.compile(r"10\.18653/v1/(?P<letter>[pnde])(?P<short>\d\d)-[1-3]\d{3}"), 0),
    # Springer journals, by the year of acceptance: 10.1007/s10994-022-06288-4
    (re.compile(r"10\.1007/(?P<journal>s10994)-0(?P<short>\d\d)-\d+-[\dx]"), 2),
)  # fmt: skip
_LETTERS = {"p": "acl", "n": "naacl", "d": "emnlp", "e": "eacl"}
_JOURNALS = {"s10994": "machine learning"}


@dataclass(frozen=True, slots=True)
class DoiMeaning:
    """The venue and year that a DOI contains. `venue` may be missing from the table of venues; the paper's
    year may be up to `later` years after `year`."""

    venue: Venue | None
    year: int | None
    later: int = 0


def well_formed(doi: str) -> bool:
    return _WELL_FORMED.fullmatch(doi) is not None


def meaning_of(doi: str) -> DoiMeaning:
    """The venue and the year in the DOI, each None if the DOI does not contain it."""
    for form, later in _FORMS:
        if match := form.fullmatch(doi.lower()):
            parts = match.groupdict()
            year = _year(parts)
            if doi.lower().startswith("10.1109/t"):  # Transactions: registered before print
                return DoiMeaning(read_venue(parts["venue"] or ""), year, 3)
            name = parts.get("venue") or _LETTERS.get(parts.get("letter") or "", "")
            return DoiMeaning(read_venue(name or _JOURNALS.get(parts.get("journal") or "", "")), year, later)
    return DoiMeaning(None, None)


def may_register(doi: str, venue: Venue) -> bool:
    """Whether papers of the venue can have this DOI. DOIs of repositories are always possible."""
    prefix = doi.partition("/")[0]
    return not venue.registrants or venue.side or prefix in venue.registrants or prefix in _ANYWHERE


def _year(parts: dict[str, str | None]) -> int | None:
    if year := parts.get("year"):
        return int(year)
    if volume := parts.get("volume"):
        return 1986 + int(volume)
    if short := parts.get("short"):
        return 2000 + int(short)
    return None
