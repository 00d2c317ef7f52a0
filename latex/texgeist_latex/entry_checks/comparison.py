"""Compares an entry with a record of the same paper."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

from rapidfuzz import fuzz

from texgeist_latex.bib.venues import (
    Venue,
    may_be_one,
    names_preprints,
    read_venue,
    venue_field,
)

from ..bib.identity import YEARS_APART, arxiv_id_of, doi_of, identity_of, normalise_title, year_of
from ..bib.index import folded
from ..tex.accents import read_accents
from ..tex.symbols import read_markup
from ..tex.wordlists import is_foreign
from ..types import BibEntry
from .contradictions import NOT_PAPERS, arxiv_date, posted_too_late
from .details import compare_details
from .findings import Finding
from .names import compare_people, read_people, share_in_common

NEAR = 80.0  # similarity, from 0 to 100, of titles that may be the same title, misquoted
_FORMULA = 85.0  # similarity of titles with formulas, which are written in many ways
_NUMBERS = re.compile(r"(?<!\w)(?:\d+(?:\.\d+)?|i{1,3}|iv|vi{0,3}|part|parts)(?!\w)")
Relation = Literal["same", "shortened", "near", "other"]


def compare(entry: BibEntry, record: BibEntry, telling: Collection[str] = ()) -> list[Finding]:
    """The differences between entry and record. Both are assumed to describe the same paper, unless title and
    authors differ. `telling`: the details that the record would have."""
    relation = relate_titles(entry.fields.get("title", ""), record.fields.get("title", ""))
    mine, theirs = read_people(_authors(entry)), read_people(_authors(record))
    common = share_in_common(mine, theirs)
    if relation == "other" and common < 0.5 and theirs.persons:
        arxiv = arxiv_id_of(entry)
        shared = "arXiv id" if arxiv and arxiv == arxiv_id_of(record) else "DOI"
        return [Finding("other-paper", f"Its {shared} belongs to another paper: {_shown(record)}.")]
    named = f"The record has {'the' if relation == 'shortened' else 'another'} title: {_shown(record)}."
    titles = [] if relation == "same" else [Finding("title", named, relation != "shortened")]
    of_the_paper = [*titles, *compare_people(mine, theirs)]
    of_preprint = is_preprint_record(record) and bool(venue_field(entry))
    if not entry.fields.get(
        "author"
    ):  # a record may name the authors of an edited book, the entry its editors
        of_the_paper = [replace(f, contradicts=f.contradicts and f.code == "title") for f in of_the_paper]
    elif common and of_preprint:  # it may differ from the published paper
        of_the_paper = [replace(f, contradicts=f.code == "authors", correction=None) for f in of_the_paper]
    place = _where_and_when(entry, record)
    other = place or of_preprint or relation == "other"
    details = [] if other else compare_details(entry, record, telling)
    return [*of_the_paper, *_ids(entry, record), *place, *details]


def silent_on(entry: BibEntry, record: BibEntry) -> frozenset[str]:
    """What the entry says and the record does not, so that the record cannot confirm it. The record of a preprint does
    not confirm another year of a published paper."""
    mine, theirs = _compared_values(entry), _compared_values(record)
    if mine["venue"] and is_preprint_record(record) and mine["year"] != theirs["year"]:
        theirs = {**theirs, "year": ""}
    return frozenset(name for name in mine if mine[name] and not theirs[name])


def _compared_values(entry: BibEntry) -> dict[str, str]:
    return {
        "title": entry.fields.get("title", ""),
        "authors": _authors(entry),
        "venue": venue_field(entry),
        "year": str(year_of(entry) or ""),
        "DOI": doi_of(entry),
        "arXiv id": arxiv_id_of(entry),
    }


def relate_titles(one: str, other: str) -> Relation:
    """The relation of two titles. `shortened`: one title lacks the other's subtitle."""
    a, b = normalise_title(one), normalise_title(other)
    if not a or not b or a == b:
        return "same"
    first, second = title_words(one), title_words(other)
    if _without_subtitle(one, other) or _without_subtitle(other, one):
        return "shortened"
    likeness = fuzz.ratio(first, second)
    if ("$" in one + other or "\\" in one + other) and likeness >= _FORMULA:
        return "same"
    if _NUMBERS.findall(first) != _NUMBERS.findall(second):  # part I and part II, v1 and v2
        return "other"
    return "near" if likeness >= NEAR else "other"


def title_words(title: str) -> str:
    return folded(read_markup(title))


def shares_authors(entry: BibEntry, record: BibEntry) -> bool:
    return share_in_common(read_people(_authors(entry)), read_people(_authors(record))) >= 0.5


def same_place(entry: BibEntry, record: BibEntry) -> bool:
    mine, theirs = venue_field(entry), venue_field(record)
    return bool(mine and theirs) and year_of(entry) == year_of(record) and _one_venue(entry, record)


def same_work(entry: BibEntry, record: BibEntry) -> bool:
    """Whether two descriptions with similar titles may be the same paper. Authors must agree, years must be
    close, and venues must not differ, because authors write several papers on a subject."""
    mine, theirs = year_of(entry), year_of(record)
    if (mine and theirs and abs(mine - theirs) > YEARS_APART) or not _one_venue(entry, record):
        return False
    people = read_people(_authors(entry)), read_people(_authors(record))
    return bool(people[0].persons and people[1].persons) and not any(
        finding.contradicts for finding in compare_people(*people)
    )


