"""One review as its page sees it, in the server: what is searched, chosen and written, by version."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from ..errors import ServerError, TaskFailed
from .http import BadRequest, PageServer

Plain = dict[str, Any]
LIMITS = {"breadth": [1, 60], "depth": [1, 10], "diversity": [0, 1]}
LONGEST_POLL = 20.0  # seconds


@dataclass
class Review:
    """Changed on the event loop alone; the page's threads call in through `answer`.

    `offers` are new sentences beside the author's, `take` the job that takes one of them.

    `do` runs a task of the worker; `look` starts the search (raises `ServerError`), `write` the job that writes
    what is chosen, and gives its id, as does `read`, whose job writes it for this page alone (`shown` takes
    it); `cancel` stops what runs."""

    loop: asyncio.AbstractEventLoop
    title: str
    file: Path
    sends: Callable[[], str]
    wanted: Plain
    do: Callable[[str, Plain], Awaitable[Plain]]
    look: Callable[[], object]
    write: Callable[[], str]
    read: Callable[[], str]
    cancel: Callable[[], None]
    stage: str = "searching"
    message: str = ""
    progress: int | None = None
    version: int = 1
    search: str = ""
    papers: list[Plain] = field(default_factory=list)
    chosen: list[str] = field(default_factory=list)
    breadth: int = 24  # papers chosen where nobody said how many
    text: str = (
        ""  # the section that would be written from what is chosen, as LaTeX; "" until it was asked for
    )
    kept: object = None  # what that text was made of, so that it is not written twice
    takes: str = ""  # what a model would take for what is chosen, in words
    page: PageServer | None = None
    offers: list[Plain] = field(default_factory=list)  # {section, stands, new}, LaTeX on one line each
    take: Callable[[Plain], str] | None = None

    def __post_init__(self) -> None:
        self.first = self.wanted  # what is searched for, so that a search made again finds the same papers
        self._moved = asyncio.Event()
        self._choosing = asyncio.Lock()

    def serve(self) -> str:
        """Starts the page, and gives its address."""
        if self.page is None:
            self.page = PageServer(self.answer)
        return self.page.url

    def close(self) -> None:
        if self.page:
            threading.Thread(target=self.page.close, daemon=True).start()

    def move(self, **changes: Any) -> None:
        """Takes the changes and tells the pages that wait."""
        for name, value in changes.items():
            setattr(self, name, value)
        self.version += 1
        self._moved.set()
        self._moved = asyncio.Event()

    def shown(self, text: str, kept: object) -> None:
        """What `read` has written."""
        self.move(stage="ready", message="", progress=None, text=text, kept=kept)

    def found(self, described: Plain) -> None:
        """What the worker says of a search or of a choice: a text from other papers is no preview of these."""
        if described["chosen"] != self.chosen or described["search"] != self.search:
            self.text, self.kept = "", None
        self.move(
            stage="ready",
            message=" ".join(described["notes"]),
            progress=None,
            search=described["search"],
            papers=described["papers"],
            chosen=described["chosen"],
            breadth=described["breadth"],
            takes=described["takes"],
        )

    def state(self) -> Plain:
        numbers = {name: self.wanted[name] for name in LIMITS}
        numbers["breadth"] = numbers["breadth"] or self.breadth
        return {
            "stage": self.stage,
            "message": self.message,
            "progress": self.progress,
            "version": self.version,
            "draft": {"title": self.title, "file": self.file.name},
            "sends": self.sends(),
            "takes": self.takes,
            "text": self.text,
            "offers": self.offers,
            "options": numbers,
            "limits": LIMITS,
            "pinned": list(self.wanted["pinned"]),
            "excluded": list(self.wanted["excluded"]),
            "papers": self.papers,
            "chosen": self.chosen,
        }

    def answer(self, method: str, name: str, given: Plain) -> Plain:
        """The API, on a thread of the page's server."""
        return asyncio.run_coroutine_threadsafe(self._answer(method, name, given), self.loop).result(60)

    async def _answer(self, method: str, name: str, given: Plain) -> Plain:
        if (method, name) == ("GET", "state"):
            return await self._state(given)
        if (method, name) == ("POST", "choose"):
            return await self._choose(given)
        if (method, name) in (("POST", "write"), ("POST", "read")):
            if (await self._choose(given))["stage"] == "searching":
                raise BadRequest(f"{self.message} Look at the papers, then write.", HTTPStatus.CONFLICT)
            if name == "write":
                return {"job": self._begin(self.write, "writing", "Writing")}
            return {"job": self._begin(self.read, "reading", "Writing the text to be looked at")}
        if (method, name) == ("POST", "take"):
            return {"job": self._take(given)}
        if (method, name) == ("POST", "cancel"):
            self.cancel()
            return {}
        raise BadRequest("There is nothing here.", HTTPStatus.NOT_FOUND)

    async def _state(self, given: Plain) -> Plain:
        after = given.get("after")
        if after is not None:
            if not str(after).isdigit():
                raise BadRequest("`after` is the version that the page has.")
            await self._until(lambda: self.version > int(after))
        return self.state()

    async def _until(self, holds: Callable[[], bool]) -> bool:
        """Whether it holds, within the time that a page is kept waiting."""
        deadline = self.loop.time() + LONGEST_POLL
        while not holds() and (left := deadline - self.loop.time()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._moved.wait()
        return holds()

    async def _choose(self, given: Plain) -> Plain:
        wanted = checked(given, self.wanted, {paper["id"] for paper in self.papers})
        async with self._choosing:
            if self.stage == "searching":
                raise BadRequest("The search is still running.", HTTPStatus.CONFLICT)
            if not await self._until(lambda: self.stage != "reading"):
                raise BadRequest("The text is still being written: wait, or cancel it.", HTTPStatus.CONFLICT)
            try:
                described = await self.do("choose", {"search": self.search, "wanted": wanted})
            except ServerError as error:
                if not isinstance(error, TaskFailed) or error.kind != "SearchGone":
                    raise BadRequest(error.sentence(), HTTPStatus.BAD_GATEWAY) from None
                self.wanted = wanted
                return self._look_again()
            self.wanted = wanted  # with what was chosen for it: nobody sees the one without the other
            if self.stage in ("ready", "written", "failed"):
                self.found(described)
        return self.state()

    def _look_again(self) -> Plain:
        """The worker gives its memory back after a while, and may die: the same search, for the numbers, pins
        and exclusions of now."""
        try:
            self.look()
        except ServerError as error:
            raise BadRequest(error.sentence(), HTTPStatus.CONFLICT) from None
        self.move(stage="searching", message="The search had been let go; it is made again.", progress=None)
        return self.state()

    def _take(self, given: Plain) -> str:
        """Of the page's words only those are taken that it was given."""
        offer = next((one for one in self.offers if all(given.get(name) == one[name] for name in one)), None)
        if offer is None or self.take is None:
            raise BadRequest("This sentence is not offered any more.", HTTPStatus.CONFLICT)
        try:
            return self.take(offer)
        except ServerError as error:
            raise BadRequest(error.sentence(), HTTPStatus.CONFLICT) from None

    def _begin(self, write: Callable[[], str], stage: str, message: str) -> str:
        if not self.chosen:
            raise BadRequest("No paper is chosen.")
        try:
            job = write()
        except ServerError as error:
            raise BadRequest(error.sentence(), HTTPStatus.CONFLICT) from None
        self.move(stage=stage, message=message, progress=None)
        return job


def checked(given: Plain, before: Plain, known: set[str]) -> Plain:
    """The page's numbers and lists, within their limits. Raises `BadRequest`."""
    wanted = dict(before)
    for name, (low, high) in LIMITS.items():
        value = given.get(name, before[name])
        whole = name != "diversity"
        kind = int if whole else (int, float)
        if value is None and before[name] is None:
            continue
        if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
            raise BadRequest(f"{name} is a {'whole ' if whole else ''}number from {low} to {high}.")
        wanted[name] = value
    for name in ("pinned", "excluded"):
        ids = given.get(name, before[name])
        if not isinstance(ids, list | tuple) or not all(isinstance(id, str) for id in ids):
            raise BadRequest(f"{name} is a list of ids.")
        if unknown := sorted(set(ids) - known):
            raise BadRequest(f"There is no paper {unknown[0]} here.")
        wanted[name] = list(ids)
    return wanted
