"""How others describe a cited paper, for its hover: sentences of full papers of the index on this machine.

As with abstracts, a hover waits for nothing: the first one on a paper has the worker look, and the next one tells."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import ServerError
from ..index_places import index_place
from .configuration import Configuration
from .tasks import Tasks

log = logging.getLogger(__name__)
MOST = 5000
Said = Sequence[Mapping[str, Any]]


def work_of(paper: Mapping[str, Any]) -> dict[str, Any]:
    """What a paper is known by to others, of a record or an entry: `{title, authors, year}`."""
    year = str(paper.get("year") or "")[:4]
    authors = [str(name) for name in paper.get("authors") or () if str(name).lower() != "others"]
    return {
        "title": str(paper.get("title") or ""),
        "authors": authors,
        "year": int(year) if year.isdecimal() else None,
    }


def name_of(work: Mapping[str, Any]) -> str:
    return f"{' '.join(str(work['title']).lower().split())} {work['year']}"


class Described:
    """On the event loop alone; `said`, by `name_of`, is replaced whole and may be handed to other threads."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.said: Mapping[str, Said] = {}
        self._asked: dict[str, Mapping[str, Any]] = {}
        self._place = ""
        self._task: asyncio.Task[None] | None = None

    def want(self, work: Mapping[str, Any] | None) -> None:
        """Has the paper looked for in others, for the next time."""
        place = index_place(self._configuration.settings, self._configuration.keys)
        if place.location != self._place:
            self.said, self._place = {}, place.location
        if work is None or (name := name_of(work)) in self.said or len(self.said) >= MOST:
            return
        self._asked[name] = work
        if self._configuration.trusted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        from ..passage_library import last_snapshot

        asked, self._asked = self._asked, {}
        settings = self._configuration.settings
        place = index_place(settings, self._configuration.keys)
        if place.remote or not Path(place.location).exists() or not last_snapshot(settings, place).exists():
            return  # asked for anew by the next hover: a search may have made a snapshot by then
        self.said = {**self.said, **dict.fromkeys(asked, ())}
        found: Mapping[str, Said] | None = None
        try:
            found = (await self._tasks.do("describe", {"works": asked}, lambda *_: None))["said"]
        except ServerError as error:
            log.info("nothing from other papers: %s", error)
        if found is None or place.location != self._place:  # failed, or another index was chosen meanwhile
            self.said = {name: said for name, said in self.said.items() if name not in asked}
        else:
            self.said = {**self.said, **found}
