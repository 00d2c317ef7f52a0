"""The result of `verify`: as values, as JSON with an exit code, and as a document for co-authors (Markdown, or a web
page without scripts)."""

from __future__ import annotations

import html
import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import asdict, dataclass, replace
from datetime import date
from itertools import groupby
from pathlib import Path
from urllib.parse import quote

from texgeist_latex.diagnostic_codes import Severity
from texgeist_latex.entry_checks.findings import CheckedEntry, Verdict
from texgeist_latex.errors import Unwritable
from texgeist_retrieval.text.words import number_of

from ..plain_text import escaped, plain, visible

UNUSED, NOT_CITED = "unused", " is not cited."  # code and end of the message
_TOGETHER = {  # codes of remarks that are gathered, and what to do
    UNUSED: "not cited in the document",
    "repeated-entry": "with the key and the fields of an earlier entry: delete the copies",
    "duplicate-key": "with the key of an earlier entry, but other fields, which BibTeX ignores: delete them or change the key",
    "same-paper": "of the same paper as another entry: cite only one of them",
}
CLEAN, WARNED, WRONG = 0, 3, 4  # exit codes; 1 and 2 mean that nothing could be checked
_PAGE = '<!doctype html><html lang="en"><meta charset="utf-8"><title>References of '
_BEGINNING = {  # of every report
    ".html": re.escape(_PAGE),
    ".md": r"# References of [^\n]*\r?\n\r?\nChecked on \d{4}-",
    ".json": r'\{\r?\n "sources": \[',
}
_ORDER: tuple[Verdict, ...] = ("suspect", "not-found", "to-correct", "unknown", "ok")
_MEANING: dict[Verdict, str] = {
    "suspect": "contradicted by a record or by itself",
    "not-found": "not found where it should be",
    "to-correct": "real; a detail is to be corrected",
    "unknown": "not confirmed by any record",
    "ok": "real: records confirm title, authors, venue and year",
}
ADVICE: dict[Verdict, str] = {
    "suspect": "Compare each suspect entry with the paper itself: a record can be wrong, too.",
    "not-found": "Look for each paper that was not found: collections of records lack many papers.",
    "to-correct": "`texgeist verify --fix` corrects a field if the record has another value.",
}
NO_JUDGE_ASKED = "whether the cited papers support the sentences: no model was asked"
NO_RECORDS = (
    "No record of any paper is known here, so an entry was only compared with itself and other entries."
)
_SOME, _FEW = 5, 3  # keys that are listed; remarks of a kind that each get a line
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "information", "hint")
# Findings of a kind that are printed, because a large bibliography has thousands of unused entries.
_MOST, _MOST_UNCITED = 20, 5  # the latter also of information and hints
_LINK = re.compile(r"https\\://(?:doi|arxiv)\.org/\S*[^\s,]")  # in escaped Markdown
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "@media print{body{margin:0;max-width:none}}"
)


@dataclass(frozen=True, slots=True)
class Remark:
    """A remark on the draft. `line`: the line number, from 1; 0 if there is none."""

    code: str
    message: str
    severity: Severity
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class VerifyReport:
    """`sources`: the sources of the records; `notes`: on sources that could not be asked; `unchecked`: what was
    not checked, and why; `uncited`: file and line of the entries that are known not to be cited."""

    entries: tuple[CheckedEntry, ...] = ()
    sentences: tuple[Remark, ...] = ()  # sentences that a model judges unsupported by their citations
    draft: tuple[Remark, ...] = ()
    share: str = ""  # how many references of a plain list could be read
    sources: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    uncited: frozenset[tuple[str, int]] = frozenset()

    def as_json(self) -> dict[str, object]:
        return {
            "entries": [_entry_as_json(entry) for entry in self.entries],
            "sentences": [asdict(remark) for remark in self.sentences],
            "draft": [asdict(remark) for remark in self.draft],
            "unchecked": [*self.notes, *self.unchecked],
            **({"read": self.share} if self.share else {}),
        }

    @property
    def exit_code(self) -> int:
        """`WRONG` if any remark is an error (an entry is contradicted, or cited but missing); else `WARNED`
        if any remark is a warning; else `CLEAN`."""
        severities = {f.severity for e in self.entries for f in e.findings} | {r.severity for r in self.draft}
        if "error" in severities:
            return WRONG
        return WARNED if "warning" in severities else CLEAN


