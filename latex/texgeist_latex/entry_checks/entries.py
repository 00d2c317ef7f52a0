"""The verdict on each entry of a bibliography."""

from __future__ import annotations

from collections.abc import Sequence

from ..bib.identity import arxiv_id_of, doi_of
from ..types import BibEntry
from .comparison import compare
from .contradictions import check_alone
from .findings import Checked, Finding, Verdict
from .records import Records

_STRAY = "other-paper"
# Kinds of entries that collections of papers do not hold: their absence there says nothing.
_NOT_PAPERS = frozenset(
    "book booklet manual mvbook online electronic www software dataset patent thesis phdthesis mastersthesis "
    "bachelorsthesis techreport report unpublished proceedings standard inbook collection".split()
)


def check_entry(entry: BibEntry, sources: Sequence[Records], this_year: int) -> Checked:
    """Against itself, and against the records of each source; the record that agrees best counts,
    because a paper may be known as a preprint and as published. An id of another paper counts always."""
    alone = check_alone(entry, this_year)
    compared = [compare(entry, record) for source in sources for record in source.find(entry)]
    if compared:
        best = min(compared, key=_weight)
        strays = [f for findings in compared if findings is not best for f in findings if f.code == _STRAY]
        findings = [*alone, *best, *strays]
        return Checked(entry.key, _verdict(findings, "ok"), tuple(findings))
    looked = [source for source in sources if len(source)] if covered(entry) else []
    absent = [_not_found(entry, looked)] if looked else []
    findings = [*alone, *absent]
    return Checked(entry.key, _verdict(findings, "not-found" if looked else "unknown"), tuple(findings))


def covered(entry: BibEntry) -> bool:
    """Whether a collection of papers would have it if it is one."""
    if entry.type in _NOT_PAPERS or not entry.fields.get("title"):
        return False
    return entry.type != "misc" or bool(arxiv_id_of(entry) or doi_of(entry))


def _weight(findings: list[Finding]) -> tuple[int, int]:
    return sum(finding.contradicts for finding in findings), len(findings)


def _verdict(findings: Sequence[Finding], otherwise: Verdict) -> Verdict:
    return "suspect" if any(finding.contradicts for finding in findings) else otherwise


def _not_found(entry: BibEntry, looked: Sequence[Records]) -> Finding:
    where = " or ".join(f"{source.name} ({len(source):,} papers)" for source in looked)
    return Finding("not-found", f"Not found in {where}. It may exist all the same.", False)
