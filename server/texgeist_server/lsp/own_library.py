"""The papers of the user's own library, for completion.

No key press waits for the index: the first citation that is typed has the worker list the papers behind it, and
what was listed is searched here, by the same words as a bibliography."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import BibEntry, Bibliography, Span

from ..errors import ServerError
from ..index_places import index_place
from .configuration import Configuration
from .tasks import Tasks

if TYPE_CHECKING:
    from texgeist_latex.bib.library import Library
    from texgeist_latex.bib.pasted import PaperId

log = logging.getLogger(__name__)
LISTED_S = 600.0  # after which the papers are listed anew
_IN_A_CITATION = re.compile(r"[\w./:-]+")  # ids that stand among keys without harm


class OwnLibrary:
    """On the event loop alone. `papers` is replaced whole and may be handed to other threads; None while nothing
    is listed. The keys of its entries are the ids by which `addEntry` finds the paper."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.papers: Library | None = None
        self._listed = 0.0
        self._place = ""
        self._task: asyncio.Task[None] | None = None

    def want(self) -> bool:
        """Has the papers listed for the next time, where they are not, or not lately. Whether there are any."""
        settings, keys = self._configuration.settings, self._configuration.keys
        place = index_place(settings, keys)
        if place.location != self._place:
            self.papers, self._place, self._listed = None, place.location, 0.0
        if not self._configuration.trusted or not place.on_this_disk:
            return False
        lately = self._listed and time.monotonic() - self._listed < LISTED_S
        if not lately and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._list(place.location))
        return self.papers is not None or bool(self._task and not self._task.done())

    async def _list(self, location: str) -> None:
        self._listed = time.monotonic()
        try:
            found = await self._tasks.do("list_papers", {}, lambda *_: None)
        except ServerError as error:
            log.info("no papers from the library: %s", error)
            return
        papers = await asyncio.to_thread(library_of, found["papers"])
        if location == self._place:
            self.papers = papers


def _found_again(read: PaperId | None, id: str) -> bool:
    """Whether `addEntry` comes to the paper by its id."""
    return read is not None and id == (read.id if read.kind == "arxiv" else f"doi:{read.id}")


def library_of(papers: Sequence[Sequence[str]]) -> Library:
    """The papers, each `[id, title, authors, year]`, as a bibliography is looked up."""
    from texgeist_latex.bib.index import BibIndex
    from texgeist_latex.bib.library import Library
    from texgeist_latex.bib.pasted import paper_id

    nowhere = Span(Path(), 0, 0)
    entries = [
        BibEntry(
            id.removeprefix("doi:"), "misc", {"title": title, "author": authors, "year": year}, nowhere, 0
        )
        for id, title, authors, year in papers
        if _IN_A_CITATION.fullmatch(id) and _found_again(paper_id(id.removeprefix("doi:")), id)
    ]
    made = BibIndex(Bibliography(Path(), tuple(entries)))
    made.prepare()
    return Library([made])
