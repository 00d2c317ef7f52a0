"""`texgeist review`: the review page in a browser, without an editor."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.text.words import number_of

from .common import INDEX, draft_from, load_settings, plainly, refuse_to_write
from .terminal import echo, inform
from .write_section import From

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Result


def register(app: typer.Typer) -> None:
    app.command("review")(review)


def review(
    file: Path | None = typer.Argument(
        None, help="A .tex file or a PDF; without it, paste or drop a draft there."
    ),
    source: From = typer.Option(From.abstract, "--from", help="Search with the abstract or the whole draft."),
    index: str | None = INDEX,
    apply: bool = typer.Option(False, "--apply", help="Write from the page into the project."),
) -> None:
    """Review the papers for a draft in a browser. Prints the page's address, and the text that is written there."""
    from ..review.standalone import Standalone, serve
    from ..sections import recording

    def landed(draft: Draft, plan: EditPlan, result: Result) -> str:
        echo(f"{plan.latex}\n{plan.entries}")
        if not apply:
            return f"{number_of(len(plan.keys), 'paper')} cited; the text is on the command line."
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
        asyncio.run(serve(host, source.value, echo))
