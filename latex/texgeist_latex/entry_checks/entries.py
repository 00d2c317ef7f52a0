"""Gives a verdict on each entry of a bibliography."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from texgeist_latex.bib.venues import venue_field

from ..bib.identity import arxiv_id_of, doi_of, identity_of, year_of
from ..bib.plain_references import PRINTED
from ..types import BibEntry
from .comparison import compare, is_preprint_record, same_place, silent_on
from .contradictions import NOT_PAPERS, incomplete
from .details import DETAILS
from .findings import CheckedEntry, Finding, Verdict, findings_of
from .printed import check_printed, not_misread
from .records import Records

_STRAY, _PUBLISHED = "other-paper", "published"
_UNCONFIRMED = frozenset(
    "authors authors-missing authors-added author-order venue year incomplete unconfirmed".split()
)
_TOLD_ONCE = frozenset({_PUBLISHED, "retracted", "withdrawn", "concern", "corrected", "newer-version"})
TO_CORRECT = frozenset({"author-name", *DETAILS})
_NOT_OUT = re.compile(
    r"\b(?:submitted|under (?:double.blind )?review|in preparation|manuscript|unpublished|in submission)\b",
    re.I,
)


def check_entry(entry: BibEntry, sources: Sequence[Records], this_year: int) -> CheckedEntry:
    """Checks the entry against itself and the records of each source. A paper may have several records, as
    preprint and as published; the record that agrees best is used. An id of another paper is always
    reported."""
    alone = check_printed(entry, this_year)
    compared = [_compared(entry, record, source) for source in sources for record in source.find(entry)]
    if compared:
        best = min(compared, key=_disagreement)
        if is_preprint_record(best.record):  # it says nothing of a year that the published record contradicts
            printed = (one for one in compared if not is_preprint_record(one.record))
            best = next((one for one in printed if {f.code for f in one.findings} == {"year"}), best)
        if doi_of(best.record) == doi_of(entry) and same_place(entry, best.record):
            alone = [finding for finding in alone if finding.code != "doi-venue"]
        strays = [f for one in compared if one is not best for f in one.findings if f.code == _STRAY]
        successor, published = _published_version(entry, compared, sources)
        known = [f for one in compared if one is best or one.by_id for f in one.facts]
        silent = _unconfirmed(best, compared)
        findings = _once([*alone, *best.findings, *strays, *published, *silent, *known, *incomplete(entry)])
        confirmed = not any(finding.code in _UNCONFIRMED for finding in findings)
        seen: dict[str, dict[str, None]] = {}  # sources by address
        for one in compared:
            seen.setdefault(_address(one.record), {})[one.source] = None
        records = tuple(f"{' and '.join(names)}: {address}" for address, names in seen.items())
        verdict = _verdict(findings, "ok" if confirmed else "unknown")
        return CheckedEntry(entry.key, verdict, findings, successor, records)
    looked = [source for source in sources if source.covers(entry)] if covered(entry) else []
    if not looked or (_silent(entry, sources) and all(source.was_asked for source in looked)):
        why = _unchecked(entry, sources)
        return CheckedEntry(entry.key, _verdict(alone, "unknown"), tuple(alone), unchecked=why)
    if any(source.mentions(entry.fields.get(PRINTED, "")) for source in looked):
        why = "a record is similar, but the reference could not be read exactly"
        return CheckedEntry(entry.key, _verdict(alone, "unknown"), tuple(alone), unchecked=why)
    where = _any_of(source.described for source in looked)
    findings = (*alone, Finding("not-found", f"Not found in {where}. It may exist nevertheless.", False))
    return CheckedEntry(entry.key, _verdict(findings, "not-found"), findings)


def _unchecked(entry: BibEntry, sources: Sequence[Records]) -> str:
    """Why there is no record to compare the entry with, for users."""
    if not sources:
        return "no record of a paper is known here"
    if not entry.fields.get("title"):
        return "its title could not be read" if PRINTED in entry.fields else "no title"
    if not covered(entry):
        in_part = ", or what could be read only in part" if PRINTED in entry.fields else ""
        return f"the sources list few books, theses, reports and web pages{in_part}"
    if is_unprinted(entry):
        return "marked as not yet published"
    if silent := _silent(entry, sources):
        return f"no answer from {_any_of(silent)}"
    names = [source.name for source in sources if entry.key not in source.never_asked]
    if not names:
        return "not asked yet (`--online`)"
    return f"no record in {', '.join(names)}, which lists only some papers"


def _any_of(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def _silent(entry: BibEntry, sources: Sequence[Records]) -> list[str]:
    return [source.name for source in sources if source.was_asked and not source.covers(entry)]


@dataclass(frozen=True, slots=True)
class _Compared:
    record: BibEntry
    source: str
    findings: list[Finding]
    facts: list[Finding]  # about the paper, independent of the entry
    by_id: bool  # an id shows that the record is of the entry's paper
    silent: frozenset[str]  # what the record does not say
    published: str = ""  # DOI of a preprint's published version, from a registry


def _compared(entry: BibEntry, record: BibEntry, source: Records) -> _Compared:
    record_then = source.dated(record, entry)
    findings = not_misread(compare(entry, record_then, source.telling(record)), entry, record_then)
    facts = source.facts.get(record.key)
    other = any(finding.code == _STRAY for finding in findings)
    known = findings_of(entry, facts, source.name) if facts and not other else []
    by_id = not other and identity_of(entry).shares_id(identity_of(record))
    published = facts.published if facts and by_id else ""
    return _Compared(record, source.name, findings, known, by_id, silent_on(entry, record), published)


def _disagreement(one: _Compared) -> tuple[int, int]:
    return sum(f.contradicts for f in one.findings), len(one.findings) + len(one.silent)


def _unconfirmed(best: _Compared, compared: Sequence[_Compared]) -> list[Finding]:
    """What neither the record that agrees best nor another record without contradictions says."""
    agreeing = [one.silent for one in compared if not _disagreement(one)[0]]
    silent = best.silent.intersection(*agreeing)
    if not silent or _disagreement(best)[0]:
        return []
    named = " and ".join(f"the {name}" for name in sorted(silent, key=str.lower))
    record = "record, which is of a preprint," if is_preprint_record(best.record) else "record"
    return [Finding("unconfirmed", f"The {record} does not confirm {named}.", False)]


def _published_version(
    entry: BibEntry, compared: Sequence[_Compared], sources: Sequence[Records]
) -> tuple[BibEntry | None, list[Finding]]:
    """The record of a preprint's published version, if it is known, and the findings about it. The version is
    found by title and authors, or a registry names it for the preprint's id."""
    for one in compared:
        found = [finding for finding in one.findings if finding.code == _PUBLISHED]
        if found and not any(finding.contradicts for finding in one.findings):
            return one.record, found
    dois = dict.fromkeys(one.published for one in compared if one.published)
    for doi in dois if not venue_field(entry) else ():
        if doi != doi_of(entry):
            record = next((held for source in sources if (held := source.with_doi(doi))), None)
            where = f"{venue_field(record)}, {year_of(record) or 'no year'}" if record else f"DOI {doi}"
            if record is None or venue_field(record):
                return record, [Finding(_PUBLISHED, f"It has been published: {where}.", False)]
    return None, []


