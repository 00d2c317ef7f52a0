"""`texgeist evidence`: finds passages of full papers on a statement, or for a section of a draft."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from texgeist_retrieval.costs import spent

from ..plain_text import cut
from ..sections.results import SIDE_HEADINGS
from .common import INDEX, JSON, load_settings, plainly, print_json, setup_for
from .exits import KNOWN, NOTHING_FOUND, Known
from .json_answers import run_json, search_json, sides_json
from .terminal import echo, inform, warn, working

if TYPE_CHECKING:
    from texgeist_retrieval.ports import EvidenceResults
    from texgeist_retrieval.types import Evidence, EvidenceRun, JudgedPassage, Paper, Sides

TOP = 8
_LONGEST = 300  # characters of a passage on the terminal


def register(app: typer.Typer) -> None:
    app.command("evidence")(evidence)


def evidence(
    query: str = typer.Argument(
        ..., metavar="QUERY|FILE", help="A statement or question in quotes, or with --section a .tex file."
    ),
    section: str | None = typer.Option(
        None, "--section", help="Gather evidence for this section of FILE, named by heading or kind."
    ),
    top: int | None = typer.Option(
        None, "--top", min=1, max=50, help="Maximum number of passages. (default: 8; all for a section)"
    ),
    for_and_against: bool = typer.Option(
        False,
        "--for-and-against",
        help="Sort the passages into those that support QUERY and those that contradict it.",
    ),
    no_model: bool = typer.Option(False, "--no-model", help="Use no language model; nothing is sent."),
    index: str | None = INDEX,
    as_json: bool = JSON,
) -> None:
    """Find passages of the indexed full papers that are relevant to a statement or to a section of a draft."""
    KNOWN.set(Known(reads_passages=True))
    writer = "extractive" if no_model else "auto"
    if section is not None:
        run = _gathered(Path(query), section, writer, index, top)
        print_json(run_json(run)) if as_json else show_run(run)
    elif query.endswith(".tex") and Path(query).is_file():
        raise typer.BadParameter("With a file, name a section, for example --section Introduction.")
    elif for_and_against:
        sides = _both_sides(query, writer, index, top)
        print_json(sides_json(sides)) if as_json else show_sides(sides)
    else:
        found = _searched(query, writer, index, top or TOP)
        print_json(search_json(found, query)) if as_json else _show_found(found)
        if not found.evidence:
            raise typer.Exit(NOTHING_FOUND)


def _searched(query: str, writer: str, index: str | None, top: int) -> EvidenceResults:
    from ..adapters import build_model
    from ..passage_library import build_evidence_search

    with plainly(), working("Searching") as monitor:
        setup = setup_for(load_settings(), index, writer)
        model = build_model(setup.settings, setup.keys, setup.writer)
        return build_evidence_search(setup.settings, setup.place, monitor, model=model).search(
            query, monitor, top=top
        )


def _both_sides(statement: str, writer: str, index: str | None, top: int | None) -> Sides:
    from ..sections.requests import MOST_JUDGED, StatementRequest
    from ..sections.runs import both_sides

    with plainly(), working("Searching") as monitor:
        setup = setup_for(load_settings(), index, writer)
        return both_sides(StatementRequest(statement, top or MOST_JUDGED), setup, monitor)


def _gathered(file: Path, section: str, writer: str, index: str | None, top: int | None) -> EvidenceRun:
    """The evidence that the agent gathers for the section: the `top` best passages, or all if `top` is None.
    No file is changed."""
    from texgeist_latex.reading.draft import read_draft

    from ..config.user_file import own_bibliographies
    from ..sections import runs
    from ..sections.requests import EvidenceRequest
    from ..sections.safeguards import check_certain
    from ..sections.section_briefs import section_named, section_query

    settings = load_settings()
    with plainly():
        draft = read_draft(file, own=own_bibliographies(settings))
        check_certain(draft)
        query = section_query(draft, section_named(draft, section))
        with working("Reading the draft") as monitor:
            setup = setup_for(settings, index, writer)
            return best_of(runs.gather(EvidenceRequest(query), setup, monitor), top)


def best_of(run: EvidenceRun, top: int | None) -> EvidenceRun:
    kept = run.evidence[:top]
    ids = {one.id for one in kept}
    asked = (replace(q, found=tuple(id for id in q.found if id in ids)) for q in run.queries)
    return replace(run, evidence=kept, queries=tuple(asked))


def _show_found(found: EvidenceResults) -> None:
    titles = {paper.id: f"{paper.title} ({paper.year or 'no year'})" for paper in found.papers.values()}
    for one in found.evidence:
        echo(_passage_text(one, titles, _relevance(one)))
    for text in found.notes:
        warn(text)


def show_run(run: EvidenceRun) -> None:
    """Shows each query with its results, and why the search stopped."""
    known = {one.id: one for one in run.evidence}
    titles = _titles(run.papers)
    shown: set[str] = set()
    for asked in run.queries:
        by = "query from the draft" if asked.by == "default" else "query from the model"
        echo(f"{by}: {asked.text}" + (f" ({asked.why})" if asked.why else ""))
        if asked.refused:
            echo(f"  not run: {asked.refused}")
        for id in asked.found:
            if id in known and id not in shown:
                echo(_passage_text(known[id], titles, _relevance(known[id])))
            elif id in shown:
                echo(f"  [{id}] again")
            shown.add(id)
        echo("")
    tell_run(run)


def tell_run(run: EvidenceRun) -> None:
    """Shows on standard error why the run stopped, its notes, and its cost."""
    inform(run.stopped)
    for text in run.notes:
        warn(text)
    if took := spent(run.usage):
        inform(took)


def show_sides(sides: Sides) -> None:
    titles = _titles(sides.papers)
    for side, heading in SIDE_HEADINGS.items():
        if found := sides.of(side):
            echo(
                "\n".join(
                    [
                        f"{heading}:",
                        *(_passage_text(one.evidence, titles, _support(one)) for one in found),
                        "",
                    ]
                )
            )
    for text in sides.notes:
        warn(text)


def _passage_text(one: Evidence, titles: Mapping[str, str], facts: str) -> str:
    """Paper, section and page of a passage, facts about it, its text and a model's summary."""
    passage = one.passage
    page = f"page {passage.page}" if passage.page else ""
    place = [titles.get(passage.paper_id, passage.paper_id), passage.heading, page]
    head = f"  [{one.id}] {', '.join(filter(None, place))}"
    summary = f"The model's summary: {cut(one.summary, _LONGEST)}" if one.summary else ""
    lines = ["; ".join(filter(None, [head, facts])), f"“{cut(passage.text, _LONGEST)}”", summary]
    return "\n      ".join(filter(None, lines))


def _relevance(one: Evidence) -> str:
    """The model's rating; "" without a model: the passages are in the order of their scores."""
    return "" if one.relevance is None else f"relevance {one.relevance:.0%} by the model"


def _support(one: JudgedPassage) -> str:
    sure = f"sure {one.support.score:.1f}" if one.support.score else ""
    missing = f"missing: {one.support.missing}" if one.support.missing else ""
    return "; ".join(filter(None, [sure, missing]))


def _titles(papers: Sequence[Paper]) -> dict[str, str]:
    return {paper.id: paper.title for paper in papers}
