"""The state of a review: what is searched, chosen and written. The editor is its `Host`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Protocol

from texgeist_latex.errors import LatexError
from texgeist_latex.types import Draft
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.types import Result

from ..errors import ServerError, TaskFailed
from ..sections.edit_requests import RelatedWorkEdit
from ..sections.requests import (
    A,
    Choice,
    ChooseRequest,
    Request,
    ReviewedPapers,
    ReviewRequest,
    WriteChosenRequest,
)
from .http import LIMITS, BadRequest, PageServer, read_choice

Plain = dict[str, Any]  # JSON for the page
Report = Callable[[str, int | None, int | None], None]
Work = Callable[[Report], Awaitable[None]]
Stopped = Callable[[str, bool], None]
LONGEST_POLL = 20.0  # seconds


class Host(Protocol):
    """The functions that a review needs from the editor or the command line. Jobs report progress by
    `Report`. A job that fails or is cancelled calls `Stopped` with a message and whether it was cancelled."""

    def start(self, title: str, work: Work, stopped: Stopped) -> str:
        """Starts a job and returns its id. Raises `Busy`."""
        ...

    def write(self, request: RelatedWorkEdit, written: Callable[[str], None], stopped: Stopped) -> str:
        """Starts the job that writes into the document, and returns its id. `written` receives a message
        about what was done. Raises `Busy`."""
        ...

    def cancel(self) -> None: ...

    async def draft(self) -> Draft: ...

    async def ask(self, request: Request[A], report: Report) -> A:
        """The worker's answer. Raises the `ServerError`s."""
        ...

    def sends(self) -> str:
        """The recipient of the text; "" if nothing is sent."""
        ...


