"""The review page without an editor (`texgeist review`), for a draft on disk or a draft that the user gives
on the page."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import PurePath

from texgeist_latex.errors import LatexError
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft, EditPlan
from texgeist_retrieval.types import Result

from ..adapters import sends
from ..config.credentials import Keys, keys_from_environment
from ..config.settings import Settings
from ..config.values import read_settings
from ..errors import ServerError
from ..plain_drafts import GivenDraft, draft_of_pdf_data, draft_of_text
from ..sections.edit_requests import RelatedWorkEdit
from ..sections.queries import Source
from ..sections.requests import A, Request
from ..sections.runs import first_choice
from ..sections.safeguards import Writes, check_cites
from ..worker.client import Worker
from .http import BadRequest
from .state import Report, Review, Stopped, Work


@dataclass
class Standalone:
    """The host of a review page without an editor."""

    given: GivenDraft | None  # None: the user will paste or drop a draft on the page
    settings: Settings
    landed: Callable[[Draft, EditPlan, Result], str]  # returns a message
    written_by: Writes = "nobody"
    keys: Keys = field(default_factory=keys_from_environment)
    worker: Worker = field(default_factory=Worker)
    jobs: list[asyncio.Task[None]] = field(default_factory=list)

    def start(self, title: str, work: Work, stopped: Stopped) -> str:
        async def job() -> None:
            try:
                await work(lambda *_: None)
            except asyncio.CancelledError:
                stopped("Cancelled, nothing was changed.", True)
                raise
            except (ServerError, LatexError) as error:
                stopped(error.sentence(), False)

        self.jobs.append(asyncio.get_running_loop().create_task(job()))
        return str(len(self.jobs))

    def write(self, request: RelatedWorkEdit, written: Callable[[str], None], stopped: Stopped) -> str:
        async def work(report: Report) -> None:
            before = await self.draft()
            prepared, result = request.prepare(before), request.instead
            if not isinstance(result, Result):
                result = await self.ask(result or prepared, report)
            draft = await self.draft()
            plan = request.plan(before, draft, result)
            check_cites(plan)
            written(self.landed(draft, plan, result))

        return self.start(request.what, work, stopped)

    def cancel(self) -> None:
        for job in self.jobs:
            job.cancel()

    async def draft(self) -> Draft:
        return await asyncio.to_thread(self._read)

    def _read(self) -> Draft:
        given = self.given or draft_of_text("")
        return read_draft(given.path, overlay=given.texts)

    def accept(self, body: Mapping[str, object]) -> Draft:
        """Takes the draft that was pasted (`text`) or dropped (`pdf`, in base64, and its `name`) on the page,
        and limits of date and category. Raises `PaperUnreadable`, `LatexError`, `BadRequest`."""
        limits = {name: str(body.get(name, "")).strip() for name in ("since", "until")}
        categories = str(body.get("categories", "")).replace(",", " ").split()
        chosen = {**self.settings.related_work.model_dump(), **limits, "categories": categories}
        settings, problems = read_settings({**self.settings.model_dump(), "related_work": chosen})
        if problems:
            raise BadRequest(problems[0])
        self.settings = settings
        if pdf := body.get("pdf"):
            name = PurePath(str(body.get("name") or "draft.pdf")).name
            try:
                data = base64.b64decode(str(pdf))
            except ValueError:
                raise BadRequest("That is no PDF in base64.") from None
            self.given = draft_of_pdf_data(name, data)
        else:
            self.given = draft_of_text(str(body.get("text", "")))
        return self._read()

    async def ask(self, request: Request[A], report: Report) -> A:
        return await self.worker.do(request, self.settings, self.keys, report)

    def sends(self) -> str:
        return sends(self.settings, self.keys)


async def open_review(host: Standalone, source: Source) -> Review:
    """Opens a review of the host's draft and starts its search, or waits for a draft from the page."""

    def asked() -> RelatedWorkEdit:
        given = host.given or draft_of_text("")
        return RelatedWorkEdit(
            path=given.path,
            source=source,
            settings=host.settings,
            written_by=host.written_by,
            references=given.references,
        )

    loop, choice = asyncio.get_running_loop(), first_choice(host.settings)
    review = Review(loop, host, asked, await host.draft(), choice)
    if host.given is None:
        review.accept, review.stage = host.accept, "empty"
        return review
    review.search()
    return review


async def serve(host: Standalone, source: Source, opened: Callable[[str], None]) -> None:
    """Serves the page until the task is cancelled. `opened` receives its address."""
    review = await open_review(host, source)
    try:
        opened(review.serve())
        await asyncio.Event().wait()
    finally:
        review.close()
        await host.worker.close()
