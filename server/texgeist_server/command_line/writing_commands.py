"""What the commands that write share: reading the draft, showing what would be sent, writing and showing the result."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.costs import spent

from ..sections.results import evidence_of, papers_of, sentences_of
from ..sections.safeguards import check_cites
from .common import print_json, working, writer_option
from .exits import found
from .terminal import echo, inform, messages, warn

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan
    from texgeist_retrieval.types import Evidence, Paper, Result, Selected

    from ..adapters import Setup
    from ..config.settings import Settings
    from ..sections.previews import Preview
    from ..sections.requests import WriteRequest
    from ..sections.safeguards import Writes

WRITER = writer_option(
    "auto",
    "Who writes. auto: the provider of your settings if it can work, else extractive.",
)
DRY_RUN = typer.Option(
    False, "--dry-run", help="Show the exact text that would leave this machine; send nothing."
)
FALL_BACK = typer.Option(
    False, "--fall-back", help="When the model fails, write with the extractive writer instead, and say so."
)


def draft_to_write(
    file: Path, settings: Settings, *, written: bool, texts: Mapping[Path, str] | None = None
) -> tuple[Draft, Writes]:
    """The draft, and who is to write into it: where we are, what a crash cut short is finished first. `texts`
    stand for what is on the disk. Says which document of a folder was chosen."""
    from texgeist_latex.reading.draft import read_draft

    from ..config.user_file import own_bibliographies
    from ..sections import recording

    written_by: Writes = "us" if written else "nobody"
    own = own_bibliographies(settings)
    draft = recording.draft_for(lambda: read_draft(file, overlay=texts, own=own), written_by)
    if draft.note:
        inform(draft.note)
    return draft, written_by


def result_of(
    request: WriteRequest, setup: Setup, doing: str, *, dry_run: bool, as_json: bool
) -> Result | None:
    """What is found and written; None where only what would be sent is shown, which is done here."""
    from ..sections.previews import preview
    from ..sections.runs import run

    with working(doing) as monitor:
        if not dry_run:
            return run(request, setup, monitor)
        print_preview(preview(request, setup, monitor), as_json)
        return None


def print_preview(preview: Preview, as_json: bool) -> None:
    if as_json:
        print_json({**asdict(preview), "estimate": asdict(preview.estimate) if preview.estimate else {}})
        return
    echo(preview.text or "Nothing would leave this machine.")
    inform(preview.summary)


def paper_json(paper: Paper) -> dict[str, Any]:
    return {"id": paper.id, "title": paper.title, "authors": list(paper.authors), "year": paper.year}


def why_json(selected: Selected) -> dict[str, Any]:
    """Why a paper is among those that are cited."""
    return {
        "similarity": round(selected.candidate.similarity, 4),
        "rank": selected.candidate.rank,
        "why": selected.why,
        "reasons": to_plain(selected.reasons),
        "evidence": [passage_of(one) for one in selected.evidence],
    }


def passage_of(one: Evidence) -> dict[str, Any]:
    return {"text": one.passage.text, "page": one.passage.page}


def keep_or_tell(draft: Draft, section: str, anew: bool) -> None:
    """Says which words of the author's a section that is written anew discards. Raises SectionEdited where it is
    not known which they are, and nobody said that it may be."""
    from ..sections.safeguards import check_replaceable, discarded

    if not anew:
        check_replaceable(draft, section, anew=False)
    elif lost := discarded(draft, section):
        inform(f"Your edits of the section are discarded:\n{lost}")


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
                cut = console.is_terminal  # in a file or a log the line is printed whole
                console.print(line, markup=False, soft_wrap=not cut, no_wrap=True, overflow="ellipsis")
    for offer in plan.offers:
        inform(f"Yours stands:  {offer.stands}\nNewly written: {offer.new}")
    for text in [*result.notes, *plan.notes]:
        warn(text)
    if took := spent(result.usage):
        inform(took)
    _say_where(draft, plan, applied)


def _why(key: str, selected: Selected) -> tuple[str, str]:
    """Two lines per paper; the hover and the JSON have everything."""
    candidate, told = selected.candidate, selected.reasons
    why = (told and (told.relation or told.against)) or selected.why
    return f"{key}  {candidate.similarity:.2f}  {candidate.paper.title}", f"    {why}"


def _say_where(draft: Draft, plan: EditPlan, applied: bool) -> None:
    files = ", ".join(dict.fromkeys(relative(edit.file, draft) for edit in plan.edits))
    if not files:
        inform("The section is unchanged: there was nothing to add.")
        return
    if applied:
        inform(f"Written into {files}; the reason for each citation is in .texgeist.")
    else:
        inform(f"Nothing was touched. With --apply this goes into {files}.")


def relative(path: Path, draft: Draft) -> str:
    """Relative to the root document's folder; with `..` for what lies beside it."""
    return Path(os.path.relpath(path, draft.root.parent)).as_posix()