def _entry_as_json(entry: CheckedEntry) -> dict[str, object]:
    problems = [
        asdict(Remark(finding.code, finding.message, finding.severity, entry.file, entry.line))
        | ({"correction": asdict(finding.correction)} if finding.correction else {})
        for finding in entry.findings
    ]
    return {"key": entry.key, "verdict": entry.verdict, "problems": problems, "records": list(entry.records)}


def require_report(path: Path) -> None:
    """Raises `Unwritable` unless a report may be written to the path: its suffix is .html, .md or .json, and a file
    there is an earlier report, not for example a document in Markdown."""
    if path.suffix not in _BEGINNING:
        raise Unwritable(
            f"A report cannot be written to {path.name}.", "Name a file that ends in .html, .md or .json."
        )
    try:
        text = path.read_text("utf-8", "replace") if os.path.lexists(path) else None
    except OSError as error:
        raise Unwritable(f"{path} cannot be replaced: {error.strerror}.", "Name another file.") from error
    if text is not None and not re.match(_BEGINNING[path.suffix], text):
        raise Unwritable(
            f"{path} exists and is not an earlier report, so it was not overwritten.", "Name another file."
        )


def write_report(path: Path, file: Path, report: VerifyReport) -> None:
    """Writes the report in the format of the path's suffix. Raises `Unwritable`, also if `require_report` does."""
    require_report(path)
    if path.suffix == ".json":
        day = date.today().isoformat()
        text = json.dumps({"sources": report.sources, "day": day, **report.as_json()}, indent=1)
    else:
        text = (_page if path.suffix == ".html" else markdown_report)(file.name, report)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}.", "Name another file.") from error


def summary(report: VerifyReport) -> str:
    """The number of entries, and of those with each verdict."""
    verdicts = Counter(entry.verdict for entry in report.entries)
    counts = ", ".join(f"{verdicts[verdict]:,} {verdict}" for verdict in _ORDER if verdicts[verdict])
    share = f" ({report.share.rstrip('.')})" if report.share else ""
    return f"{number_of(len(report.entries), 'entry')}{': ' + counts if counts else ''}{share}."


def some_keys(keys: Sequence[str], most: int = _SOME) -> str:
    """The first keys, and how many more there are."""
    more = f" and {len(keys) - most:,} more" if len(keys) > most else ""
    return f"{', '.join(keys[:most])}{more}"


def gathered(remarks: Iterable[Remark], uncited: Set[tuple[str, int]] = frozenset()) -> Iterator[Remark]:
    """The remarks, with a single remark for more than `_FEW` of a kind in `_TOGETHER` in a file. Those on `uncited`
    entries are gathered separately."""
    alike: dict[tuple[str, str, bool], list[Remark]] = {}
    for remark in remarks:
        if remark.code in _TOGETHER:
            key = remark.code, remark.file, (remark.file, remark.line) in uncited
            alike.setdefault(key, []).append(remark)
        else:
            yield remark
    for (code, file, idle), some in alike.items():
        without = " (not cited)" if idle and code != UNUSED else ""
        if code != UNUSED and len(some) <= _FEW:
            yield from (replace(r, message=r.message.replace(" ", f"{without} ", 1)) for r in some)
            continue
        keys = some_keys([remark.message.split()[0] + _more(remark) for remark in some])
        message = f"{number_of(len(some), 'entry')}{without} {_TOGETHER[code]}: {keys}."
        yield Remark(code, message, some[0].severity, file, 0 if code == UNUSED else some[0].line)


def _more(remark: Remark) -> str:
    """What to show after the key of a gathered remark."""
    if remark.code == UNUSED:
        return ""
    said = {
        "duplicate-key": f", {remark.message.rpartition('with ')[2].rstrip('.')}",
        "same-paper": f", as {remark.message.rpartition(' as ')[2].split()[0]}",
    }
    return f" (line {remark.line}{said.get(remark.code, '')})"


