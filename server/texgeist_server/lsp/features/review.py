"""The review page: look at the papers, select and deselect them, then write."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_latex.types import Offer
from texgeist_retrieval.codec import to_plain

from ...errors import Untrusted
from ...sections import provenance, section_requests
from ...sections.block_kinds import check_kind
from ...sections.offers import offers_of, standing
from ...sections.queries import Source
from ...sections.renamed_keys import called_now, keys_in
from ..connection.documents import path_of
from ..connection.editor import say
from ..jobs import changing_jobs, writing_jobs
from ..jobs.progress import cancelled
from ..jobs.writing import Writing, result_of, with_model
from .status_bar import sends

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_retrieval.types import Result

    from ...review.state import Review
    from ...sections.edit_request import EditRequest
    from ..connection.clients import Client
    from ..connection.configuration import Configuration
    from ..connection.reader import Reader
    from ..jobs.jobs import Job, Jobs
    from ..jobs.progress import Status

Answer = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Reviews:
    """The pages that are `open`, by root document, and what they are made of."""

    configuration: Configuration
    reader: Reader
    jobs: Jobs
    status: Status
    writing: Writing
    open: dict[Path, Review] = field(default_factory=dict)

    def close(self) -> None:
        for review in self.open.values():
            review.close()


async def open_review(reviews: Reviews, given: Answer) -> Answer:
    """`{url, page}` at once; the search goes on as a job behind it. Raises `Untrusted`, `Busy`, and
    `EditRefused` for a section that is no related work."""
    if not reviews.configuration.trusted:
        raise Untrusted
    from ...review.http import STATIC
    from ...review.state import Review

    path, section = path_of(given["uri"]), given.get("section")
    # For the title, so nothing is waited for.
    draft = await reviews.reader.read(lambda workspace: workspace.draft(path))
    if section:
        check_kind(draft.root, section, review=True)
    query = provenance.read(draft.root)["sections"].get(section or "", {}).get("query")
    source: Source = "draft" if "draft" in (given.get("from"), query) else "abstract"
    settings = await reviews.configuration.loaded()
    numbers = settings.related_work

    def look() -> Job:
        work = lambda job: _search(reviews, review, path, source, section, job)  # noqa: E731
        return reviews.jobs.start(reviews.configuration.project_of(path), "the papers for review", work)

    def write() -> str:
        return _write(reviews, review, path, source, section)

    def read() -> str:
        return _read(reviews, review, path, source, section)

    def take(offer: Answer) -> str:
        return _take(reviews, review, path, offer)

    review = Review(
        loop=asyncio.get_running_loop(),
        title=draft.title,
        file=draft.root,
        sends=lambda: sends(reviews.configuration),
        wanted={
            "breadth": None if numbers.breadth == "auto" else numbers.breadth,
            "depth": numbers.depth,
            "diversity": numbers.diversity,
            "pinned": [],
            "excluded": [],
        },
        do=lambda task, what: reviews.writing.tasks.do(task, what, lambda *_: None),
        look=look,
        write=write,
        read=read,
        cancel=lambda: _cancel(reviews, path),
        offers=await _offered(reviews, path),
        take=take,
    )
    look()  # raises while another job runs: the page that is open stays then
    if before := reviews.open.pop(draft.root, None):
        before.close()
    reviews.open[draft.root] = review
    return {"url": await asyncio.to_thread(review.serve), "page": str(STATIC)}


async def show(server: LanguageServer, client: Client, url: str, words: str = "Review the papers at") -> None:
    """Opens the page in the browser, or says its address where the editor cannot."""
    if not await opened_outside(server, client, url):
        say(server, f"{words} {url}")


async def opened_outside(server: LanguageServer, client: Client, url: str) -> bool:
    """Whether the editor has handed it on to what opens such things."""
    with contextlib.suppress(Exception):
        if client.show_document:
            params = lsp.ShowDocumentParams(uri=url, external=True)
            async with asyncio.timeout(5):
                return (await server.window_show_document_async(params)).success
    return False


async def _search(
    reviews: Reviews, review: Review, path: Path, source: Source, section: str | None, job: Job
) -> None:
    def also(message: str, percentage: int | None) -> None:
        review.move(message=message, progress=percentage)

    try:
        async with reviews.writing.telling.of(job, also) as block:
            draft = await reviews.reader.draft(path)
            edit_request = section_requests.related_work(
                path, source, reviews.configuration.settings, section
            )
            query, _, _ = await asyncio.to_thread(edit_request.prepare, draft)
            given = {"query": to_plain(query), "first": review.first, "wanted": review.wanted}
            review.found(await with_model(reviews.writing, "hold", given, block))
    finally:
        if review.stage == "searching":
            why = reviews.status.problem or reviews.status.offline or "Cancelled."
            review.move(stage="failed", message=why, progress=None)


def _read(reviews: Reviews, review: Review, path: Path, source: Source, section: str | None) -> str:
    """The job that writes what is chosen for the page alone."""
    edit_request = _request(reviews, review, path, source, section)

    async def work(job: Job) -> None:
        try:
            async with reviews.writing.telling.of(job) as block:
                draft = await reviews.reader.draft(path)
                query, _, plan = await asyncio.to_thread(edit_request.prepare, draft)
                result = await result_of(reviews.writing, draft, edit_request, query, block)
                text = (await asyncio.to_thread(plan, draft, result)).latex
                block.word = "The text is on the page."
            if block.word != "Failed":
                review.shown(text, result)
        finally:
            if review.stage == "reading":
                why = reviews.status.problem or reviews.status.offline
                review.move(stage="failed" if why else "ready", message=why, progress=None)

    return reviews.jobs.start(
        reviews.configuration.project_of(path), "the text from the papers chosen", work
    ).id


def _request(
    reviews: Reviews, review: Review, path: Path, source: Source, section: str | None
) -> EditRequest:
    """For what is chosen on the page; with what was written from it, where that was looked at."""
    settings = reviews.configuration.settings
    chosen = {"search": review.search, "wanted": review.wanted}
    result = cast("Result | None", review.kept)
    return replace(
        section_requests.related_work(path, source, settings, section), chosen=chosen, result=result
    )


def _write(reviews: Reviews, review: Review, path: Path, source: Source, section: str | None) -> str:
    edit_request = _request(reviews, review, path, source, section)

    async def work(job: Job) -> None:
        try:
            landed = await writing_jobs.write(reviews.writing, job, edit_request)
        except asyncio.CancelledError as error:
            said = cancelled(error)
            review.move(stage="ready", message=said[:1].upper() + said[1:])
            raise
        if landed:
            review.move(stage="written", message=landed, offers=await _offered(reviews, path))
        else:
            review.move(stage="failed", message=reviews.status.problem or reviews.status.offline)

    return reviews.jobs.start(
        reviews.configuration.project_of(path), "the section from the papers chosen", work
    ).id


async def _offered(reviews: Reviews, path: Path) -> list[Answer]:
    """The new sentences that stand beside the author's, for the page."""

    def look(workspace: Workspace) -> list[tuple[str, Offer]]:
        draft = workspace.draft(path)
        data = called_now(provenance.read(draft.root), keys_in(draft))
        return standing(data, draft.sources.values())

    with contextlib.suppress(LatexError):
        found = await reviews.reader.read(look)
        return [{"section": id, "stands": offer.stands, "new": offer.new} for id, offer in found]
    return []


def _take(reviews: Reviews, review: Review, path: Path, given: Answer) -> str:
    async def work(job: Job) -> None:
        draft = await reviews.reader.draft(path)
        data = called_now(provenance.read(draft.root), keys_in(draft))
        offer = next(
            (
                o
                for o in offers_of(data, given["section"])
                if (o.stands, o.new) == (given["stands"], given["new"])
            ),
            Offer(given["stands"], given["new"]),
        )
        await changing_jobs.take(reviews.writing, job, path, given["section"], offer)
        why = reviews.status.problem
        review.move(message=why or "The new sentence stands.", offers=await _offered(reviews, path))

    return reviews.jobs.start(reviews.configuration.project_of(path), "taking the new sentence", work).id


def _cancel(reviews: Reviews, path: Path) -> None:
    if job := reviews.jobs.of(reviews.configuration.project_of(path)):
        reviews.jobs.cancel(job.id)
