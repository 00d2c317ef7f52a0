"""`texgeist related-work`, `texgeist draft-section` and `texgeist review`: write sections into a project."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING, Literal

import typer
from texgeist_retrieval.defaults import MOST_BREADTH, MOST_DEPTH
from texgeist_retrieval.text.words import number_of

from ..sections.queries import Source
from ..sections.results import advice
from .common import (
    DISCOVER,
    DRAFT,
    INDEX,
    JSON,
    draft_from,
    load_settings,
    plainly,
    refuse_to_write,
    setup_for,
)
from .evidence import tell_run
from .exits import KNOWN
from .terminal import echo, inform
from .writing_commands import (
    DRY_RUN,
    WRITER,
    deliver,
    draft_to_write,
    keep_or_tell,
    result_of,
    show,
)

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Result

BREADTH = typer.Option(
    None,
    min=1,
    max=MOST_BREADTH,
    help="Number of papers to cite. (default: by the draft, at most about 24; quoted without a model: 12)",
)
DEPTH = typer.Option(None, min=1, max=MOST_DEPTH, help="Number of pages to use of each paper. (default: 2)")
DIVERSITY = typer.Option(None, min=0, max=1, help="0: similar papers; 1: varied papers. (default: 0.0)")
ANEW = typer.Option(
    False,
    "--anew",
    "--force",
    help="Replace an earlier section and discard your edits in it; the discarded edits are listed.",
)
INSTRUCTIONS = typer.Option(None, help="Instructions on style for the model.")
FROM = typer.Option("abstract", "--from", help="Search with the abstract or the whole draft.")


def register(app: typer.Typer) -> None:
    app.command("related-work")(related_work)
    app.command("draft-section")(draft_section)
    app.command("review")(review)


def related_work(
    file: Path = DRAFT,
    source: Source = FROM,
    breadth: int | None = BREADTH,
    depth: int | None = DEPTH,
    diversity: float | None = DIVERSITY,
    writer: str = WRITER,
    instructions: str | None = INSTRUCTIONS,
    index: str | None = INDEX,
    discover: bool = DISCOVER,
    cited: bool = typer.Option(
        False, "--cited", help="Also choose papers that the draft cites elsewhere, not only new ones."
    ),
    apply: bool = typer.Option(False, "--apply", help="Write the section and the entries into the project."),
    format: Literal["latex", "markdown"] = typer.Option(
        "latex", "--format", help="How the section is printed."
    ),
    anew: bool = ANEW,
    dry_run: bool = DRY_RUN,
    as_json: bool = JSON,
) -> None:
    """Write a related-work section with its bibliography entries.

    Without --apply the section is printed and no file changes. Your edits in an earlier section are kept.
    The draft may be a PDF, or plain text on standard input: a line with the title, then the abstract."""
    from ..sections import runs
    from ..sections.edit_requests import RelatedWorkEdit

    refuse_to_write(file, apply)
    settings = load_settings(discover=discover)
    settings = runs.with_numbers(
        settings, breadth=breadth, depth=depth, diversity=diversity, instructions=instructions
    )
    with plainly():
        given = draft_from(file)
        draft, written_by = draft_to_write(
            given.path, settings, written=apply and not dry_run, texts=given.texts
        )
        edit_request = RelatedWorkEdit(
            path=given.path,
            source=source,
            settings=settings,
            written_by=written_by,
            anew=anew,
            references=given.references,
            again=cited,
        )
        request = edit_request.prepare(draft)
        if written_by == "us":
            keep_or_tell(draft, edit_request.section, anew)
        setup, doing = setup_for(settings, index, writer), "Reading the draft"
        if result := result_of(request, setup, doing, dry_run=dry_run, as_json=as_json):
            plan = edit_request.plan(draft, draft, result)
            if not given.project:
                plan = replace(plan, edits=(), new_files=(), notes=advice(result))
            shown = partial(show, project=given.project, markdown=format == "markdown")
            deliver(draft, plan, result, apply, as_json, shown)


def draft_section(
    file: Path = typer.Argument(..., help="Any .tex file of the project."),
    section: str = typer.Option(
        ..., "--section", help="Heading or kind of the section: Introduction, Methods, Results, …"
    ),
    writer: str = WRITER,
    instructions: str | None = INSTRUCTIONS,
    index: str | None = INDEX,
    apply: bool = typer.Option(False, "--apply", help="Write the text into the project, after your own."),
    anew: bool = ANEW,
    dry_run: bool = DRY_RUN,
    as_json: bool = JSON,
) -> None:
    """Continue a section, based on the indexed full papers and your own text.

    Your text is kept word for word; new text is added after it, and comments ask for what only you can say.
    Without a model the evidence is written as notes. Without --apply the text is only printed."""
    from ..sections import runs
    from ..sections.edit_requests import SectionEdit
    from ..sections.section_briefs import section_named

    settings = load_settings()
    settings = runs.with_numbers(settings, instructions=instructions)
    with plainly():
        draft, written_by = draft_to_write(file, settings, written=apply and not dry_run)
        KNOWN.set(replace(KNOWN.get(), reads_passages=True))
        edit_request = SectionEdit(
            path=file,
            where=lambda now: section_named(now, section),
            settings=settings,
            written_by=written_by,
            anew=anew,
        )
        request = edit_request.prepare(draft)
        if written_by == "us":
            keep_or_tell(draft, edit_request.replaced_in(draft), anew)
        setup, doing = setup_for(settings, index, writer), "Reading the draft"
        if result := result_of(request, setup, doing, dry_run=dry_run, as_json=as_json):
            deliver(draft, edit_request.plan(draft, draft, result), result, apply, as_json, _show_run)


def _show_run(draft: Draft, plan: EditPlan, result: Result, applied: bool) -> None:
    """Shows how the evidence was gathered, then the same output as for any section (`show`)."""
    if result.run is not None:
        for asked in result.run.queries:
            became = f"not run: {asked.refused}" if asked.refused else f"{len(asked.found)} found"
            inform(f"{asked.by}: {shorten(asked.text, 160)} ({became})")
        tell_run(result.run)
    show(draft, plan, result, applied)


def review(
    file: Path | None = typer.Argument(
        None, help="A .tex file or a PDF; without it, paste or drop a draft there."
    ),
    source: Source = FROM,
    index: str | None = INDEX,
    apply: bool = typer.Option(False, "--apply", help="Write from the page into the project."),
) -> None:
    """Review the papers for a draft in a browser. Prints the page's address, and the text that is written there."""
    from ..review.standalone import Standalone, serve
    from ..sections import recording

    def landed(draft: Draft, plan: EditPlan, result: Result) -> str:
        echo(f"{plan.latex}\n{plan.entries}")
        if not apply:
            return f"{number_of(len(plan.keys), 'paper')} cited; the text was printed in the terminal."
        recording.write(draft, plan, result)
        return f"{number_of(len(plan.keys), 'paper')} cited, written into {draft.root.name}."

    if apply and file is None:
        raise typer.BadParameter("--apply needs a .tex file to write into.")
    refuse_to_write(file or Path(), apply)
    settings = load_settings({"index": {"location": index}} if index else {})
    with plainly(), contextlib.suppress(KeyboardInterrupt):
        given = draft_from(file) if file else None
        host = Standalone(given, settings, landed, "us" if apply else "nobody")
        inform("Open this address in a browser; end with Ctrl+C.")
        asyncio.run(serve(host, source, echo))
