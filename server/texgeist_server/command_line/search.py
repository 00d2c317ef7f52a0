"""`texgeist search` and `texgeist ask`: find the papers nearest to a text, and answer a question from
papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.costs import spent
from texgeist_retrieval.defaults import MOST_BREADTH
from texgeist_retrieval.text.words import number_of

from ..discovered import draft_here
from ..sections.queries import NothingToAsk
from ..sections.results import advice, answer_text, cited_passages, place_of, quoted, reference_lines
from .common import INDEX, JSON, given, load_settings, plainly, print_json, setup_for, table_of, working
from .exits import ADD_PAPERS, fetching_abstracts, found, proposed
from .json_answers import answer_json, hit_row
from .terminal import echo, inform, show_table, warn
from .writing_commands import DRY_RUN, WRITER, result_of

if TYPE_CHECKING:
    from texgeist_retrieval.types import Candidate, Result

    from ..adapters import Setup


_FAR = 0.3  # similarity; for 94 questions of LitSearch, the nearest paper is nearer in 95 % of the libraries with the right paper


def register(app: typer.Typer) -> None:
    app.command("search")(search)
    app.command("ask")(ask)


def search(
    text: str = typer.Argument(..., help="What the papers should be about; - reads standard input."),
    top: int = typer.Option(20, min=1, max=1000, help="Number of papers."),
    index: str | None = INDEX,
    as_json: bool = JSON,
) -> None:
    """Search the index for papers on a text, the most likely ones first."""
    from ..embedders import is_ours
    from ..sections import runs

    with plainly(), working("Searching") as monitor:
        text = given(text)
        if not text.strip():
            raise NothingToAsk("There is nothing to search with.", "Say what the papers should be about.")
        setup = setup_for(load_settings(), index)
        hits = runs.search(text, top, setup, monitor, _draft_here(setup))
    limit = _FAR if is_ours(setup.settings) else 0.0  # unknown for other models
    print_json([hit_row(hit) for hit in hits]) if as_json else _show([hit.candidate for hit in hits], limit)
    found(hits)


def _draft_here(setup: Setup) -> str:
    """The draft whose discovered papers are searched, because there is no library; says so."""
    draft, count = draft_here(setup.place)
    if not count:
        return ""
    inform(
        f"There is no library yet. Searched: {number_of(count, 'paper')} discovered for {Path(draft).name}."
    )
    return draft


def _show(papers: Sequence[Candidate], limit: float) -> None:
    if not papers:
        inform("Nothing was found.")
        return
    table = table_of("", "similarity", "year", "*id", "title")
    for each in papers:
        paper = each.paper
        table.add_row(str(each.rank), f"{each.similarity:.2f}", str(paper.year or ""), paper.id, paper.title)
    show_table(table)
    if all(each.similarity < limit for each in papers):
        inform("No paper here seems to be about this: even the nearest are far from the words given.")


def ask(
    question: str = typer.Argument(..., help="The question; - reads it from standard input."),
    file: Path | None = typer.Option(None, "--draft", help="A draft that gives the answer context."),
    breadth: int | None = typer.Option(None, min=1, max=MOST_BREADTH, help="Number of papers to use."),
    writer: str = WRITER,
    index: str | None = INDEX,
    dry_run: bool = DRY_RUN,
    as_json: bool = JSON,
) -> None:
    """Answer a question from the indexed papers, with citations. If the index has full papers, their passages are used."""
    from texgeist_latex.reading.draft import read_draft

    from ..sections import runs
    from ..sections.queries import answer_query
    from ..sections.requests import QuestionRequest
    from ..sections.safeguards import check_certain

    with plainly():
        draft = read_draft(file) if file is not None else None
        if draft is not None:
            check_certain(draft)
        query = answer_query(draft, given(question))
        setup = setup_for(runs.with_numbers(load_settings(), breadth=breadth), index, writer)
        if draft is None:
            query = replace(query, project=_draft_here(setup))
        request = QuestionRequest(query)
        result = result_of(request, setup, "Searching", dry_run=dry_run, as_json=as_json)
    if result is not None:
        print_json(answer_json(result)) if as_json else _show_answer(result)
        found(result.selected)


def _show_answer(result: Result) -> None:
    """Prints the warnings before the answer, because an answer may be far from the question."""
    for text in [*advice(result), *result.notes]:
        warn(text)
    if not result.selected and any(left.paper.title_only for left in result.left_out):
        inform(f"This command helps:\n{proposed(*(fetching_abstracts() or [ADD_PAPERS]))}")
    if text := answer_text(result):
        echo(f"{text}\n")
    for line, selected in zip(reference_lines(result), result.selected, strict=True):
        echo(line)
        for one in cited_passages(result, selected):
            echo(f"    {place_of(one)}: {quoted(one)}")
    if took := spent(result.usage):
        inform(took)
