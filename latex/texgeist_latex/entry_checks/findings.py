"""What a check says of an entry, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..diagnostic_codes import CODES, Severity
from ..types import BibEntry

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
class Checked:
    """The verdict on one entry. `suspect`: it was found and says otherwise, contradicts itself, or its paper
    was retracted or withdrawn;
    `not-found`: looked up in what covers it and not there, which does not mean that it does not exist;
    `unknown`: nothing could be compared, or no record confirms its authors, its venue and its year;
    `ok`: a record agrees."""

    key: str
    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    published: BibEntry | None = None  # the record of what the entry's preprint became
