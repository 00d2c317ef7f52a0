"""The jobs that search and show what they find, without changing the document. Evidence for a section is kept
for drafting it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.text.words import number_of
from texgeist_retrieval.types import EvidenceRun, Query

from ...config import storage
from ...config.user_file import data_of
from ...sections.missing import in_words, missing_of, missing_request
from ...sections.queries import statement_of
from ...sections.requests import EvidenceRequest, StatementRequest
from ...sections.safeguards import check_certain
from ...sections.section_briefs import section_query
from .panels import missing_page, show_panel
from .writing import KeptEvidence, sources_now, with_model
from .writing_jobs import start_embedding

if TYPE_CHECKING:
    from ...sections.edit_requests import Where
    from .jobs import Job
    from .writing import Writing

_showing: set[asyncio.Future[None]] = set()


async def gather(
    writing: Writing,
    job: Job,
    path: Path,
    where: Where,
    show: Callable[[str], Awaitable[None]],
    draft_now: Callable[[EvidenceRun], str],
    sends: Callable[[], str],
) -> None:
    """Gathers and shows evidence for the section that `where` finds. `show` opens the page at an address;
    `draft_now` starts to draft the section from the chosen evidence and returns the job's id; `sends` says
    what would leave the machine."""
    from ...review.evidence_review import EvidenceReview
    from ...review.pages import write_page

    async with writing.telling.of(job) as block:
        block.report("Reading the draft")
        draft = await writing.editor.reader.draft(path)
        check_certain(draft)
        query: Query = await asyncio.to_thread(lambda: section_query(draft, where(draft)))
        sources = await sources_now(writing)
        run = await writing.tasks.do(EvidenceRequest(query), block.report)
        writing.evidence[draft.root] = KeptEvidence(query, sources, run)
        heading = query.brief.heading if query.brief else ""
        folder = storage.cache_folder(data_of(writing.editor.settings)) / "evidence"
        page = await asyncio.to_thread(write_page, folder, heading, draft.root, run)
        block.word = summary(heading, run)
        writing.editor.say(block.word)
        start_embedding(writing)

        async def draft_from(chosen: EvidenceRun) -> str:
            now = await writing.editor.reader.draft(path)  # the draft may have changed meanwhile
            asked = await asyncio.to_thread(lambda: section_query(now, where(now)))
            sources = await sources_now(writing)
            begun = draft_now(chosen)  # may raise Busy; then the evidence is kept
            writing.evidence[now.root] = KeptEvidence(asked, sources, chosen)
            return begun

        loop = asyncio.get_running_loop()
        review = EvidenceReview(loop, heading, draft.root, run, draft_from, sends)
        writing.show_evidence(draft.root, review)
        _show_behind(show, review.serve() if run.evidence else page.as_uri())


async def both_sides(
    writing: Writing, job: Job, path: Path, start: int, end: int, show: Callable[[str], Awaitable[None]]
) -> None:
    """Finds passages for and against the text from `start` to `end` of `path`."""
    from ...review.pages import counted, write_sides

    async with writing.telling.of(job) as block:
        block.report("Reading the draft")
        draft = await writing.editor.reader.draft(path)
        statement = statement_of(draft, path, start, end)
        sides = await writing.tasks.do(StatementRequest(statement), block.report)
        folder = storage.cache_folder(data_of(writing.editor.settings)) / "evidence"
        page = await asyncio.to_thread(write_sides, folder, draft.root, sides)
        block.word = counted(sides)
        writing.editor.say(block.word)
        _show_behind(show, page.as_uri())


async def missing(writing: Writing, job: Job, path: Path) -> None:
    """Shows the works that a reviewer may miss in the draft of `path`."""
    async with writing.telling.of(job) as block:
        block.report("Reading the draft")
        draft = await writing.editor.reader.draft(path)
        check_certain(draft)
        request = await asyncio.to_thread(missing_request, draft)
        result = await with_model(writing, request, block.report)
        works = await asyncio.to_thread(missing_of, draft, result)
        block.word = " ".join([in_words(len(works)), *(() if works else result.notes)])
        writing.editor.say(block.word)
        if works:
            show_panel(writing.editor, "Missing works", missing_page(works, result.notes))


def _show_behind(show: Callable[[str], Awaitable[None]], url: str) -> None:
    """Shows a page without keeping the job running, because an editor may ask its user first."""
    task = asyncio.ensure_future(show(url))
    _showing.add(task)
    task.add_done_callback(_showing.discard)


def summary(heading: str, run: EvidenceRun) -> str:
    asked = sum(not query.refused for query in run.queries)
    found = (
        f"{number_of(len(run.evidence), 'passage')} of {number_of(len(run.papers), 'paper')}"
        if run.evidence
        else "nothing was found"
    )
    queries = "one query" if asked == 1 else f"{asked} queries"
    return " ".join([f"Evidence for “{heading}”: {found}, by {queries}.", run.stopped, *run.notes])
