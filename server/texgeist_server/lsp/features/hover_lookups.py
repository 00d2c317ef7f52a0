"""What the index on this machine knows of the papers in hovers: abstracts, and how other papers describe them.

A hover must not wait for the index. The first hover on a paper shows what is known and has the worker look it up
in the background; the next hover shows the rest."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from texgeist_latex.types import BibEntry
from texgeist_retrieval.types import CitedPaper, Description

from ...errors import ServerError
from ...index_places import Place, index_place
from ...worker import requests
from ..connection.configuration import Configuration
from ..jobs.jobs import Tasks

if TYPE_CHECKING:
    from ...config.credentials import Keys
    from ...config.settings import Settings

log = logging.getLogger(__name__)
MOST = 5000  # papers that are remembered
Asked = TypeVar("Asked")
Found = TypeVar("Found")


class FoundInIndex(ABC, Generic[Asked, Found]):
    """On the event loop alone; `found`, by name, is replaced whole and may be handed to other threads. It is of the
    index that is chosen now; after a failure a paper is asked for again."""

    nothing: Found  # stands for a paper that the index says nothing of

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.found: Mapping[str, Found] = {}
        self._asked: dict[str, Asked] = {}
        self._place: Place | None = None
        self._chosen_by: tuple[Settings, Keys] | None = None  # what `_place` follows from
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def _look_up(self, asked: Mapping[str, Asked]) -> Mapping[str, Found]:
        """By name. Raises the `ServerError`s."""

    def _there(self, place: Place) -> bool:
        """Whether looking may find anything; False is forgotten, since an index may be made meanwhile."""
        return place.on_this_disk

    def _of_this_index(self) -> Place:
        settings, keys = self._configuration.settings, self._configuration.keys
        known = self._chosen_by
        if self._place is None or known is None or known[0] is not settings or known[1] is not keys:
            place = index_place(settings, keys)
            if self._place is None or place.location != self._place.location:
                self.found = {}
            self._place, self._chosen_by = place, (settings, keys)
        return self._place

    def _want(self, name: str, asked: Asked) -> None:
        """Has it looked up for the next time."""
        self._of_this_index()
        if name in self.found or len(self.found) >= MOST:
            return
        self._asked[name] = asked
        if self._configuration.trusted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        asked, self._asked = self._asked, {}
        place = self._of_this_index()
        if not self._there(place):
            return
        self.found = {**self.found, **dict.fromkeys(asked, self.nothing)}
        found: Mapping[str, Found] | None = None
        try:
            found = await self._look_up(asked)
        except ServerError as error:
            log.info("nothing from the index: %s", error)
        if found is None or place != self._place:  # failed, or another index was chosen meanwhile
            self.found = {name: one for name, one in self.found.items() if name not in asked}
        else:
            self.found = {**self.found, **found}


def paper_of(entry: BibEntry) -> str:
    """The id that an index would know the paper by, "" for none."""
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of

    doi = doi_of(entry)
    return arxiv_id_of(entry) or (f"doi:{doi}" if doi else "")


class Abstracts(FoundInIndex[None, str]):
    """By paper id; "" where the index does not hold the paper."""

    nothing = ""

    def want(self, id: str) -> None:
        """Has the paper looked up for the next time; "" is none."""
        if id:
            self._want(id, None)

    async def _look_up(self, asked: Mapping[str, None]) -> Mapping[str, str]:
        return await self._tasks.do(requests.Abstracts(tuple(sorted(asked))))


Said = Sequence[Description]


def work_of(paper: Mapping[str, Any]) -> CitedPaper:
    """What a paper is known by to others, of a record or an entry."""
    year = str(paper.get("year") or "")[:4]
    authors = tuple(str(name) for name in paper.get("authors") or () if str(name).lower() != "others")
    return CitedPaper(str(paper.get("title") or ""), authors, int(year) if year.isdecimal() else None)


def name_of(work: CitedPaper) -> str:
    return f"{' '.join(work.title.lower().split())} {work.year}"


class Described(FoundInIndex[CitedPaper, Said]):
    """By `name_of`."""

    nothing = ()

    def want(self, work: CitedPaper | None) -> None:
        """Has the paper looked for in others, for the next time; None is none."""
        if work is None:
            self._of_this_index()
        else:
            self._want(name_of(work), work)

    def _there(self, place: Place) -> bool:
        from ...passage_library import last_snapshot

        return place.on_this_disk and last_snapshot(self._configuration.settings, place).exists()

    async def _look_up(self, asked: Mapping[str, CitedPaper]) -> Mapping[str, Said]:
        return await self._tasks.do(requests.Descriptions(dict(asked)))
