"""`texgeist map`: the papers around a draft, as a picture."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import typer
from texgeist_retrieval.codec import to_plain

from .common import INDEX, draft_from, load_settings, messages, plainly, working
from .named_files import FORCE, new_file
from .plots import around
from .speaking import echo
from .writing_commands import draft_to_write


def register(app: typer.Typer) -> None:
    @app.command("map")
    def map_(
        file: Path = typer.Argument(..., help="Any .tex file of the project; - reads one."),
        picture: Path = typer.Argument(..., help="The .svg file to write; - for standard output."),
        index: str | None = INDEX,
        force: bool = FORCE,
    ) -> None:
        """Draw the papers around the abstract, as the review page shows them: the nearer, the more alike; those that
        would be cited are filled and named."""
        from ..config.credentials import keys_from_environment
        from ..sections import edit_requests
        from ..sections.requests import Choice

        settings, keys = load_settings(), keys_from_environment()
        with plainly(), ExitStack() as stack:
            printed = str(picture) == "-"
            target = picture if printed else stack.enter_context(new_file(picture, (".svg",), force))
            path, texts = draft_from(file)
            with working("Searching") as monitor:
                from ..adapters import setup_of
                from ..worker import choice

                draft, _ = draft_to_write(path, settings, written=False, texts=texts)
                query = edit_requests.related_work(path, "abstract", settings).prepare(draft).query
                setup = setup_of(settings, keys, index, "extractive")
                shown = choice.as_shown(choice.hold(query, setup, Choice(), monitor), Choice())
            chosen = set(shown.chosen)
            papers = [{**to_plain(paper), "chosen": paper.id in chosen} for paper in shown.papers]
            svg = around(query.title or path.name, papers)
            if printed:
                echo(svg, nl=False)
            else:
                target.write_text(svg, "utf-8")
                words = f"{len(papers)} papers, {len(chosen)} of them chosen, in {picture}"
                messages().print(words, markup=False)
