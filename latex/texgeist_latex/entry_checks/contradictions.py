"""Checks an entry for contradictions within itself, without other sources. Many publishers include the venue and the
year in their DOIs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from texgeist_latex.bib.venues import (
    Venue,
    later_meeting,
    may_be_one,
    names_preprints,
    read_venue,
    registers_conferences,
    venue_field,
)

from ..bib.authors import split_authors
from ..bib.identity import arxiv_id_of, clean_arxiv_id, find_doi, year_of
from ..bib.index import folded
from ..types import BibEntry
from .findings import Finding

_WELL_FORMED = re.compile(r"10\.\d{4,9}(?:\.\d+)*/\S+")
# Repositories, which register DOIs for papers of any venue.
_ANYWHERE = "10.48550 10.5281 10.6084 10.31219 10.31234 10.2139 10.13140 10.1101 10.21203".split()
_FORMS = (
    # IEEE conferences: 10.1109/cvpr52688.2022.01981
    re.compile(r"10\.1109/(?P<venue>[a-z]+?)w?(?P<digits>\d*)\.(?P<year>(?:19|20)\d\d)\.\d+"),
    # AAAI by volume: 10.1609/aaai.v36i2.20128, volume 1 in 1987
    re.compile(r"10\.1609/(?P<venue>aaai)\.v(?P<volume>\d+)i\d+\.\d+"),
    # ACL anthology: 10.18653/v1/2021.acl-long.5, 10.18653/v1/n19-1357
    re.compile(r"10\.18653/v1/(?P<year>20\d\d)\.(?P<venue>[a-z]+)-[a-z]+\.\d+"),
    re.compile(r"10\.18653/v1/(?P<letter>[pnde])(?P<short>\d\d)-[1-3]\d{3}"),
)  # fmt: skip
_LETTERS = {"p": "acl", "n": "naacl", "d": "emnlp", "e": "eacl"}


@dataclass(frozen=True, slots=True)
class DoiMeaning:
    """The venue and year that a DOI contains. `venue` may be missing from the table of venues; the paper's
    year may be up to `later` years after `year`."""

    venue: Venue | None
    year: int | None
    later: int = 0


def meaning_of(doi: str) -> DoiMeaning:
    """The venue and the year in the DOI, each None if the DOI does not contain it."""
    for form in _FORMS:
        if match := form.fullmatch(doi.lower()):
            parts = match.groupdict()
            year = _year(parts)
            if doi.lower().startswith("10.1109/t"):  # Transactions: registered before print
                return DoiMeaning(read_venue(parts["venue"] or ""), year, 3)
            name = parts.get("venue") or _LETTERS.get(parts.get("letter") or "", "")
            return DoiMeaning(read_venue(name), year)
    return DoiMeaning(None, None)


def year_instead(doi: str, year: int | None) -> int | None:
    """The year that the DOI contains if the paper with this DOI cannot be of `year`; else None."""
    said = meaning_of(doi)
    fits = said.year is None or year is None or said.year <= year <= said.year + said.later
    return None if fits else said.year


def _year(parts: dict[str, str | None]) -> int | None:
    if year := parts.get("year"):
        return int(year)
    if volume := parts.get("volume"):
        return 1986 + int(volume)
    if short := parts.get("short"):
        return 2000 + int(short)
    return None


_CUSTOM_SINCE = 2015  # papers of UAI 2012 were posted in 2014
_LATE_POSTING = 2  # months of the next year, for conferences in December
_NOT_PRINTED = re.compile(r"forthcoming|to appear|in press|accepted|submitted|under review|n\.?d\.?", re.I)
_PLACEHOLDERS = frozenset(
    """
    john doe;jane doe;jon doe;john q public;first author;second author;third author;author one;author two;author name;
    author names;firstname lastname;first last;name surname;given family;foo bar;lorem ipsum;unknown author;
    unknown authors;unknown;anonymous author;tbd;tba;todo;xxx;n a;none;author;authors;the authors;various;
    insert author;test author;sample author;example author;max mustermann;erika mustermann
    """.replace("\n", " ").strip().replace("; ", ";").split(";")
)  # fmt: skip
_PLACE_TITLES = frozenset(
    "title;paper title;title of the paper;untitled;tbd;tba;todo;xxx;lorem ipsum;test;no title".split(";")
)
_VENUE_OF = {
    "article": "journal",
    "inproceedings": "booktitle",
    "conference": "booktitle",
    "incollection": "booktitle",
}
# Types that collections of papers do not contain, so that a missing record proves nothing.
NOT_PAPERS = frozenset(
    "book booklet manual mvbook online electronic www software dataset patent thesis phdthesis mastersthesis "
    "bachelorsthesis techreport report unpublished proceedings standard inbook collection".split()
)


def check_alone(entry: BibEntry, this_year: int) -> list[Finding]:
    """All findings from the entry alone."""
    venue = read_venue(venue_field(entry))
    year = year_of(entry)
    later = later_meeting(entry.fields.get("booktitle", ""), year)
    message = f"The proceedings are of {later}, the entry says {year}."
    said = " ".join(entry.fields.get(name, "") for name in ("year", "note", "pubstate"))
    return [
        *_year_ahead(entry, this_year),
        *_doi(entry, venue, year),
        *_arxiv_date(entry, year),
        *_ids_differ(entry),
        *([Finding("venue-year", message)] if later else []),
        *_pages(entry),
        *_placeholders(entry),
        *(incomplete(entry) if entry.type in _VENUE_OF and not _NOT_PRINTED.search(said) else []),
    ]


def _year_ahead(entry: BibEntry, this_year: int) -> list[Finding]:
    """Reports a year that is in the future or impossible. Next year is possible, because its volumes may be
    printed this year."""
    field = entry.fields.get("year") or entry.fields.get("date", "")
    match = re.match(r"\s*\{?(\d{4})\b", field)
    if not match:
        return []
    year = int(match[1])
    if year > this_year + 1:
        return [Finding("year-ahead", f"The year {year} is in the future.")]
    if year < 1000 or (year < 1900 and (arxiv_id_of(entry) or entry.fields.get("doi"))):
        return [Finding("year-ahead", f"{year} cannot be the year of this paper.", year < 1000)]
    return []


def _doi(entry: BibEntry, venue: Venue, year: int | None) -> list[Finding]:
    field = entry.fields.get("doi", "").strip()
    if not field:
        return []
    doi = find_doi(field)
    if not doi and re.search(r"10\.\d{4,9}/\S", field):  # an address of a publisher's resolver
        return []
    if not doi or not _WELL_FORMED.fullmatch(doi):
        return [Finding("doi-malformed", f"`{field[:80]}` is not a DOI: DOIs begin with 10. and a number.")]
    of_doi = year_instead(doi, year)
    other = (
        [Finding("doi-year", f"The DOI {doi} belongs to {of_doi}, the entry says {year}.")] if of_doi else []
    )
    return [*_doi_venue(doi, meaning_of(doi), venue), *other]


def _doi_venue(doi: str, said: DoiMeaning, venue: Venue) -> list[Finding]:
    if said.venue and said.venue.short and venue.words and not venue.side:
        if not may_be_one(said.venue, venue):
            of = said.venue.short.upper()
            return [
                Finding("doi-venue", f"The DOI {doi} belongs to {of}, but the entry names another venue.")
            ]
        return []
    prefix = doi.partition("/")[0]
    registrants = venue.known.registrants if venue.known and not venue.side else ()
    if registrants and prefix not in (*registrants, *_ANYWHERE):
        message = f"Papers of {venue.short.upper()} have no DOI that begins with {prefix}."
        return [Finding("doi-venue", message, not registers_conferences(prefix))]
    return []


def _arxiv_date(entry: BibEntry, year: int | None) -> list[Finding]:
    arxiv = arxiv_id_of(entry)
    dated = arxiv_date(arxiv)
    if dated is None or year is None or dated[0] <= year:
        return []
    message = f"arXiv gave the id {arxiv} in {dated[0]}, the entry says {year}."
    return [Finding("arxiv-date", message, posted_too_late(dated, year))]


def posted_too_late(posted: tuple[int, int], year: int) -> bool:
    """Whether the paper was posted on arXiv too late for its year. Papers since about 2015 are posted by the
    time they appear; older papers may be posted much later. A paper of December may be posted in the next
    year."""
    late = posted[0] == year + 1 and posted[1] <= _LATE_POSTING
    return posted[0] > year and posted[0] >= _CUSTOM_SINCE and not late


def arxiv_date(arxiv: str) -> tuple[int, int] | None:
    """Year and month of an arXiv id; None if the text is not an arXiv id."""
    match = re.search(r"(?:^|/)(\d\d)(\d\d)", arxiv)
    if not match:
        return None
    century = 1900 if int(match[1]) > 90 else 2000
    return century + int(match[1]), int(match[2])


def _ids_differ(entry: BibEntry) -> list[Finding]:
    """Reports different DOIs in field and URL, and different arXiv ids."""
    doi, link = find_doi(entry.fields.get("doi", "")), find_doi(entry.fields.get("url", ""))
    own, linked = _arxiv_in(entry, "eprint", "doi"), _arxiv_in(entry, "url", "note")
    found = []
    one_is_arxiv = doi.startswith("10.48550/") != link.startswith("10.48550/")
    if doi and link and doi != link and not one_is_arxiv:
        found.append(Finding("ids-differ", f"The DOI is {doi}, but the URL leads to {link}."))
    if own and linked and own != linked:
        found.append(Finding("ids-differ", f"Two arXiv ids: {own} and {linked}."))
    return found


def _arxiv_in(entry: BibEntry, *names: str) -> str:
    for name in names:
        value = entry.fields.get(name, "")
        bare = value.lower().partition("10.48550/arxiv.")[2] if name == "doi" else value
        if found := clean_arxiv_id(bare):
            return found
    return ""


def _pages(entry: BibEntry) -> list[Finding]:
    match = re.fullmatch(r"\s*(\d+)\s*-+\s*(\d+)\s*", entry.fields.get("pages", "").replace("–", "-"))
    if match and len(match[1]) == len(match[2]) and int(match[1]) > int(match[2]):
        message = f"The pages {match[0].strip()} end before they begin, or the last is shortened."
        return [Finding("pages-reversed", message, False)]
    return []


def _placeholders(entry: BibEntry) -> list[Finding]:
    found = []
    names = [folded(name) for name in split_authors(entry.fields.get("author", ""))]
    turned = [" ".join(reversed(name.split(" ", 1))) for name in names]
    fillers = [name for name, other in zip(names, turned, strict=True) if {name, other} & _PLACEHOLDERS]
    if fillers:
        found.append(Finding("placeholder", f"`{fillers[0]}` is a placeholder for an author."))
    if folded(entry.fields.get("title", "")) in _PLACE_TITLES:
        found.append(Finding("placeholder", f"`{entry.fields['title'][:60]}` is a placeholder for a title."))
    return found


def incomplete(entry: BibEntry) -> list[Finding]:
    """A remark on fields that are missing, so that no record can confirm them."""
    venue = _VENUE_OF.get(entry.type, "")
    has = {
        "title": entry.fields.get("title"),
        "author": entry.fields.get("author") or entry.fields.get("editor"),
        venue: not venue or venue_field(entry) or arxiv_id_of(entry) or names_preprints(entry),
        "year": year_of(entry),
    }
    lacking = [name for name, value in has.items() if not value]
    return [Finding("incomplete", f"Missing: {' and '.join(lacking)}.", False)] if lacking else []
