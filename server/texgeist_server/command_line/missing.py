"""`texgeist missing`: works that similar papers cite and a draft does not."""

from __future__ import annotations

from pathlib import Path

import typer

from .common import INDEX, load_settings, plainly
from .terminal import echo, inform, warn
from .writing_commands import DRY_RUN, WRITER, draft_to_write, result_of


def register(app: typer.Typer) -> None:
    app.command("missing")(missing)


def missing(
    file: Path = typer.Argument(..., help="Any .tex file of the project."),
    writer: str = WRITER,
    index: str | None = INDEX,
    dry_run: bool = DRY_RUN,
) -> None:
    """Find works of the index that the draft does not cite and that a reviewer may miss. With a language model, says what could be written about them."""
    from ..adapters import setup_of
    from ..config.credentials import keys_from_environment
    from ..sections.missing import in_words, lines_of, missing_of, missing_request

    settings = load_settings()
    with plainly():
        draft, _ = draft_to_write(file, settings, written=False)
        setup = setup_of(settings, keys_from_environment(), index, writer)
        result = result_of(missing_request(draft), setup, "Searching", dry_run=dry_run, as_json=False)
        if result is None:
            return
        for note in result.notes:
            warn(note)
        works = missing_of(draft, result)
        inform(in_words(len(works)))
        for work in works:
            echo("\n   ".join([work.reference, *lines_of(work)]))
