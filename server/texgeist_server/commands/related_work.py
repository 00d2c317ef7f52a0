"""`texgeist related-work`: the main job, from the command line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .common import INDEX, JSON, load_settings, messages, overrides, plainly, print_json, working

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, EditPlan

    from ..sections.outcome import Chosen, Outcome
    from ..sections.rehearsal import Writes


class From(StrEnum):
    abstract = "abstract"
    draft = "draft"


class WriterName(StrEnum):
    auto = "auto"
    extractive = "extractive"
    anthropic = "anthropic"
    openai = "openai"


WRITER = typer.Option(
    WriterName.auto, help="Who writes. auto: the provider of your settings if it can work, else extractive."
)
DRY_RUN = typer.Option(
    False, "--dry-run", help="Show the exact text that would leave this machine; send nothing."
)


def register(app: typer.Typer) -> None:
    @app.command("related-work")
    def related_work(
        file: Path = typer.Argument(..., help="Any .tex file of the project."),
        source: From = typer.Option(
            From.abstract, "--from", help="Search with the abstract or the whole draft."
        ),
        breadth: int | None = typer.Option(
            None, min=1, max=60, help="How many papers to cite. [default: 10]"
        ),
        depth: int | None = typer.Option(None, min=1, max=10, help="How many pages of each. [default: 2]"),
        diversity: float | None = typer.Option(
            None, min=0, max=1, help="Unlike papers first. [default: 0.0]"
        ),
        writer: WriterName = WRITER,
        instructions: str | None = typer.Option(None, help="Your words on style, for a model."),
        index: str | None = INDEX,
        apply: bool = typer.Option(
            False, "--apply", help="Write the section and the entries into the project."
        ),
        dry_run: bool = DRY_RUN,
        as_json: bool = JSON,
    ) -> None:
        """Write a related-work section with its bibliography entries.

        Without --apply it is printed and nothing is touched."""
        from texgeist_latex.disk.journal import recover
        from texgeist_latex.reading.project import read_draft

        from ..config.credentials import keys_from_environment
        from ..sections import runs, wishes

        settings, keys = load_settings(), keys_from_environment()
        options = overrides(breadth=breadth, depth=depth, diversity=diversity, instructions=instructions)
        with plainly():
            draft = read_draft(file)
            if apply and recover(draft.root):
                draft = read_draft(file)
            written_by: Writes = "us" if apply and not dry_run else "nobody"
            wish = wishes.related_work(file, source.value, settings, written_by=written_by)
            asked, _, plan_of = wish.prepare(draft)
            job = runs.Job("related_work", asked, index, writer.value, options)
            with working("Reading the draft") as monitor:
                if dry_run:
                    print_preview(runs.preview(job, settings, keys, monitor), as_json)
                    return
                outcome = runs.run(job, settings, keys, monitor)
            deliver(draft, plan_of(draft, outcome), outcome, apply, as_json, show)


def deliver(
    draft: Draft,
    plan: EditPlan,
    outcome: Outcome,
    apply: bool,
    as_json: bool,
    shown_by: Callable[[Draft, EditPlan, Outcome, bool], None],
) -> None:
    """Into the project where that is wanted, and onto the terminal, or as JSON."""
    if apply:
        _apply_to_disk(draft, plan, outcome)
    if as_json:
        print_json(described(draft, plan, outcome))
    else:
        shown_by(draft, plan, outcome, apply)


def _apply_to_disk(draft: Draft, plan: EditPlan, outcome: Outcome) -> None:
    """The edits and the record of why, together or not at all."""
    from texgeist_latex.writing.edits import apply_plan

    from ..sections import provenance
    from .draft import relative

    file = relative(plan.edits[0].file, draft) if plan.edits else ""
    applied = provenance.Applied(outcome, plan, file, date.today().isoformat())
    apply_plan(plan, draft, (provenance.file_of(draft.root), provenance.prepared(draft.root, applied)))


def described(draft: Draft, plan: EditPlan, outcome: Outcome) -> dict[str, Any]:
    """Section, citations, entries and edits as plain data; files relative to the root's folder."""
    from .draft import relative

    proofs = {proof.id: (paper, proof) for paper in outcome.chosen for proof in paper.proofs}
    sentences = [
        {
            "text": " ".join(filter(None, [sentence.lead, sentence.text])),
            "keys": [plan.keys[r] for r in sentence.references if r in plan.keys],
            "evidence": [
                {"key": plan.keys.get(p.reference.id, ""), "text": proof.text, "page": proof.page}
                for p, proof in (proofs[i] for i in ids if i in proofs)
            ],
        }
        for sentence, ids in zip(outcome.sentences(), outcome.sentence_proofs, strict=True)
    ]
    return {
        "section": {"latex": plan.latex, "sentences": sentences},
        "citations": [_citation(p, plan) for p in outcome.chosen if p.reference.id in plan.keys],
        "entries": plan.entries,
        "edits": [
            {"file": relative(e.file, draft), "start": e.start, "end": e.end, "text": e.text}
            for e in plan.edits
        ],
        "notes": [*outcome.notes, *plan.notes],
        "left_out": [
            {"id": left.reference.id, "title": left.reference.title, "reason": left.reason}
            for left in outcome.left
        ],
        "usage": outcome.usage,
        "writer": outcome.writer,
        "index": outcome.index,
        "model": outcome.model,
    }


def _citation(paper: Chosen, plan: EditPlan) -> dict[str, Any]:
    reference = paper.reference
    return {
        "key": plan.keys[reference.id],
        "paper": {
            "id": reference.id,
            "title": reference.title,
            "authors": list(reference.authors),
            "year": reference.year,
        },
        "similarity": round(paper.similarity, 4),
        "rank": paper.rank,
        "why": paper.why,
        "evidence": [{"text": proof.text, "page": proof.page} for proof in paper.proofs],
    }


def show(draft: Draft, plan: EditPlan, outcome: Outcome, applied: bool) -> None:
    """The section and the entries on standard output, all else beside it."""
    from rich.table import Table

    typer.echo(plan.latex)
    typer.echo(plan.entries)
    table = Table("", "key", "similarity", "title", "why")
    for paper in outcome.chosen:
        if key := plan.keys.get(paper.reference.id):
            title = paper.reference.title
            table.add_row(str(paper.rank), key, f"{paper.similarity:.3f}", title, paper.why)
    console = messages()
    console.print(table, markup=False)
    for note in [*outcome.notes, *plan.notes]:
        console.print(note, style="yellow", markup=False)
    if spent := outcome.spent():
        console.print(spent, markup=False)
    _say_where(draft, plan, applied)


def _say_where(draft: Draft, plan: EditPlan, applied: bool) -> None:
    from .draft import relative

    files = ", ".join(dict.fromkeys(relative(edit.file, draft) for edit in plan.edits))
    if applied:
        messages().print(f"Written into {files}; why each paper is cited stands in .texgeist.", markup=False)
    else:
        messages().print(f"Nothing was touched. With --apply this goes into {files}.", markup=False)


def print_preview(preview: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print_json(preview)
        return
    typer.echo(preview["text"] or "Nothing would leave this machine.")
    messages().print(preview["summary"], markup=False)
