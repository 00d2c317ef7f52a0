"""What the commands that write have in common: how the draft is read, who writes, and what leaves the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from texgeist_retrieval.codec import to_plain

from .common import messages, print_json, working, writer_option
from .speaking import echo

if TYPE_CHECKING:
    from texgeist_latex.types import Draft
    from texgeist_retrieval.types import Evidence, Paper, Result, Selected

    from ..adapters import Setup
    from ..config.settings import Settings
    from ..sections.previews import Preview
    from ..sections.rehearsal import Writes
    from ..sections.requests import WriteRequest

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
        messages().print(draft.note, markup=False)
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
    messages().print(preview.summary, markup=False)


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
