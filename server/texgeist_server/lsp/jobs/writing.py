"""State and helpers shared by the jobs that write. If the embedding model or a library is missing, the user
is asked before it is fetched or filled."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from pygls.exceptions import JsonRpcException
from texgeist_retrieval.types import Query, Result

from ...errors import TaskFailed
from ...sections.edit_requests import Pending
from ...sections.requests import (
    A,
    AddToLibrary,
    DiscoverPapers,
    FetchModel,
    Request,
    WriteRequest,
)
from ...worker.client import Progress as Report
from ..connection.editor import Editor
from .panels import Lists

if TYPE_CHECKING:
    from texgeist_latex.types import Draft

    from ...sections.edit_requests import EditRequest
    from ...sections.recording import RecordedEdit
    from .jobs import Job, Jobs, Stopped, Tasks, Work


class Page(Protocol):
    """A page on loopback, such as the review page."""

    def serve(self) -> str: ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Writing:
    """The state of the writing jobs, by root document. Used on the event loop. `pending`: results that are
    written (and paid for) but not yet in the document; `last`: the last change."""

    editor: Editor
    tasks: Tasks
    jobs: Jobs
    pending: dict[Path, Pending] = field(default_factory=dict)
    last: dict[Path, RecordedEdit] = field(default_factory=dict)
    since: dict[Path, str] = field(default_factory=dict)  # a later change, in words, which prevents undo
    lists: Lists = field(default_factory=Lists)
    asking: set[asyncio.Task[None]] = field(default_factory=set)  # messages that wait for an answer
    offered: set[str] = field(default_factory=set)  # the model servers that were offered
    pages: dict[tuple[type, Path], Page] = field(default_factory=dict)  # open pages in the browser

    def start(self, path: Path, title: str, work: Work, stopped: Stopped = lambda *_: None) -> str:
        """Starts a job in the project of `path` and returns its id; see `Jobs.start`."""
        return self.jobs.start(self.editor.configuration.project_of(path), title, work, stopped).id

    def open_page(self, root: Path, page: Page) -> str:
        """Replaces the document's earlier page of this kind. Returns the address of the page."""
        if before := self.pages.pop((type(page), root), None):
            before.close()
        self.pages[type(page), root] = page
        return page.serve()

    def close(self) -> None:
        for page in self.pages.values():
            page.close()


SYNCING = "syncing the index"  # a job's title
FETCH = "Fetch the model (440 MB)"


async def result_of(
    writing: Writing,
    draft: Draft,
    edit_request: EditRequest[WriteRequest],
    request: WriteRequest,
    job: Job,
) -> Result:
    """Runs the request in the worker. A missing library is filled first, after asking the user."""
    if isinstance(edit_request.instead, Result):
        return edit_request.instead
    asked = edit_request.instead or request
    try:
        return await with_model(writing, asked, job.report)
    except TaskFailed as error:
        if error.kind != "LibraryMissing":
            raise
    await fill_library(writing, draft, request.query, job)
    await writing.jobs.ended(SYNCING)
    return await with_model(writing, asked, job.report)


async def with_model(writing: Writing, request: Request[A], report: Report) -> A:
    """Answers a request that needs the embedding model. If the model is missing and the user agrees, the
    model is fetched first."""
    try:
        return await writing.tasks.do(request, report)
    except TaskFailed as error:
        if error.kind != "ModelMissing":
            raise
        picked = await writing.editor.ask(error.sentence(), [FETCH, "Not now"])
        if picked != FETCH:
            raise
    await writing.tasks.do(FetchModel(), report)
    return await writing.tasks.do(request, report)


CHOOSE, NOT_NOW = "Choose Papers…", "Not now"
DISCOVER_DRAFT, DISCOVER = "Discover for This Draft…", "Discover"
CHOOSE_PAPERS = "texgeist/choosePapers"  # the client lists indexes, and returns whether the user chose one


async def fill_library(writing: Writing, draft: Draft, query: Query, job: Job) -> None:
    """Asks which papers to add, and adds them. Raises `TaskFailed` if the user chose none."""
    editor, tasks = writing.editor, writing.tasks
    sources = [str(path) for path in sources_of(draft)]
    use = f"Use this project's {'.bib file' if len(sources) == 1 else '.bib files'}"
    more = [*([CHOOSE] if editor.client.chooses_papers else []), NOT_NOW]
    answers = [*([use] if sources else []), DISCOVER_DRAFT, *more]
    words = "There is no library to search yet. "
    if sources:
        names = ", ".join(Path(source).name for source in sources)
        words += f"It can be filled from {names}, on this machine: nothing is sent. "
        if not any(entry.fields.get("abstract") for each in draft.bibliographies for entry in each.entries):
            words += (
                "As no entry has an abstract, most papers could not be cited: discovering papers helps more. "
            )
            answers = [DISCOVER_DRAFT, use, *more]
    picked = await editor.ask(words, answers)
    if picked == use:
        await tasks.do(AddToLibrary(tuple(sources)), job.report)
        return
    if picked == DISCOVER_DRAFT and await discovered(writing, query, job):
        return
    if picked == CHOOSE:
        job.report("Waiting for your choice")
        if await _papers_chosen(editor):
            return
    raise TaskFailed(
        "LibraryMissing",
        "There is no library to search yet, so nothing was written.",
        ""
        if editor.client.chooses_papers
        else f"Fill one in a terminal: {command()} index add papers.bib (or a folder of PDFs, cat:cs.CL, or sample to try it).",
    )


async def discovered(writing: Writing, query: Query, job: Job) -> str:
    """Discovers papers for a draft, after asking the user unless the settings allow it. Returns a message
    about what was done, "" if the user declined."""
    if not writing.editor.settings.index.discover:
        job.report("Waiting for your consent")
        if await writing.editor.ask(consent_question(query), [DISCOVER, NOT_NOW]) != DISCOVER:
            return ""
    return await with_model(writing, DiscoverPapers(query), job.report)


def consent_question(query: Query) -> str:
    """Says what discovery sends for the query (see `request_of`)."""
    title = f" “{query.title}”" if query.title else ""
    what = (
        "its key words and up to two of its sentences with citations (or the topics and works that your language "
        "model names for it)"
    )
    if query.kind == "sentence":
        what = (
            f"the sentence “{query.text}” (and works that your language model, if you use one, names for it)"
        )
    return (
        f"To discover papers for this draft, texgeist sends to OpenAlex, Semantic Scholar, arXiv and Crossref: "
        f"its title{title}, {what}, and DOIs, arXiv ids and titles of the works that the draft cites. "
        "What they find stays on this machine. Nothing is remembered: to allow it for every draft, set "
        "texgeist.index.discover."
    )


async def _papers_chosen(editor: Editor) -> bool:
    """Whether the user chose papers from the client's list, and they were added."""
    try:
        return await editor.server.protocol.send_request_async(CHOOSE_PAPERS, {}) is True
    except JsonRpcException:
        return False


def sources_of(draft: Draft) -> Iterable[Path]:
    """The project's bibliographies on the disk."""
    return (each.path for each in draft.bibliographies if each.path.suffix == ".bib" and each.path.is_file())


def command() -> str:
    """The command to type in a terminal: `texgeist`, or the path of Python with the module if `texgeist` is
    not on the PATH because an editor installed it."""
    if shutil.which("texgeist"):
        return "texgeist"
    python = f'"{sys.executable}"' if " " in sys.executable else sys.executable
    return f"{python} -m texgeist_server"