def _authors(entry: BibEntry) -> str:
    return entry.fields.get("author") or entry.fields.get("editor", "")


def _without_subtitle(short: str, long: str) -> bool:
    """Whether `short`, of at least three words, is the main title of `long` before its subtitle, or before
    parentheses ("(extended abstract)")."""
    main = re.split(r"[:?!.–—(]|\s-+\s", long, maxsplit=1)
    words = title_words(short)
    return len(main) > 1 and len(words.split()) >= 3 and words == title_words(main[0])


def _shown(record: BibEntry) -> str:
    return " ".join(
        read_markup(record.fields.get("title", "")).replace("{", "").replace("}", "").split()
    ).rstrip(".")


def _ids(entry: BibEntry, record: BibEntry) -> list[Finding]:
    """Differences in ids that both have. DOIs are compared only for the same venue, because a preprint and a
    published version may have different DOIs."""
    found = []
    mine, theirs = identity_of(entry), identity_of(record)
    if mine.arxiv and theirs.arxiv and mine.arxiv != theirs.arxiv:
        found.append(Finding("arxiv-id", f"Its arXiv id is {theirs.arxiv}, not {mine.arxiv}."))
    if mine.doi and theirs.doi and mine.doi != theirs.doi and _one_venue(entry, record):
        found.append(Finding("doi", f"Its DOI is {theirs.doi}, not {mine.doi}."))
    return found


def _one_venue(entry: BibEntry, record: BibEntry) -> bool:
    return may_be_one(read_venue(venue_field(entry)), read_venue(venue_field(record)))


def _where_and_when(entry: BibEntry, record: BibEntry) -> list[Finding]:
    mine, theirs = venue_field(entry), venue_field(record)
    years = year_of(entry), year_of(record)
    if mine and theirs:
        return _two_venues(mine, theirs, years)
    if theirs and _is_preprint(entry):
        message = f"It has been published: {theirs}, {years[1] or 'no year'}."
        posted = arxiv_date(arxiv_id_of(entry))
        in_its_year = posted is not None and posted[0] == years[0]
        of_year = [] if in_its_year else _years(years, YEARS_APART, early=False)
        return [Finding("published", message, False), *of_year]
    if is_preprint_record(record) and not _is_preprint(entry):
        return _before_its_preprint(entry, record, years)
    message = f"The record says that it appeared in {theirs}; the entry names no venue."
    nowhere = theirs and not mine and entry.type not in NOT_PAPERS
    lacking = [Finding("incomplete", message, False)] if nowhere else []
    return [*lacking, *_years(years, YEARS_APART if mine or theirs else 1)]


def _two_venues(named: str, known: str, years: tuple[int | None, int | None]) -> list[Finding]:
    mine, theirs = read_venue(named), read_venue(known)
    if may_be_one(mine, theirs):
        if mine.side == theirs.side:
            return _years(years, 1)
        return [Finding("venue", f"The record says {known}; a workshop has a volume of its own.", False)]
    if _later_version(mine, theirs, years):
        message = f"The record says {known}, {years[1]}; the entry may be of a later version."
        return [Finding("venue", message, False)]
    if is_foreign(read_accents(named)) != is_foreign(read_accents(known)) and not (
        mine.known and theirs.known
    ):
        return [Finding("venue", f"The record names the venue in another language: {known}.", False)]
    return [
        Finding("venue", f"The record says that it appeared in {known}, the entry {named}."),
        *_years(years, 0),
    ]


def _later_version(mine: Venue, theirs: Venue, years: tuple[int | None, int | None]) -> bool:
    """Whether the entry (a journal) can be the later version of the record (a conference paper). General
    journals of science print no papers that have appeared before."""
    year, known = years
    if mine.short in ("nature", "pnas", "science"):
        return False
    return mine.kind == "journal" and theirs.kind == "conference" and bool(year and known and year > known)


def _years(years: tuple[int | None, int | None], apart: int, early: bool = True) -> list[Finding]:
    """A finding if the years differ: a contradiction if they differ by more than `apart` years, else only a
    remark, because print may follow the first version. `early`: whether an entry's year before the record's
    can also be a contradiction."""
    mine, theirs = years
    if mine is None or theirs is None or mine == theirs:
        return []
    contradicts = abs(mine - theirs) > apart and (early or mine > theirs)
    return [Finding("year", f"The record says {theirs}, the entry {mine}.", contradicts)]


def _before_its_preprint(
    entry: BibEntry, record: BibEntry, years: tuple[int | None, int | None]
) -> list[Finding]:
    mine, posted = years[0], arxiv_date(arxiv_id_of(record))
    if mine is None or posted is None or mine >= posted[0]:
        return [] if venue_field(entry) else _years(years, YEARS_APART)
    message = f"It was first posted in {posted[0]}, the entry says {mine}."
    return [Finding("year", message, posted_too_late(posted, mine + 1))]  # some authors post a year later


def is_preprint_record(record: BibEntry) -> bool:
    return not venue_field(record) and bool(arxiv_id_of(record))


def _is_preprint(entry: BibEntry) -> bool:
    return (
        not venue_field(entry) and (bool(arxiv_id_of(entry)) or names_preprints(entry)) and not doi_of(entry)
    )
