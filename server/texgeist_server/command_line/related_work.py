"""`texgeist related-work`: the main job, from the command line."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.costs import spent
from texgeist_retrieval.defaults import MOST_BREADTH, MOST_DEPTH

from ..sections.authors_edits import check_cites
from ..sections.in_latex import evidence_of, papers_of, sentences_of
from .common import (
    INDEX,
    JSON,
    draft_from,
    load_settings,
    messages,
    plainly,
    print_json,
    refuse_to_write,
)
from .exits import found
from .speaking import echo
from .writing_commands import (
    DRY_RUN,
    FALL_BACK,
    WRITER,
    draft_to_write,
    paper_json,
    passage_of,
    result_of,
    why_json,
)

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Result, Selected


class From(StrEnum):
    abstract = "abstract"
    draft = "draft"


def register(app: typer.Typer) -> None:
    @app.command("related-work")
    def related_work(
        file: Path = typer.Argument(..., help="Any .tex file of the project; - reads one."),
        source: From = typer.Option(
            From.abstract, "--from", help="Search with the abstract or the whole draft."
        ),
        breadth: int | None = typer.Option(
            None,
            min=1,
            max=MOST_BREADTH,
            help="How many papers to cite. [default: about 24, as the draft needs]",
        ),
        depth: int | None = typer.Option(
            None, min=1, max=MOST_DEPTH, help="How many pages of each. [default: 2]"
        ),
        diversity: float | None = typer.Option(
            None, min=0, max=1, help="Unlike papers first. [default: 0.0]"
        ),
        writer: str = WRITER,
        fall_back: bool = FALL_BACK,
        instructions: str | None = typer.Option(None, help="Your words on style, for a model."),
        index: str | None = INDEX,
        apply: bool = typer.Option(
            False, "--apply", help="Write the section and the entries into the project."
        ),
        anew: bool = typer.Option(
            False,
            "--anew",
            "--force",
            help="Write an earlier section anew, without your edits of it; says what that discards.",
        ),
        dry_run: bool = DRY_RUN,
        as_json: bool = JSON,
    ) -> None:
        """Write a related-work section with its bibliography entries.

        Without --apply it is printed and nothing is touched. What you changed in an earlier section stays."""
        from ..adapters import setup_of
        from ..config.credentials import keys_from_environment
        from ..sections import edit_requests, runs

        refuse_to_write(file, apply)
        settings, keys = load_settings(), keys_from_environment()
        settings = runs.with_numbers(
            settings, breadth=breadth, depth=depth, diversity=diversity, instructions=instructions
        )
        with plainly():
            path, texts = draft_from(file)
            draft, written_by = draft_to_write(path, settings, written=apply and not dry_run, texts=texts)
            edit_request = edit_requests.related_work(
                path, source.value, settings, written_by=written_by, anew=anew
            )
            prepared = edit_request.prepare(draft)
            if written_by == "us":
                keep_or_tell(draft, edit_request.replaces, anew)
            setup = setup_of(settings, keys, index, writer, fall_back)
            doing = "Reading the draft"
            if result := result_of(prepared.request, setup, doing, dry_run=dry_run, as_json=as_json):
                deliver(draft, prepared.plan(draft, result), result, apply, as_json, show)


def keep_or_tell(draft: Draft, section: str, anew: bool) -> None:
    """Says which words of the author's a section that is written anew discards. Raises SectionEdited where it is
    not known which they are, and nobody said that it may be."""
    from ..sections.authors_edits import check_replaceable, discarded

    if not anew:
        check_replaceable(draft, section, anew=False)
    elif lost := discarded(draft, section):
        messages().print(f"Your edits of the section are discarded:\n{lost}", markup=False)


def deliver(
    draft: Draft,
    plan: EditPlan,
    result: Result,
    apply: bool,
    as_json: bool,
    shown_by: Callable[[Draft, EditPlan, Result, bool], None],
) -> None:
    """Into the project where that is wanted, and onto the terminal, or as JSON. Raises `NothingToCite`, but
    for JSON that nobody writes anywhere: its lists are empty."""
    if apply or not as_json:
        check_cites(plan)
    if apply:
        from ..sections import recording

        recording.write(draft, plan, result)
    if as_json:
        print_json(section_json(draft, plan, result))
        found(plan.keys or plan.founded)
    else:
        shown_by(draft, plan, result, apply)


def section_json(draft: Draft, plan: EditPlan, result: Result) -> dict[str, Any]:
    """Section, citations, entries and edits as plain data; files relative to the root's folder."""
    from .draft import relative

    known = evidence_of(result)
    sentences = [
        {
            "text": " ".join(filter(None, [sentence.lead, sentence.text])),
            "keys": [plan.keys[id] for id in papers_of(sentence, known) if id in plan.keys],
            "evidence": [
                {"key": plan.keys.get(selected.candidate.paper.id, ""), **passage_of(one)}
                for selected, one in (known[id] for id in sentence.evidence if id in known)
            ],
            **({"aside": sentence.aside} if sentence.aside else {}),
        }
        for sentence in sentences_of(result)
    ]
    return {
        "section": {"latex": plan.latex, "sentences": sentences},
        "citations": [_citation(one, plan) for one in result.selected if one.candidate.paper.id in plan.keys],
        "entries": plan.entries,
        "edits": [
            {"file": relative(e.file, draft), "start": e.start, "end": e.end, "text": e.text}
            for e in plan.edits
        ],
        "offers": [{"stands": offer.stands, "new": offer.new} for offer in plan.offers],
        "notes": [*result.notes, *plan.notes],
        "left_out": [
            {
                "id": left.candidate.paper.id,
                "title": left.candidate.paper.title,
                "reason": left.reason,
                "added": left.added,
            }
            for left in result.left_out
        ],
        "usage": to_plain(result.usage),
        "writer": result.writer,
        "index": result.index,
        "model": result.model,
        **_gathered(result),
    }


