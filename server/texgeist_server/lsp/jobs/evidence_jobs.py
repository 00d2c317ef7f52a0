"""The jobs that show what they find without changing the document: evidence for a section, for and against a
statement, missing works, and the review page on which papers are selected before a section is written."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.writing.blocks import SECTION_ID
from texgeist_retrieval.text.words import number_of
from texgeist_retrieval.types import EvidenceRun, Query

from ...errors import Untrusted
from ...sections import provenance
from ...sections.edit_requests import RelatedWorkEdit, SectionEdit
from ...sections.missing import in_words, missing_of, missing_request
from ...sections.queries import statement_of
from ...sections.requests import EvidenceRequest, StatementRequest
from ...sections.runs import first_choice
from ...sections.safeguards import check_certain, check_kind
from ...sections.section_briefs import section_query
from ..connection.documents import path_of
from .panels import counted, missing_page, show_panel, sides_page
from .writing import Writing, with_model
from .writing_jobs import ask_beside, start_embedding, write

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from ...review.state import Report, Work
    from ...sections.queries import Source
    from ...sections.requests import A, Request
    from ...sections.section_briefs import Where
    from .jobs import Job, Stopped


async def gather(writing: Writing, job: Job, path: Path, where: Where) -> None:
    """Gathers evidence for the section that `where` finds, and shows it on a page, from which the section can
    be drafted."""
    from ...review.evidence_review import EvidenceReview

    job.report("Reading the draft")
    draft = await writing.editor.reader.draft(path)
    check_certain(draft)
    query: Query = await asyncio.to_thread(lambda: section_query(draft, where(draft)))
    run = await writing.tasks.do(EvidenceRequest(query), job.report)
    heading = query.brief.heading if query.brief else ""
    job.say(summary(heading, run))
    start_embedding(writing)

    async def draft_from(chosen: EvidenceRun) -> str:
        edit_request = SectionEdit(path=path, where=where, settings=writing.editor.settings, run=chosen)
        title = "the section from the selected evidence"
        return writing.start(path, title, lambda job: write(writing, job, edit_request))

    loop = asyncio.get_running_loop()
    review = EvidenceReview(loop, heading, draft.root, run, draft_from, writing.editor.sends)
    url = writing.open_page(draft.root, review)
    ask_beside(writing, writing.editor.open_page(url, "Read the evidence at"))


async def both_sides(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    """Shows passages for and against the text from `start` to `end` of `path`."""
    job.report("Reading the draft")
    draft = await writing.editor.reader.draft(path)
    sides = await writing.tasks.do(StatementRequest(statement_of(draft, path, start, end)), job.report)
    job.say(counted(sides))
    show_panel(writing.editor, f"For and against a statement of {path.name}", sides_page(sides))


async def missing(writing: Writing, job: Job, path: Path) -> None:
    """Shows the works that a reviewer may miss in the draft of `path`."""
    job.report("Reading the draft")
    draft = await writing.editor.reader.draft(path)
    check_certain(draft)
    request = await asyncio.to_thread(missing_request, draft)
    result = await with_model(writing, request, job.report)
    works = await asyncio.to_thread(missing_of, draft, result)
    job.say(" ".join([in_words(len(works), result), *(() if works else result.notes)]))
    if works:
        show_panel(writing.editor, "Missing works", missing_page(works, result.notes))


def summary(heading: str, run: EvidenceRun) -> str:
    asked = sum(not query.refused for query in run.queries)
    found = (
        f"{number_of(len(run.evidence), 'passage')} of {number_of(len(run.papers), 'paper')}"
        if run.evidence
        else "nothing was found"
    )
    queries = "one query" if asked == 1 else f"{asked} queries"
    return " ".join([f"Evidence for “{heading}”: {found}, by {queries}.", run.stopped, *run.notes])


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
        async def run(job: Job) -> None:
            await write(self.writing, job, request)
            written(job.word)

        return self.writing.start(self.path, "the section from the papers chosen", run, stopped)

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
