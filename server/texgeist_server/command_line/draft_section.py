"""`texgeist draft-section`: any section of a draft, gone on with from evidence and from the author's own text."""

from __future__ import annotations

from pathlib import Path
from textwrap import shorten
from typing import TYPE_CHECKING

import typer

from .common import INDEX, JSON, load_settings, messages, plainly
from .related_work import deliver, keep_or_tell, show
from .section_evidence import tell_run
from .writing_commands import DRY_RUN, WRITER, draft_to_write, result_of

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Result


def register(app: typer.Typer) -> None:
    @app.command("draft-section")
    def draft_section(
        file: Path = typer.Argument(..., help="Any .tex file of the project."),
        section: str = typer.Option(
            ..., "--section", help="The section's heading, or its kind: Introduction, Methods, Results, …"
        ),
        writer: str = WRITER,
        instructions: str | None = typer.Option(None, help="Your words on style, for a model."),
        index: str | None = INDEX,
        apply: bool = typer.Option(False, "--apply", help="Write it into the project, behind your own text."),
        anew: bool = typer.Option(
            False,
            "--anew",
            "--force",
            help="Draft it anew, without your edits of what was drafted; says what that discards.",
        ),
        dry_run: bool = DRY_RUN,
        as_json: bool = JSON,
    ) -> None:
        """Go on with a section from the full papers of the index and from your own text.

        What you have written stays word for word; what is new stands behind it, and what only you can say is asked
        for in comments. Without a model the evidence is put down as notes. Without --apply it is printed."""
        from ..adapters import setup_of
        from ..config.credentials import keys_from_environment
        from ..sections import edit_requests, runs
        from ..sections.section_briefs import section_named

        settings, keys = load_settings(), keys_from_environment()
        settings = runs.with_numbers(settings, instructions=instructions)
        with plainly():
            draft, written_by = draft_to_write(file, settings, written=apply and not dry_run)
            edit_request = edit_requests.draft_section(
                file, lambda now: section_named(now, section), settings, written_by, anew
            )
            prepared = edit_request.prepare(draft)
            if written_by == "us":
                keep_or_tell(draft, edit_request.replaced_in(draft), anew)
            setup, doing = setup_of(settings, keys, index, writer), "Reading the draft"
            if result := result_of(prepared.request, setup, doing, dry_run=dry_run, as_json=as_json):
                _tell_nothing(result)
                deliver(draft, prepared.plan(draft, result), result, apply, as_json, _show)


def _tell_nothing(result: Result) -> None:
    """Why there is no text, before that is an error."""
    if not result.section.paragraphs:
        for note in result.notes:
            messages().print(note, style="yellow", markup=False)


def _show(draft: Draft, plan: EditPlan, result: Result, applied: bool) -> None:
    """How the evidence was gathered, then all that any section shows."""
    if result.run is not None:
        for asked in result.run.queries:
            became = f"not run: {asked.refused}" if asked.refused else f"{len(asked.found)} found"
            messages().print(f"{asked.by}: {shorten(asked.text, 160)} ({became})", markup=False)
        tell_run(result.run)
    show(draft, plan, result, applied)
