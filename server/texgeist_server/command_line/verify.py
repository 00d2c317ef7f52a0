"""`texgeist verify`: checks bibliography entries against known records."""

from __future__ import annotations

import datetime
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.text.words import number_of

from .common import JSON, WRITERS, load_settings, plainly, print_json, setup_for, working, writer_option
from .exits import NO_ANSWER, code_of
from .terminal import Terminal, complaints, echo, inform, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from texgeist_latex.entry_checks.findings import CheckedEntry, Verdict
    from texgeist_retrieval.ports import Monitor

    from ..bibliography_checks.corrections import Fixed
    from ..bibliography_checks.report import Remark, VerifyReport
    from ..bibliography_checks.sentences import Judgements
    from ..config.settings import Settings

KNOWN = typer.Option(
    None, "--known", metavar="RECORDS", help="Records of papers to check against: JSON lines, plain or gzip."
)

_FEW = 3  # entries with the same remark that each get a line
_MOST_KEYS = 20  # listed, of more entries with the same remark
ASK = "`--online` asks arXiv, Crossref and OpenAlex for them; `--known FILE` reads them from a file."
TITLES = typer.Option(
    None,
    "--titles",
    metavar="FILE",
    help="Fingerprints from `texgeist index titles`: report whether the title of each unconfirmed entry is known.",
)
ONLINE = typer.Option(
    False, "--online", help="Also ask arXiv, Crossref and OpenAlex; ids and titles of entries are sent."
)
FIX = typer.Option(
    False, "--fix", help="Correct the details that differ from a record, and show the changes as a diff."
)
REPORT = typer.Option(
    None, "--report", metavar="FILE", help="Also write a report for co-authors: .html, .md or .json."
)
WRITER = writer_option(
    "extractive",
    "The model that judges sentences; `extractive` judges none, and `local` is too small to judge.",
    [name for name in WRITERS if name != "local"],
)


def register(app: typer.Typer) -> None:
    app.command("verify")(verify)


def verify(
    file: Path = typer.Argument(
        ..., help="A .bib file, any .tex file of a project, or a .bbl, .pdf, .docx, .md or .txt file."
    ),
    known: Path | None = KNOWN,
    titles: Path | None = TITLES,
    online: bool = ONLINE,
    fix: bool = FIX,
    report_file: Path | None = REPORT,
    writer: str = WRITER,
    as_json: bool = JSON,
) -> None:
    """Check a bibliography: are its entries consistent, and do they agree with known records of the papers?

    Exit code 0: no problems. 3: warnings (an entry was not found). 4: errors (an entry is contradicted, a
    citation has no entry). Instead of 0: 6 if the model's server or all registries did not answer, 1 if the
    model failed otherwise (for example, its key was refused)."""
    from ..bibliography_checks.checking import check, lists_references, read_file, verify_file
    from ..bibliography_checks.corrections import fix_entries
    from ..bibliography_checks.known_records import open_titles, read_registry
    from ..bibliography_checks.report import NO_RECORDS, require_report, write_report
    from ..config.user_file import own_bibliographies
    from ..sections.safeguards import check_sections

    with plainly(), working("Checking the bibliography") as monitor:
        if fix and lists_references(file):
            raise typer.BadParameter("--fix corrects .bib files only.")
        if report_file is not None:
            require_report(report_file)  # before any request, and before a correction
        known_titles = open_titles(titles) if titles else None
        settings = load_settings()
        records, bad = read_registry(known) if known else (None, 0)
        if known and bad:
            warn(f"{known.name}: {bad:,} lines are not records.")
        done = verify_file(
            file,
            settings,
            monitor,
            check_sections,
            known=[records] if records else [],
            online=online,
            titles=known_titles,
        )
        judged = _judgements(file, settings, writer, monitor)
        report = _with_sentences(done.report, judged, done.read.folder)
        fixed = fix_entries(file, report, own_bibliographies(settings)) if fix else None
        if fixed is not None and fixed.entries:  # the state after the corrections is shown
            read = read_file(file, check_sections, monitor)
            entries = check(read, done.records, datetime.date.today().year, known_titles).entries
            report = replace(report, entries=entries)
        if report_file is not None:
            write_report(report_file, file, report)
    if as_json:
        print_json(report.as_json())
    else:
        if not report.sources:
            echo(f"{NO_RECORDS} {ASK}")
        _show(report)
        if report.sources and known is None and not done.asked:
            echo(ASK)
    if judged is not None and judged.failure:
        complaints().print(judged.note, style="red", markup=False)
    if fixed is not None:
        _show_fixed(fixed)
    failed = code_of(judged.failure) if judged and judged.failure else NO_ANSWER if done.unanswered else 0
    raise typer.Exit(report.exit_code or failed)