@dataclass
class Review:
    """The state of a review page. It is changed only on the event loop; the page's threads call `answer`.
    `asked` returns the command's edit request, with the current settings. `choice` starts with the numbers of
    the settings."""

    loop: asyncio.AbstractEventLoop
    host: Host
    asked: Callable[[], RelatedWorkEdit]
    draft: Draft
    choice: Choice
    stage: str = "searching"
    message: str = ""
    progress: int | None = None
    version: int = 1
    found: ReviewedPapers = ReviewedPapers("", 24, (), (), (), "")
    text: str = ""  # LaTeX of the section for the current choice; "" until the user requests it
    kept: Result | None = None  # the result of that text, so that it is not written twice
    page: PageServer | None = None
    accept: Callable[[Plain], Draft] | None = None  # reads a draft that was given on the page

    def __post_init__(self) -> None:
        self.first = self.choice  # the original choice, so that a repeated search returns the same papers
        self._moved = asyncio.Event()
        self._choosing = asyncio.Lock()

    def serve(self) -> str:
        """Starts the page and returns its address."""
        if self.page is None:
            self.page = PageServer(self.answer)
        return self.page.url

    def close(self) -> None:
        if self.page:
            self.page.close()

    def move(self, **changes: Any) -> None:
        """Sets the attributes in `changes` and notifies waiting pages."""
        for name, value in changes.items():
            setattr(self, name, value)
        self.version += 1
        self._moved.set()
        self._moved = asyncio.Event()

    def search(self) -> str:
        """Starts the search and returns the job's id. Raises `Busy`."""
        return self.host.start("the papers for review", self._search, self._stopped)

    async def _search(self, report: Report) -> None:
        draft = await self.host.draft()
        prepared = await asyncio.to_thread(self.asked().prepare, draft)
        request = ReviewRequest(prepared.query, self.first, self.choice)
        self._found(await self.host.ask(request, self._reporting(report)))

    async def _read(self, report: Report) -> None:
        """Writes the section as a preview for this page."""
        draft = await self.host.draft()
        request = WriteChosenRequest(self.found.search, self.choice)
        result = self.kept
        if result is None:
            result = await self.host.ask(request, self._reporting(report))
        plan = await asyncio.to_thread(self.asked().plan, draft, draft, result)
        self.move(stage="ready", message="", progress=None, text=plan.latex, kept=result)

    def _write(self) -> str:
        chosen = WriteChosenRequest(self.found.search, self.choice)
        request = replace(self.asked(), instead=self.kept or chosen)
        return self.host.write(request, self._written, self._stopped)

    def _written(self, words: str) -> None:
        self.move(stage="written", message=words, progress=None)

    def _stopped(self, why: str, cancelled: bool) -> None:
        held = cancelled and self.stage != "searching"
        self.move(stage="ready" if held else "failed", message=why, progress=None)

    def _reporting(self, report: Report) -> Report:
        def both(message: str, done: int | None = None, total: int | None = None) -> None:
            report(message, done, total)
            share = round(100 * done / total) if total and done is not None else None
            self.move(message=message, progress=share)

        return both

    def _found(self, found: ReviewedPapers) -> None:
        """Stores the worker's answer to a search or choice. The preview text is dropped if the chosen papers
        differ."""
        if (found.chosen, found.search) != (self.found.chosen, self.found.search):
            self.text, self.kept = "", None
        self.move(stage="ready", message=" ".join(found.notes), progress=None, found=found)

    def state(self) -> Plain:
        choice = self.choice
        return {
            "stage": self.stage,
            "accepts": self.accept is not None,
            "message": self.message,
            "progress": self.progress,
            "version": self.version,
            "draft": {"title": self.draft.title, "file": self.draft.root.name},
            "sends": self.host.sends(),
            "takes": self.found.takes,
            "text": self.text,
            "options": {
                "breadth": choice.breadth or self.found.breadth,
                "depth": choice.depth,
                "diversity": choice.diversity,
            },
            "limits": to_plain(LIMITS),
            "pinned": list(self.choice.pinned),
            "excluded": list(self.choice.excluded),
            "papers": to_plain(self.found.papers),
            "chosen": list(self.found.chosen),
        }

    def answer(self, method: str, name: str, given: Plain) -> Plain:
        """Answers a request to the API, on a thread of the page's server."""
        return asyncio.run_coroutine_threadsafe(self._answer(method, name, given), self.loop).result(60)

    async def _answer(self, method: str, name: str, given: Plain) -> Plain:
        try:
            return await self._routed(method, name, given)
        except (RetrievalError, LatexError, ServerError) as error:
            raise BadRequest(error.sentence(), HTTPStatus.CONFLICT) from None

    async def _routed(self, method: str, name: str, given: Plain) -> Plain:
        if (method, name) == ("GET", "state"):
            return await self._state(given)
        if (method, name) == ("POST", "choose"):
            return await self._choose(given)
        if (method, name) in (("POST", "write"), ("POST", "read")):
            if (await self._choose(given))["stage"] == "searching":
                raise BadRequest(f"{self.message} Look at the papers, then write.", HTTPStatus.CONFLICT)
            if name == "write":
                return {"job": self._begin(self._write, "writing", "Writing")}
            return {"job": self._begin(self._start_reading, "reading", "Writing the text to be looked at")}
        if (method, name) == ("POST", "draft") and self.accept:
            return await self._search_for(given, self.accept)
        if (method, name) == ("POST", "cancel"):
            self.host.cancel()
            return {}
        raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND)

    async def _search_for(self, given: Plain, accept: Callable[[Plain], Draft]) -> Plain:
        """Searches for a draft that was given on the page."""
        if self.stage in ("searching", "reading", "writing"):
            raise BadRequest("The last search is still running.", HTTPStatus.CONFLICT)
        draft = await asyncio.to_thread(accept, given)
        await asyncio.to_thread(self.asked().prepare, draft)  # raises an error for a draft without text
        self.move(draft=draft, choice=self.first, stage="searching", message="", progress=None)
        self.search()
        return self.state()

    def _start_reading(self) -> str:
        return self.host.start("the text from the papers chosen", self._read, self._stopped)

    async def _state(self, given: Plain) -> Plain:
        after = given.get("after")
        if after is not None:
            if not str(after).isdigit():
                raise BadRequest("`after` is the version that the page has.")
            await self._until(lambda: self.version > int(after))
        return self.state()

    async def _until(self, holds: Callable[[], bool]) -> bool:
        """Waits until `holds()` is true, at most LONGEST_POLL seconds. Returns whether it is."""
        deadline = self.loop.time() + LONGEST_POLL
        while not holds() and (left := deadline - self.loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._moved.wait()
        return holds()

    async def _choose(self, given: Plain) -> Plain:
        choice = read_choice(given, self.choice, {paper.id for paper in self.found.papers})
        async with self._choosing:
            if self.stage == "searching":
                raise BadRequest("The search is still running.", HTTPStatus.CONFLICT)
            if not await self._until(lambda: self.stage != "reading"):
                raise BadRequest("The text is still being written: wait, or cancel it.", HTTPStatus.CONFLICT)
            try:
                found = await self.host.ask(ChooseRequest(self.found.search, choice), lambda *_: None)
            except TaskFailed as error:
                if error.kind != "SearchGone":
                    raise
                self.choice = choice
                return self._search_again()
            self.choice = choice  # set together with `found`, so that no page sees only one of them
            if self.stage in ("ready", "written", "failed"):
                self._found(found)
        return self.state()

    def _search_again(self) -> Plain:
        """Repeats the search with the current numbers, pins and exclusions, because the worker has dropped it
        or was restarted."""
        self.search()
        words = "The search was no longer in memory, so it is repeated."
        self.move(stage="searching", message=words, progress=None)
        return self.state()

    def _begin(self, begin: Callable[[], str], stage: str, message: str) -> str:
        if not self.found.chosen:
            raise BadRequest("No paper is chosen.")
        job = begin()
        self.move(stage=stage, message=message, progress=None)
        return job
