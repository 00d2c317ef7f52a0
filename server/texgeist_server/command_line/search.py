"""`texgeist search`: the papers nearest to a text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from ..sections.queries import NothingToAsk
from .common import INDEX, JSON, given, load_settings, messages, plainly, print_json, table_of, working
from .exits import found
from .speaking import Terminal

if TYPE_CHECKING:
    from texgeist_retrieval.types import Candidate


def register(app: typer.Typer) -> None:
    @app.command("search")
    def search(
        text: str = typer.Argument(..., help="What the papers should be about; - reads it."),
        top: int = typer.Option(20, min=1, max=1000, help="How many papers."),
        index: str | None = INDEX,
        as_json: bool = JSON,
    ) -> None:
        """Search the index with a text."""
        from ..adapters import setup_of
        from ..config.credentials import keys_from_environment
        from ..sections import runs

        with plainly(), working("Searching") as monitor:
            text = given(text)
            if not text.strip():
                raise NothingToAsk("There is nothing to search with.", "Say what the papers should be about.")
            candidates = runs.search(
                text, top, setup_of(load_settings(), keys_from_environment(), index), monitor
            )
        rows = [_row(candidate) for candidate in candidates]
        if as_json:
            print_json(rows)
        else:
            _show(rows)
        found(rows)


def _row(candidate: Candidate) -> dict[str, Any]:
    paper = candidate.paper
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "abstract": paper.abstract,
        "year": paper.year,
        "similarity": round(float(candidate.similarity), 4),
        "rank": candidate.rank,
        "topic": paper.topic,
    }


def _show(rows: list[dict[str, Any]]) -> None:
    if not rows:
        messages().print("Nothing was found.", markup=False)
        return
    table = table_of("", "similarity", "year", "*id", "title")
    for row in rows:
        year = str(row["year"] or "")
        table.add_row(str(row["rank"]), f"{row['similarity']:.3f}", year, row["id"], row["title"])
    Terminal(highlight=False, markup=False, emoji=False).print(table)