def _with_sentences(report: VerifyReport, judged: Judgements | None, folder: Path) -> VerifyReport:
    from ..bibliography_checks.report import NO_JUDGE_ASKED
    from ..bibliography_checks.sentences import remark_of

    if judged is None:
        return report
    unchecked = [sentence for sentence in report.unchecked if sentence != NO_JUDGE_ASKED]
    unchecked += [judged.note] if judged.note else []
    sentences = tuple(remark_of(each, folder) for each in judged.unsupported)
    return replace(report, sentences=sentences, unchecked=tuple(unchecked))


def _show_fixed(fixed: Fixed) -> None:
    """Shows the corrections on standard error, so that with `--json` standard output contains a single JSON
    document."""
    for line in fixed.diff.splitlines():
        inform(line)
    for text in fixed.notes:
        warn(text)
    inform(f"Corrected {number_of(fixed.entries, 'entry')}." if fixed.entries else "Nothing to correct.")


def _judgements(file: Path, settings: Settings, writer: str, monitor: Monitor) -> Judgements | None:
    """The model's judgements on the draft's sentences; None if there is no model or no document."""
    from ..adapters import build_model
    from ..bibliography_checks.checking import lists_references
    from ..bibliography_checks.places import NO_JUDGE
    from ..worker.project_checks import judged_sentences

    setup = setup_for(settings, writer=writer)
    model = build_model(settings, setup.keys, setup.writer)
    if model is None or setup.writer in NO_JUDGE or file.suffix.lower() == ".bib" or lists_references(file):
        return None
    from texgeist_latex.reading.draft import read_draft

    return judged_sentences(read_draft(file), settings, model, monitor)


def _show(report: VerifyReport) -> None:
    """Prints the findings, each on a single line; then the numbers, and what was not checked."""
    from ..bibliography_checks.report import ADVICE, gathered, shortened, summary

    out = Terminal(highlight=False, markup=False, emoji=False, soft_wrap=True)
    remarks = list(gathered(report.draft, report.uncited))
    for text in shortened([*_of_entries(report), *remarks, *report.sentences], report.uncited):
        out.print(text)
    kinds = Counter("remark" if r.severity in ("information", "hint") else r.severity for r in remarks)
    rest = ", ".join(number_of(kinds[kind], kind) for kind in ("error", "warning", "remark") if kinds[kind])
    out.print(f"{summary(report)}{f' The document: {rest}.' if rest else ''}")
    for verdict, advice in ADVICE.items():
        if any(entry.verdict == verdict for entry in report.entries):
            out.print(advice)
    if unchecked := (*report.notes, *report.unchecked):
        out.print("Not checked:")
        for text in unchecked:
            out.print(f"  {' '.join(text.splitlines())}")


def _of_entries(report: VerifyReport) -> Iterator[Remark]:
    """A remark on each entry with findings, but a single remark for more than `_FEW` with the same findings."""
    from ..bibliography_checks.report import SEVERITIES, Remark, compared_with, said_of, some_keys

    alike: dict[tuple[str, Verdict, str, str], list[CheckedEntry]] = {}
    for entry in report.entries:
        if entry.findings:
            without = " (not cited)" if (entry.file, entry.line) in report.uncited else ""
            alike.setdefault((without, entry.verdict, said_of(entry), entry.file), []).append(entry)
    for (without, verdict, said, file), entries in alike.items():
        severity = min((finding.severity for finding in entries[0].findings), key=SEVERITIES.index)
        if len(entries) > _FEW and verdict != "suspect":
            some = some_keys([entry.key for entry in entries], _MOST_KEYS)
            text = f"{number_of(len(entries), 'entry')} ({some}){without}: {verdict}: {said}"
            yield Remark(verdict, text, severity, file, entries[0].line)
            continue
        for entry in entries:
            text = f"{entry.key}{without}: {verdict}: {said} {compared_with(entry)}".rstrip()
            yield Remark(verdict, text, severity, file, entry.line)
