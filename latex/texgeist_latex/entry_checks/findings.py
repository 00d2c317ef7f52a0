"""Findings of checks on an entry, and facts from registries about its paper: retracted or withdrawn,
published since, or a newer version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from texgeist_latex.bib.identity import ARXIV_ID, arxiv_id_of
from texgeist_latex.bib.venues import venue_field
from texgeist_latex.diagnostic_codes import CODES, Severity
from texgeist_latex.types import BibEntry, FieldCorrection

Verdict = Literal["ok", "to-correct", "suspect", "not-found", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """A remark on an entry. `contradicts`: the entry contradicts a record or itself; other findings never
    make an entry suspect. `correction`: the change that makes the entry agree with the record. `code` is
    declared in `diagnostic_codes`."""

    code: str
    message: str
    contradicts: bool = True
    correction: FieldCorrection | None = None

    @property
    def severity(self) -> Severity:
        severity = CODES[self.code].severity
        return "information" if severity == "error" and not self.contradicts else severity


@dataclass(frozen=True, slots=True)
class CheckedEntry:
    """The verdict on an entry. `suspect`: a record contradicts the entry, the entry contradicts itself, or
    its paper was retracted or withdrawn; `to-correct`: the entry is of the record's paper, but a detail
    differs from the record or is missing there; `not-found`: no source that should have the paper has it,
    which does not prove that the paper does not exist; `unknown`: there is nothing to compare with, or no
    record confirms authors, venue and year; `ok`: a record agrees. `unchecked`: why the entry was compared
    with no record, "" if it was; `file`: as shown to users."""

    key: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    published: BibEntry | None = None  # the record of a preprint's published version
    records: tuple[str, ...] = ()  # the records compared with the entry: sources, and address or title
    unchecked: str = ""
    title: str = ""  # LaTeX
    file: str = ""
    line: int = 0


_VERSION = re.compile(rf"{ARXIV_ID}v(\d{{1,3}})(?!\d)", re.I)
_NAMES_A_VERSION = ("eprint", "url", "journal", "note", "howpublished", "arxivid", "doi")


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts about a paper. `years`: the years in print, online and of the meeting; `published`: the DOI of a
    preprint's published version; `newest`: the number of the latest arXiv version."""

    years: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()  # retracted, withdrawn, concern, corrected
    published: str = ""
    newest: int | None = None


def findings_of(entry: BibEntry, facts: Facts, source: str) -> list[Finding]:
    """Findings on a paper that authors should know before they cite it."""
    found = []
    if "retracted" in facts.notices:
        found.append(Finding("retracted", f"{source} says that it was retracted."))
    elif "withdrawn" in facts.notices:
        published = bool(venue_field(entry))  # preprints may be withdrawn when the paper appears
        found.append(Finding("withdrawn", f"{source} says that it was withdrawn.", not published))
    if "concern" in facts.notices:
        found.append(Finding("concern", f"{source} says that its publisher has expressed concern.", False))
    if "corrected" in facts.notices:
        found.append(Finding("corrected", f"{source} says that a correction was published.", False))
    cited = cited_version(entry)
    if cited and facts.newest and facts.newest > cited:
        message = f"The entry cites version {cited}; arXiv has version {facts.newest}."
        found.append(Finding("newer-version", message, False))
    return found


def cited_version(entry: BibEntry) -> int | None:
    """The number of the arXiv version that the entry cites; None if it names no version."""
    if not arxiv_id_of(entry):
        return None
    matches = (_VERSION.search(entry.fields.get(name, "")) for name in _NAMES_A_VERSION)
    return next((int(match[1]) for match in matches if match), None)