def _address(record: BibEntry) -> str:
    """The web address of the record's paper, or else its title."""
    if doi := doi_of(record):
        return f"https://doi.org/{doi}"
    arxiv = arxiv_id_of(record)
    return f"https://arxiv.org/abs/{arxiv}" if arxiv else record.fields.get("title", "")[:120]


def _once(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without repetition; two registries may report the same retraction."""
    return tuple(
        {finding.code if finding.code in _TOLD_ONCE else finding: finding for finding in findings}.values()
    )


def covered(entry: BibEntry) -> bool:
    """Whether a collection of papers should contain the entry's paper."""
    if entry.type in NOT_PAPERS or not entry.fields.get("title"):
        return False
    return entry.type != "misc" or bool(arxiv_id_of(entry) or doi_of(entry))


def is_unprinted(entry: BibEntry) -> bool:
    """Whether the entry says that its paper has not appeared. Such an entry must stay confidential."""
    said = " ".join(
        entry.fields.get(name, "") for name in ("year", "note", "journal", "howpublished", "pubstate")
    )
    return entry.type == "unpublished" or _NOT_OUT.search(said) is not None


def _verdict(findings: Sequence[Finding], otherwise: Verdict) -> Verdict:
    if any(finding.contradicts for finding in findings):
        return "suspect"
    return "to-correct" if any(finding.code in TO_CORRECT for finding in findings) else otherwise
