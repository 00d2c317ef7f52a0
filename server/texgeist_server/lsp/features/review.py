"""Opens the review page, on which the user selects papers before the section is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.writing.blocks import SECTION_ID

from ...errors import Untrusted
from ...sections import provenance
from ...sections.edit_requests import RelatedWorkEdit
from ...sections.runs import first_choice
from ...sections.safeguards import check_kind
from ..connection.documents import path_of
from ..jobs import writing_jobs
from ..jobs.writing import Writing, with_model

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from ...review.state import Report, Work
    from ...sections.queries import Source
    from ...sections.requests import A, Request
    from ..jobs.jobs import Job, Stopped

Answer = dict[str, Any]


async def open_review(writing: Writing, given: Answer) -> Answer:
    """Returns `{url, page}` at once; the search continues as a job. Raises `Untrusted`, `Busy`, and
    `EditRefused` if the section is not related work."""
    editor = writing.editor
    if not editor.configuration.trusted:
        raise Untrusted
    from ...review.http import STATIC
    from ...review.state import Review

    path, section = path_of(given["uri"]), given.get("section")
    # Only the title is needed, so background loading is not awaited.
    draft = await editor.reader.read(lambda workspace: workspace.draft(path))
    if section:
        check_kind(draft.root, section, review=True)
    record = provenance.read(draft.root).sections.get(section or "")
    source: Source = "draft" if "draft" in (given.get("from"), record and record.query) else "abstract"
    choice = first_choice(await editor.configuration.loaded())

    def asked() -> RelatedWorkEdit:
        return RelatedWorkEdit(
            path=path, source=source, settings=editor.settings, section=section or SECTION_ID
        )

    review = Review(asyncio.get_running_loop(), EditorHost(writing, path), asked, draft, choice)
    review.search()  # raises `Busy` while another job runs; then the open page is kept
    return {"url": writing.open_page(draft.root, review), "page": str(STATIC)}


@dataclass(frozen=True, slots=True)
class EditorHost:
    """The `Host` of a review page in the editor: runs the work of the page as jobs of the project."""

    writing: Writing
    path: Path

    def start(self, title: str, work: Work, stopped: Stopped) -> str:
        return self.writing.start(self.path, title, lambda job: work(job.report), stopped)

    def write(self, request: RelatedWorkEdit, written: Callable[[str], None], stopped: Stopped) -> str:
        async def write(job: Job) -> None:
            await writing_jobs.write(self.writing, job, request)
            written(job.word)

        return self.writing.start(self.path, "the section from the papers chosen", write, stopped)

    def cancel(self) -> None:
        jobs = self.writing.jobs
        if job := jobs.of(self.writing.editor.configuration.project_of(self.path)):
            jobs.cancel(job.id)

    async def draft(self) -> Draft:
        return await self.writing.editor.reader.draft(self.path)

    async def ask(self, request: Request[A], report: Report) -> A:
        return await with_model(self.writing, request, report)

    def sends(self) -> str:
        return self.writing.editor.sends()
