"""The result of `verify` as a document for co-authors: Markdown, or a web page without scripts."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from texgeist_latex.entry_checks.findings import CheckedEntry, Verdict
from texgeist_latex.errors import Unwritable
from texgeist_retrieval.text.words import number_of

from ..plain_text import escaped, visible
from .checking import Remark, VerifyReport

_BEGINNING = len("# References of")  # characters in which all reports of a format agree
_ORDER: tuple[Verdict, ...] = ("suspect", "not-found", "to-correct", "unknown", "ok")
_MEANING: dict[Verdict, str] = {
    "suspect": "contradicted by a record or by itself",
    "not-found": "not found where it should be",
    "to-correct": "real; a detail is to be corrected",
    "unknown": "not confirmed: no record to compare with",
    "ok": "real: a record confirms it",
}
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.4em;text-align:left;"
    "vertical-align:top}.suspect,.not-found{color:#a00}.to-correct{color:#850}.unknown{color:#555}.ok{color:#060}"
    "@media print{body{margin:0;max-width:none}}"
)


@dataclass(frozen=True, slots=True)
class AskedSources:
    """The names of the sources that were asked. `silent`: notes on sources that could not be asked, with the
    reason."""

    asked: tuple[str, ...]
    silent: tuple[str, ...]
    day: str  # ISO


def write_report(path: Path, file: Path, report: VerifyReport, sources: AskedSources) -> None:
    """Writes the report in the format of the path's suffix: `.html`, `.md` or `.json`. Raises `Unwritable`, also if
    the path is a file that is no earlier report, for example a document in Markdown."""
    if path.suffix == ".json":
        text = json.dumps({"sources": list(sources.asked), "day": sources.day, **report.as_json()}, indent=1)
    elif path.suffix in (".html", ".md"):
        make = _page if path.suffix == ".html" else markdown_report
        text = make(file.name, report, sources)
    else:
        raise Unwritable(
            f"{path.name} is no format of a report.", "Name a file that ends in .html, .md or .json."
        )
    try:
        if path.exists() and not path.read_bytes().startswith(text[:_BEGINNING].encode()):
            raise Unwritable(f"{path} is no earlier report, and was not overwritten.", "Name another file.")
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise Unwritable(f"{path} cannot be written: {error.strerror}.", "Name another file.") from error


def summary(report: VerifyReport) -> str:
    """The number of entries, and of those with each verdict."""
    verdicts = [entry.verdict for entry in report.entries]
    counts = ", ".join(f"{verdicts.count(verdict)} {verdict}" for verdict in _ORDER if verdict in verdicts)
    share = f" ({report.share.rstrip('.')})" if report.share else ""
    return f"{number_of(len(verdicts), 'entry')}{': ' + counts if counts else ''}{share}."


def _asked(sources: AskedSources) -> str:
    names = ", ".join(sources.asked) or "no record: each entry was only compared with itself"
    silent = "".join(f" Not asked: {note}" for note in sources.silent)
    return f"Checked on {sources.day} against {names}.{silent}"


def _rest(report: VerifyReport) -> tuple[tuple[str, Sequence[Remark]], ...]:
    return ("The document", report.draft), ("Sentences with citations", report.sentences)


def markdown_report(name: str, report: VerifyReport, sources: AskedSources) -> str:
    return "\n\n".join(_markdown(name, report, sources))


def _markdown(name: str, report: VerifyReport, sources: AskedSources) -> Iterator[str]:
    yield f"# References of {escaped(name)}"
    yield escaped(f"{_asked(sources)} {summary(report)}")
    for verdict, entries in _by_verdict(report):
        yield f"## {verdict}: {_MEANING[verdict]}"
        yield "\n".join(map(_item, entries))
    for title, remarks in _rest(report):
        if remarks:
            yield f"## {title}"
            yield "\n".join(f"- {escaped(f'{r.file}, line {r.line}: {r.message}')}" for r in remarks)


def _item(entry: CheckedEntry) -> str:
    findings = " ".join(finding.message for finding in entry.findings)
    records = f" Compared with {', '.join(entry.records)}." if entry.records else ""
    return f"- **{escaped(entry.key)}**: {escaped(findings + records)}"


def _by_verdict(report: VerifyReport) -> Iterator[tuple[Verdict, list[CheckedEntry]]]:
    for verdict in _ORDER:
        if entries := [entry for entry in report.entries if entry.verdict == verdict]:
            yield verdict, entries


def _page(name: str, report: VerifyReport, sources: AskedSources) -> str:
    rows = "\n".join(_row(entry) for _, entries in _by_verdict(report) for entry in entries)
    rest = "\n".join(
        f"<h2>{title}</h2><ul>" + "".join(f"<li>{_text(r.file)}, line {r.line}: {_text(r.message)}" for r in remarks)
        + "</ul>"
        for title, remarks in _rest(report)
        if remarks
    )  # fmt: skip
    meaning = "".join(f"<li><b class={v}>{v}</b>: {_MEANING[v]}" for v in _ORDER)
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>References of {_text(name)}</title>'
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        f"<style>{_STYLE}</style><h1>References of {_text(name)}</h1><p>{_text(_asked(sources))}</p>"
        f"<p>{summary(report)}</p>"
        f"<table><tr><th>entry<th>verdict<th>findings<th>records</tr>\n{rows}\n</table>\n{rest}<ul>{meaning}</ul></html>"
    )


def _row(entry: CheckedEntry) -> str:
    findings = "<br>".join(_text(finding.message) for finding in entry.findings)
    records = "<br>".join(_text(record) for record in entry.records)
    return (
        f"<tr><td>{_text(entry.key)}<td class={entry.verdict}>{entry.verdict}<td>{findings}<td>{records}</tr>"
    )


def _text(text: str) -> str:
    return html.escape(visible(text))
