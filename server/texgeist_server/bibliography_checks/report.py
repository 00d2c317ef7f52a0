"""What `texgeist verify` found, as values, as JSON and as an exit code."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from texgeist_latex.diagnostic_codes import Severity
from texgeist_latex.entry_checks.findings import Verdict
from texgeist_latex.types import BibEntry

CLEAN, WARNED, WRONG = 0, 3, 4  # exit codes; 1 and 2 say that nothing could be checked


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to look at; `line` counts from 1, 0 where there is none."""

    code: str
    message: str
    severity: Severity
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class EntryReport:
    """`published`: the record of what the entry's preprint became, for a fix; no part of the JSON."""

    key: str
    verdict: Verdict
    problems: tuple[Remark, ...] = ()
    published: BibEntry | None = None


@dataclass(frozen=True, slots=True)
class Report:
    entries: tuple[EntryReport, ...] = ()
    sentences: tuple[Remark, ...] = ()  # what a citation does not bear out: told by a model alone
    draft: tuple[Remark, ...] = ()

    def as_json(self) -> dict[str, object]:
        entries = [
            {"key": e.key, "verdict": e.verdict, "problems": [asdict(r) for r in e.problems]}
            for e in self.entries
        ]
        return {
            "entries": entries,
            "sentences": [asdict(remark) for remark in self.sentences],
            "draft": [asdict(remark) for remark in self.draft],
        }

    @property
    def exit_code(self) -> int:
        """An error: an entry is suspect, or cited and missing. A warning: an entry was not found, …"""
        severities = {r.severity for e in self.entries for r in e.problems} | {r.severity for r in self.draft}
        if "error" in severities:
            return WRONG
        return WARNED if "warning" in severities else CLEAN
