"""Abstracts from the index on this machine, for hovers on citations that the author wrote.

A hover may not wait for the index, so the first one on a paper shows its bibliography entry alone and
asks the worker behind it; the next one has the abstract."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path

from texgeist_latex.types import BibEntry

from ..errors import ServerError
from ..index_places import index_place
from .configuration import Configuration
from .tasks import Tasks

log = logging.getLogger(__name__)
MOST = 5000


def paper_of(entry: BibEntry) -> str:
    """The id that an index would know the paper by, "" for none."""
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of

    doi = doi_of(entry)
    return arxiv_id_of(entry) or (f"doi:{doi}" if doi else "")


class Abstracts:
    """On the event loop alone; `known`, by paper id, is replaced whole and may be handed to other threads."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.known: Mapping[str, str] = {}  # "" where the index does not hold the paper
        self._asked: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def want(self, id: str) -> None:
        """Has the paper looked up for the next time."""
        if not id or id in self.known or len(self.known) >= MOST:
            return
        self._asked.add(id)
        if self._configuration.trusted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._look_up())

    async def _look_up(self) -> None:
        ids = sorted(self._asked)
        self._asked.difference_update(ids)
        self.known = {**self.known, **dict.fromkeys(ids, "")}
        place = index_place(self._configuration.settings, self._configuration.keys)
        if place.remote or not Path(place.location).exists():
            return
        try:
            found = await self._tasks.do("look_up", {"ids": ids}, lambda *_: None)
            self.known = {**self.known, **found["papers"]}
        except ServerError as error:
            log.info("no abstracts from the index: %s", error)
