"""`texgeist evidence`: passages of full papers that speak for or against a statement."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .common import INDEX, JSON, load_settings, messages, plainly, print_json, working
from .section_evidence import gather_for, plain
from .speaking import echo

if TYPE_CHECKING:
    from texgeist_retrieval.ports import EvidenceFound

TOP = 8
ONE_SEARCH = "one search"  # why it stopped


def register(app: typer.Typer) -> None:
    @app.command("evidence")
    def evidence(
        query: str = typer.Argument(
            ..., metavar="QUERY|FILE", help="A statement or question, in quotes; with --section a .tex file."
        ),
        section: str | None = typer.Option(
            None, "--section", help="Gather evidence for this section of FILE: its heading, or its kind."
        ),
        top: int | None = typer.Option(
            None, "--top", min=1, max=50, help="How many passages at most. [default: 8; all for a section]"
        ),
        for_and_against: bool = typer.Option(
            False,
            "--for-and-against",
            help="Sort the passages: those that support QUERY, those that contradict it.",
        ),
        no_model: bool = typer.Option(
            False, "--no-model", help="By vector and words alone; nothing is sent."
        ),
        index: str | None = INDEX,
        as_json: bool = JSON,
    ) -> None:
        """Find passages of the full papers in the index that matter to a statement, or to a section of a draft."""
        if section is not None:
            gather_for(Path(query), section, "extractive" if no_model else "auto", index, as_json, top)
            return
        if query.endswith(".tex") and Path(query).is_file():
            raise typer.BadParameter("A file needs a section of it: --section Introduction, say.")
        if for_and_against:
            from .sides import weigh_both

            weigh_both(query, "extractive" if no_model else "auto", index, as_json, top)
            return
        from ..adapters import build_model, setup_of
        from ..config.credentials import keys_from_environment
        from ..passage_library import build_evidence_search

        with plainly(), working("Searching") as monitor:
            settings, keys = load_settings(), keys_from_environment()
            setup = setup_of(settings, keys, index, "extractive" if no_model else "auto")
            model = build_model(settings, keys, setup.writer)
            search = build_evidence_search(settings, setup.place, monitor, model=model)
            found = search.search(query, monitor, top=top or TOP)
        if as_json:
            print_json(search_json(found, [query], ONE_SEARCH))
        else:
            _show(found)


def search_json(found: EvidenceFound, queries: list[str], stopped: str) -> dict[str, Any]:
    """What was found as plain data. `stopped`: why no more was searched."""
    return {
        "evidence": [plain(one, found.papers[one.passage.paper_id].title) for one in found.evidence],
        "queries": queries,
        "stopped": stopped,
        "papers": {
            paper.id: {"title": paper.title, "authors": list(paper.authors), "year": paper.year}
            for paper in found.papers.values()
        },
        "notes": list(found.notes),
    }


def _show(found: EvidenceFound) -> None:
    for number, one in enumerate(found.evidence, 1):
        paper = found.papers[one.passage.paper_id]
        where = [one.passage.heading, f"page {one.passage.page}" if one.passage.page else ""]
        echo(f"[{number}] {paper.title} ({paper.year or 'no year'}): {', '.join(filter(None, where))}")
        echo(f"    score {one.score:.2f}, cosine {one.similarity:.2f}; {paper.id}")
        echo(f"    {one.summary or one.passage.text[:300]}\n")
    for note in found.notes:
        messages().print(note, style="yellow", markup=False)
