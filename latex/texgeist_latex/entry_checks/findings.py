"""What a check says of an entry, and what a registry says of its paper: that it was retracted or withdrawn, has been
published since, or has a newer version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from texgeist_latex.bib.identity import ARXIV_ID, arxiv_id_of
from texgeist_latex.diagnostic_codes import CODES, Severity
from texgeist_latex.entry_checks.venues import venue_field
from texgeist_latex.types import BibEntry

Verdict = Literal["ok", "suspect", "not-found", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark on an entry. `contradicts`: a known record, or the entry itself, says otherwise; the others never
    make an entry suspect. `code` is declared in `diagnostic_codes`."""

    code: str
    message: str
    contradicts: bool = True

    @property
    def severity(self) -> Severity:
        severity = CODES[self.code].severity
        return "information" if severity == "error" and not self.contradicts else severity


@dataclass(frozen=True, slots=True)
class CheckedEntry:
    """The verdict on one entry. `suspect`: it was found and says otherwise, contradicts itself, or its paper
    was retracted or withdrawn;
    `not-found`: looked up in what covers it and not there, which does not mean that it does not exist;
    `unknown`: nothing could be compared, or no record confirms its authors, its venue and its year;
    `ok`: a record agrees."""

    key: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    published: BibEntry | None = None  # the record of what the entry's preprint became


_VERSION = re.compile(rf"{ARXIV_ID}v(\d{{1,3}})(?!\d)", re.I)
_NAMES_A_VERSION = ("eprint", "url", "journal", "note", "howpublished", "arxivid", "doi")


@dataclass(frozen=True, slots=True)
class Facts:
    """`years`: of print, online and of the meeting; `published`: the DOI of what a preprint became;
    `newest`: its last version at arXiv."""

    years: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()  # retracted, withdrawn, concern, corrected
    published: str = ""
    newest: int | None = None


def findings_of(entry: BibEntry, facts: Facts, source: str) -> list[Finding]:
    """What to know before the paper is cited."""
    found = []
    if "retracted" in facts.notices:
        found.append(Finding("retracted", f"It has been retracted, says {source}."))
    elif "withdrawn" in facts.notices:
        published = bool(venue_field(entry))  # some withdraw the preprint when the paper appears
        found.append(Finding("withdrawn", f"It has been withdrawn, says {source}.", not published))
    if "concern" in facts.notices:
        found.append(Finding("concern", f"Its publisher has expressed concern, says {source}.", False))
    if "corrected" in facts.notices:
        found.append(Finding("corrected", f"A correction of it has appeared, says {source}.", False))
    cited = cited_version(entry)
    if cited and facts.newest and facts.newest > cited:
        message = f"Version {cited} is cited; arXiv has version {facts.newest}."
        found.append(Finding("newer-version", message, False))
    return found


def cited_version(entry: BibEntry) -> int | None:
    """The version of its arXiv paper that the entry names."""
    if not arxiv_id_of(entry):
        return None
    matches = (_VERSION.search(entry.fields.get(name, "")) for name in _NAMES_A_VERSION)
    return next((int(match[1]) for match in matches if match), None)
