"""What a check says of an entry, and what follows from it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..types import BibEntry

Verdict = Literal["ok", "suspect", "not-found", "unknown"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to look at. `contradicts`: what is known, or the entry itself, says otherwise; the rest
    are remarks, which never make an entry suspect. `code` is stable, for programs:

    of the entry alone   year-ahead, doi-malformed, doi-venue, doi-year, arxiv-date, ids-differ,
                         venue-year, pages-reversed, placeholder, incomplete, broken-entry
    against a record     title, authors, authors-missing, authors-added, author-order, year, venue,
                         doi, arxiv-id, other-paper, published
    of the paper         retracted, withdrawn, concern, corrected, newer-version
    of the search        not-found
    """

    code: str
    message: str
    contradicts: bool = True


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
