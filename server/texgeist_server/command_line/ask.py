"""`texgeist ask`: a scientific question, answered from papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_retrieval.costs import spent
from texgeist_retrieval.defaults import MOST_BREADTH

from ..sections.advice import advice
from ..sections.answer_text import answer_text, cited_passages, place_of, quoted, reference_lines
from ..sections.in_latex import evidence_of, papers_of, sentences_of
from .common import INDEX, JSON, given, load_settings, messages, plainly, print_json
from .exits import found
from .speaking import echo
from .writing_commands import (
    DRY_RUN,
    FALL_BACK,
    WRITER,
    paper_json,
    passage_of,
    result_of,
    why_json,
)

if TYPE_CHECKING:
    from texgeist_retrieval.types import Evidence, Result, Selected


def register(app: typer.Typer) -> None:
    @app.command("ask")
    def ask(
        question: str = typer.Argument(..., help="The question; - reads it from standard input."),
        file: Path | None = typer.Option(None, "--draft", help="Answer in the light of this draft."),
        breadth: int | None = typer.Option(
            None, min=1, max=MOST_BREADTH, help="How many papers to answer from."
        ),
        writer: str = WRITER,
        fall_back: bool = FALL_BACK,
        abstracts: bool = typer.Option(
            False, "--abstracts", help="Answer from abstracts, though the index has full papers."
        ),
        index: str | None = INDEX,
        dry_run: bool = DRY_RUN,
        as_json: bool = JSON,
    ) -> None:
        """Answer a question from the papers of the index, with citations: from passages where it has full papers."""
        from ..adapters import setup_of
        from ..config.credentials import keys_from_environment
        from ..sections import runs
        from ..sections.queries import answer_query
        from ..sections.requests import QuestionRequest

        settings, keys = load_settings(), keys_from_environment()
        with plainly():
            draft = None
            if file is not None:
                from texgeist_latex.reading.draft import read_draft

                from ..sections.authors_edits import check_certain

                draft = read_draft(file)
                check_certain(draft)
            query = answer_query(draft, given(question))
            settings = runs.with_numbers(settings, breadth=breadth)
            setup = setup_of(settings, keys, index, writer, fall_back)
            request = QuestionRequest(query, abstracts)
            result = result_of(request, setup, "Searching", dry_run=dry_run, as_json=as_json)
        if result is None:
            return
        if as_json:
            print_json(answer_json(result))
        else:
            _show(result)
        found(result.selected)


def answer_json(result: Result) -> dict[str, Any]:
    """The answer as plain data; papers by id, since there is no bibliography to have keys."""
    known = evidence_of(result)
    return {
        "answer": {
            "text": answer_text(result),
            "sentences": [
                {
                    "text": " ".join(filter(None, [sentence.lead, sentence.text])),
                    "papers": list(papers_of(sentence, known)),
                    "evidence": [
                        {"paper": selected.candidate.paper.id, **_passage(one)}
                        for selected, one in (known[id] for id in sentence.evidence if id in known)
                    ],
                }
                for sentence in sentences_of(result)
            ],
        },
        "papers": [_paper(selected) for selected in result.selected],
        "queries": [one.text for one in result.run.queries] if result.run else [result.query.text],
        "stopped": result.run.stopped if result.run else "",
        "notes": [*result.notes, *advice(result)],
        "writer": result.writer,
        "index": result.index,
        "model": result.model,
    }


def _paper(selected: Selected) -> dict[str, Any]:
    passages = [_passage(one) for one in selected.evidence]
    return {**paper_json(selected.candidate.paper), **why_json(selected), "evidence": passages}


def _passage(one: Evidence) -> dict[str, Any]:
    """A passage with its place in the paper; `score` 0 where no passages were searched."""
    passage = one.passage
    more = {"section": passage.section, "heading": passage.heading, "summary": one.summary}
    return {**passage_of(one), **more, "score": round(one.score, 4)}


def _show(result: Result) -> None:
    echo(answer_text(result))
    echo("")
    for line, selected in zip(reference_lines(result), result.selected, strict=True):
        echo(line)
        for one in cited_passages(result, selected):
            echo(f"    {place_of(one)}: {quoted(one)}")
    for note in [*result.notes, *advice(result)]:
        messages().print(note, style="yellow", markup=False)
    if took := spent(result.usage):
        messages().print(took, markup=False)
