"""Compares findings on a printed reference with its text, because the reference may have been read wrongly: if the
text has what the record says, there is no difference."""

from __future__ import annotations

import re
from dataclasses import replace

from ..bib.identity import identity_of, year_of
from ..bib.plain_references import PRINTED, YEARS
from ..bib.venues import venue_field
from ..tex.accents import to_ascii
from ..tex.plaintext import plain
from ..types import BibEntry
from .contradictions import check_alone
from .findings import Finding
from .names import read_people


def not_misread(findings: list[Finding], entry: BibEntry, record: BibEntry) -> list[Finding]:
    """The findings on an entry, without those that the text of a printed reference refutes."""
    text = entry.fields.get(PRINTED, "")
    if not text:
        return findings
    kept = [finding for finding in findings if not _refuted(finding.code, text, record)]
    sure = "misc" not in (entry.type, record.type)  # else the venue may be a publisher, or part of the title
    return [
        replace(finding, contradicts=False) if finding.code == "venue" and not sure else finding
        for finding in kept
    ]


def _refuted(code: str, text: str, record: BibEntry) -> bool:
    if code in ("year", "pages", "volume", "number"):
        wanted = re.findall(r"\d+", record.fields.get(code, ""))
        broken = code == "pages" and "".join(wanted) in re.sub(r"\D", "", text)  # at the end of a line
        return bool(wanted) and (broken or set(wanted) <= set(re.findall(r"\d+", text)))
    if code.startswith("author"):
        people = read_people(record.fields.get("author", ""))
        names = [_letters("".join(person.family)) for person in people.persons]
        return code != "authors-added" and all(name in _letters(text) for name in names)
    identity = identity_of(record)
    venue = venue_field(record)
    values = {"venue": venue, "incomplete": venue, "doi": identity.doi, "arxiv-id": identity.arxiv}
    value = values.get(code, record.fields.get("title" if code == "other-paper" else code, ""))
    return bool(value) and _letters(value) in _letters(text)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", to_ascii(plain(text)).lower())


def check_printed(entry: BibEntry, this_year: int) -> list[Finding]:
    """The contradictions within an entry, and what it lacks. For a printed reference only contradictions that hold for
    each year in its text, because what it seems to lack may not have been read."""
    found = check_alone(entry, this_year)
    if PRINTED in entry.fields:
        found = [finding for finding in found if finding.code != "incomplete"]
    for year in set(YEARS.findall(entry.fields.get(PRINTED, ""))) - {str(year_of(entry))}:
        codes = {
            f.code for f in check_alone(replace(entry, fields={**entry.fields, "year": year}), this_year)
        }
        found = [finding for finding in found if finding.code in codes]
    return found