def shortened(remarks: Iterable[Remark], uncited: Set[tuple[str, int]] = frozenset()) -> Iterator[str]:
    """The remarks, a line each: those on `uncited` entries last, then by severity and code; all suspect entries, but at
    most `_MOST` or `_MOST_UNCITED` remarks with any other code."""

    def rank(remark: Remark) -> tuple[bool, int, bool, str]:
        last = remark.code == UNUSED or (remark.file, remark.line) in uncited
        return last, SEVERITIES.index(remark.severity), remark.code != "suspect", remark.code

    for (last, severity, other, code), group in groupby(sorted(remarks, key=rank), key=rank):
        alike = list(group)
        most = _MOST_UNCITED if last or severity > 1 else _MOST
        most = most if other else len(alike)
        for r in alike[:most]:
            yield " ".join(f"{place(r.file, r.line)}: {r.severity}: {r.message}".splitlines())
        if len(alike) > most:
            yield f"{len(alike) - most:,} more of {code}: `texgeist verify` with `--json` or `--report` lists all."


def markdown_report(name: str, report: VerifyReport) -> str:
    return "\n\n".join(_markdown(name, report))


def _markdown(name: str, report: VerifyReport) -> Iterator[str]:
    yield f"# References of {escaped(name)}"
    against = f" against {', '.join(report.sources)}. " if report.sources else f". {NO_RECORDS} "
    yield escaped(f"Checked on {date.today().isoformat()}{against}{summary(report)}")
    for verdict in _ORDER:
        entries = [entry for entry in report.entries if entry.verdict == verdict]
        if entries:
            entries.sort(key=lambda entry: (entry.file, entry.line) in report.uncited)
            yield f"## {verdict}: {_MEANING[verdict]}"
            yield from [escaped(ADVICE[verdict])] if verdict in ADVICE else []
            yield _list(_of_entries(entries))
    for title, remarks in (("The document", report.draft), ("Sentences with citations", report.sentences)):
        if remarks:
            yield f"## {title}"
            yield _list(
                escaped(f"{place(r.file, r.line)}: {r.message}") for r in gathered(remarks, report.uncited)
            )
    if unchecked := (*report.notes, *report.unchecked):
        yield "## Not checked"
        yield _list(map(escaped, unchecked))


def _of_entries(entries: Iterable[CheckedEntry]) -> Iterator[str]:
    """A line for each entry with findings or records, and a line for all others for each reason."""
    silent: dict[str, list[str]] = {}
    for entry in entries:
        if entry.findings or entry.records:
            title = f"“{escaped(plain(entry.title))}”. " if entry.title else ""
            compared = _LINK.sub(_linked, escaped(compared_with(entry)))
            yield f"**{escaped(entry.key)}**: {title}{escaped(said_of(entry))} {compared}"
        else:
            silent.setdefault(entry.unchecked, []).append(entry.key)
    for reason, keys in silent.items():
        yield f"{escaped(reason)}: {escaped(', '.join(keys))}"


def _linked(match: re.Match[str]) -> str:
    """The address of a DOI or of arXiv, escaped, as a link."""
    address = match[0].replace("\\", "")
    return f"[{match[0]}](<{quote(address, safe=':/')}>)"


def place(file: str, line: int) -> str:
    """The place as shown to users. The line of a PDF is the page; 0 is the whole file."""
    if file.lower().endswith(".pdf"):
        return f"{file}, page {line}"
    return f"{file}:{line}" if line else file


def _list(items: Iterable[str]) -> str:
    return "\n".join(f"- {item}" for item in items)


def said_of(entry: CheckedEntry) -> str:
    """The findings on an entry, the gravest first."""
    findings = sorted(entry.findings, key=lambda finding: not finding.contradicts)
    return " ".join(finding.message for finding in findings)


def compared_with(entry: CheckedEntry) -> str:
    return f"Compared with {', '.join(entry.records)}" if entry.records else ""


def _page(name: str, report: VerifyReport) -> str:
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).render(markdown_report(name, report))
    return (
        f"{_PAGE}{html.escape(visible(name))}</title>"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style>{body}</html>"
    )
