"""The review panel: look at the papers, tick and untick, then write."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_retrieval.codec import to_plain

from ...errors import Untrusted
from ...review.http import STATIC
from ...review.state import Review
from ...sections import provenance, section_requests
from ...sections.queries import Source
from .. import writing_jobs
from ..documents import path_of
from ..messages import say
from .status import sends

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..jobs import Job
    from ..session import Session

Answer = dict[str, Any]


async def open_review(session: Session, given: Answer) -> Answer:
    """`{url, page}` at once; the search goes on as a job behind it. Raises `Untrusted`, `Busy`."""
    if not session.configuration.trusted:
        raise Untrusted
    path, section = path_of(given["uri"]), given.get("section")
    # For the title, so nothing is waited for.
    draft = await session.reader.read(lambda workspace: workspace.draft(path))
    query = provenance.read(draft.root)["sections"].get(section or "", {}).get("query")
    source: Source = "draft" if "draft" in (given.get("from"), query) else "abstract"
    settings = await session.configuration.loaded()
    numbers = settings.related_work

    def look() -> Job:
        work = lambda job: _search(session, review, path, source, section, job)  # noqa: E731
        return session.jobs.start(session.configuration.project_of(path), "the papers for review", work)

    def write() -> str:
        return _write(session, review, path, source, section)

    review = Review(
        loop=asyncio.get_running_loop(),
        title=draft.title,
        file=draft.root,
        sends=sends(session.configuration),
        wanted={
            "breadth": None if numbers.breadth == "auto" else numbers.breadth,
            "depth": numbers.depth,
            "diversity": numbers.diversity,
            "pinned": [],
            "excluded": [],
        },
        do=lambda task, what: session.tasks.do(task, what, lambda *_: None),
        look=look,
        write=write,
        cancel=lambda: _cancel(session, path),
    )
    look()  # raises while another job runs: the page that is open stays then
    if before := session.reviews.pop(draft.root, None):
        before.close()
    session.reviews[draft.root] = review
    return {"url": await asyncio.to_thread(review.serve), "page": str(STATIC)}


async def show(
    server: LanguageServer, session: Session, url: str, words: str = "Review the papers at"
) -> None:
    """Opens the page in the browser, or says its address where the editor cannot."""
    if session.client.show_document:
        with contextlib.suppress(Exception):
            params = lsp.ShowDocumentParams(uri=url, external=True)
            if (await asyncio.wait_for(server.window_show_document_async(params), 5)).success:
                return
    say(server, f"{words} {url}")


async def _search(
    session: Session, review: Review, path: Path, source: Source, section: str | None, job: Job
) -> None:
    def also(message: str, percentage: int | None) -> None:
        review.move(message=message, progress=percentage)

    try:
        async with writing_jobs.telling(session, job, also) as block:
            draft = await session.reader.draft(path)
            edit_request = section_requests.related_work(path, source, session.settings, section)
            query, _, _ = await asyncio.to_thread(edit_request.prepare, draft)
            given = {"query": to_plain(query), "first": review.first, "wanted": review.wanted}
            review.found(await writing_jobs.with_model(session, "hold", given, block))
    finally:
        if review.stage == "searching":
            why = session.status.problem or session.status.offline or "Cancelled."
            review.move(stage="failed", message=why, progress=None)


def _write(session: Session, review: Review, path: Path, source: Source, section: str | None) -> str:
    settings = session.settings
    chosen = {"search": review.search, "wanted": review.wanted}
    edit_request = replace(section_requests.related_work(path, source, settings, section), chosen=chosen)

    async def work(job: Job) -> None:
        try:
            landed = await writing_jobs.write(session, job, edit_request)
        except asyncio.CancelledError as error:
            said = writing_jobs.cancelled(error)
            review.move(stage="ready", message=said[:1].upper() + said[1:])
            raise
        if landed:
            review.move(stage="written", message=landed)
        else:
            review.move(stage="failed", message=session.status.problem or session.status.offline)

    return session.jobs.start(
        session.configuration.project_of(path), "the section from the papers chosen", work
    ).id


def _cancel(session: Session, path: Path) -> None:
    if job := session.jobs.of(session.configuration.project_of(path)):
        session.jobs.cancel(job.id)
