"""Jobs that check a bibliography as saved: show the report, and correct the details that differ from a record."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.text.words import number_of

from ...errors import EditRefused
from ...worker.requests import ProjectReport, SavedProject, VerifiedProject
from ..edits.applying import apply_plan
from .panels import show_panel

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from .jobs import Job
    from .writing import Writing


async def show_report(writing: Writing, job: Job, path: Path) -> None:
    checked = await _verified(writing, await writing.editor.reader.draft(path), job)
    count = len(checked.corrections)
    show_panel(writing.editor, "Bibliography", checked.report)
    job.say(f"{checked.summary} {number_of(count, 'entry')} can be corrected." if count else checked.summary)


async def correct_entries(writing: Writing, job: Job, path: Path) -> None:
    """Corrects the entries with the verdict `to-correct` in a single edit, which is first shown as a diff if the
    editor supports that."""
    from ...bibliography_checks.fixing import plan_corrections

    checked = await _verified(writing, await writing.editor.reader.draft(path), job)
    draft = await writing.editor.reader.draft(path)
    draft, plan = await asyncio.to_thread(plan_corrections, draft, checked.corrections)
    label = "texgeist: correct the bibliography"
    if plan.edits and not await apply_plan(writing.editor, plan, draft, label, shown=True):
        raise EditRefused("The bibliography was edited meanwhile, or you discarded the edit.", "Try again.")
    if plan.edits:
        writing.since[draft.root] = "entries were corrected"
    done = f"{number_of(len(plan.edits), 'entry')} corrected." if plan.edits else "Nothing to correct."
    job.say(" ".join([done, *plan.notes]))


async def _verified(writing: Writing, draft: Draft, job: Job) -> VerifiedProject:
    job.report("Checking the bibliography")
    folder = writing.editor.configuration.folder_of(draft.root)
    project = SavedProject(str(draft.root), str(folder or ""))
    return await writing.tasks.do(ProjectReport(project), job.report)