def _gathered(result: Result) -> dict[str, Any]:
    """How the evidence was gathered, where an agent did it."""
    if result.run is None:
        return {}
    asked = [to_plain(query) for query in result.run.queries]
    return {
        "queries": [q["text"] for q in asked if not q["refused"]],
        "asked": asked,
        "stopped": result.run.stopped,
    }


def _citation(selected: Selected, plan: EditPlan) -> dict[str, Any]:
    paper = selected.candidate.paper
    return {
        "key": plan.keys[paper.id],
        "paper": paper_json(paper),
        **why_json(selected),
    }


def show(draft: Draft, plan: EditPlan, result: Result, applied: bool) -> None:
    """The section and, where they are in no file yet, the entries on standard output, all else beside it."""
    echo(plan.latex)
    if not applied:
        echo(plan.entries)
    console = messages()
    for selected in result.selected:
        if key := plan.keys.get(selected.candidate.paper.id):
            for line in _why(key, selected):
                cut = console.is_terminal  # in a file or a log it is told whole
                console.print(line, markup=False, soft_wrap=not cut, no_wrap=True, overflow="ellipsis")
    for offer in plan.offers:
        console.print(f"Yours stands:  {offer.stands}\nNewly written: {offer.new}", markup=False)
    for note in [*result.notes, *plan.notes]:
        console.print(note, style="yellow", markup=False)
    if took := spent(result.usage):
        console.print(took, markup=False)
    _say_where(draft, plan, applied)


def _why(key: str, selected: Selected) -> tuple[str, str]:
    """Two lines a paper; the whole of it stands in the hover and in the JSON."""
    candidate, told = selected.candidate, selected.reasons
    why = (told and (told.relation or told.against)) or selected.why
    return f"{key}  {candidate.similarity:.2f}  {candidate.paper.title}", f"    {why}"


def _say_where(draft: Draft, plan: EditPlan, applied: bool) -> None:
    from .draft import relative

    files = ", ".join(dict.fromkeys(relative(edit.file, draft) for edit in plan.edits))
    if not files:
        messages().print("The section stands as it was: nothing came in.", markup=False)
        return
    if applied:
        messages().print(f"Written into {files}; why each paper is cited stands in .texgeist.", markup=False)
    else:
        messages().print(f"Nothing was touched. With --apply this goes into {files}.", markup=False)
