"""Abstracts from the index on this machine, for hovers on citations that the author wrote.

A hover may not wait for the index, so the first one on a paper shows its bibliography entry alone and
asks the worker behind it; the next one has the abstract."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import TYPE_CHECKING

from ..adapters import index_place
from ..errors import ServerError

if TYPE_CHECKING:
    from texgeist_latex.types import BibEntry

    from .session import Session

log = logging.getLogger(__name__)
MOST = 5000


class Abstracts:
    """By paper id; "" where the index does not hold the paper."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._asked: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    def of(self, entry: BibEntry) -> str:
        """The abstract if it is known already; else it is remembered as wanted. On the reading thread."""
        from texgeist_latex.bib.identity import arxiv_id_of, doi_of

        doi = doi_of(entry)
        id = arxiv_id_of(entry) or (f"doi:{doi}" if doi else "")
        if id and id not in self._known and len(self._known) < MOST:
            self._asked.add(id)
        return self._known.get(id, "")

    def wanted(self, session: Session) -> None:
        """Asks the worker for what was wanted, unless it is being asked. On the event loop."""
        if self._asked and session.trusted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._look_up(session))

    async def _look_up(self, session: Session) -> None:
        ids = sorted(self._asked)
        self._asked.difference_update(ids)
        self._known.update(dict.fromkeys(ids, ""))
        place = index_place(session.settings, session.keys)
        if place.remote or not Path(place.location).exists():
            return
        try:
            found = await session.work("look_up", {"ids": ids}, lambda *_: None)
            self._known.update(found["papers"])
        except ServerError as error:
            log.info("no abstracts from the index: %s", error)
