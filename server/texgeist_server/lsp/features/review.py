"""Opens the review page, on which the user selects papers before the section is written."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.writing.blocks import SECTION_ID

from ...adapters import sends
from ...errors import EditRefused, ServerError, Untrusted
from ...sections import provenance
from ...sections.edit_requests import RelatedWorkEdit
from ...sections.generated_sections import check_kind
from ...sections.requests import Choice
from ...sections.runs import numbers_of
from ..connection.documents import path_of
from ..jobs import changing_jobs, writing_jobs
from ..jobs.progress import cancelled
from ..jobs.writing import Writing, with_model

if TYPE_CHECKING:
    from texgeist_latex.types import Draft, Offer

    from ...review.state import Report, Review, Stopped, Work
    from ...sections.queries import Source
    from ...sections.requests import A, Request
    from ..connection.editor import Editor
    from ..jobs.jobs import Job

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reviews:
    """The review pages of a session. `open`: the open pages, by root document."""

    writing: Writing
    open: dict[Path, Review] = field(default_factory=dict)

    def close(self) -> None:
        for review in self.open.values():
            review.close()


async def open_review(reviews: Reviews, given: Answer) -> Answer:
    """Returns `{url, page}` at once; the search continues as a job. Raises `Untrusted`, `Busy`, and
    `EditRefused` if the section is not related work."""
    editor = reviews.writing.editor
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
    choice = Choice(numbers_of(await editor.configuration.loaded()))

    def asked() -> RelatedWorkEdit:
        return RelatedWorkEdit(
            path=path, source=source, settings=editor.settings, section=section or SECTION_ID
        )

    review = Review(asyncio.get_running_loop(), EditorHost(reviews.writing, path), asked, draft, choice)
    await review.look_for_offers()
    review.search()  # raises `Busy` while another job runs; then the open page is kept
    if before := reviews.open.pop(draft.root, None):
        before.close()
    reviews.open[draft.root] = review
    return {"url": await asyncio.to_thread(review.serve), "page": str(STATIC)}


@dataclass(frozen=True, slots=True)
class EditorHost:
    """The `Host` of a review page in the editor: runs the work of the page as jobs of the project."""

    writing: Writing
    path: Path

    def start(self, title: str, work: Work, stopped: Stopped) -> str:
        async def tell(job: Job) -> None:
            async with self.writing.telling.of(job) as block:
                await work(block.report)
                return
            raise EditRefused(block.word)  # the error was already shown

        return self._start(title, tell, stopped)

    def write(
        self, request: RelatedWorkEdit, written: Callable[[str], Awaitable[None]], stopped: Stopped
    ) -> str:
        async def write(job: Job) -> None:
            if not (words := await writing_jobs.write(self.writing, job, request)):
                raise EditRefused("Nothing was written.")
            await written(words)

        return self._start("the section from the papers chosen", write, stopped)

    def take(self, section: str, offer: Offer, taken: Callable[[str], Awaitable[None]]) -> str:
        async def take(job: Job) -> None:
            words = await changing_jobs.take(self.writing, job, self.path, section, offer)
            await taken(words or self.writing.telling.jobs.problem or "Your sentence was kept.")

        return self.writing.telling.jobs.start(self._project, "accepting the new sentence", take).id

    def cancel(self) -> None:
        if job := self.writing.telling.jobs.of(self._project):
            self.writing.telling.jobs.cancel(job.id)

    async def draft(self) -> Draft:
        return await self.writing.editor.reader.draft(self.path)

    async def ask(self, request: Request[A], report: Report) -> A:
        return await with_model(self.writing, request, report)

    def sends(self) -> str:
        configuration = self.writing.editor.configuration
        return sends(configuration.settings, configuration.keys)

    @property
    def _project(self) -> Path:
        return self.writing.editor.configuration.project_of(self.path)

    def _start(self, title: str, work: Callable[[Job], Awaitable[None]], stopped: Stopped) -> str:
        async def whole(job: Job) -> None:
            try:
                await work(job)
            except asyncio.CancelledError as error:
                words = cancelled(error)
                stopped(words[:1].upper() + words[1:], True)
                raise
            except ServerError as error:
                jobs = self.writing.telling.jobs
                stopped(jobs.problem or jobs.offline or str(error), False)

        return self.writing.telling.jobs.start(self._project, title, whole).id


async def show(editor: Editor, url: str, words: str = "Review the papers at") -> None:
    """Opens the page in the browser, or shows its address if the editor cannot open it."""
    if not await editor.open_outside(url):
        editor.say(f"{words} {url}")
