"""What the worker finds of papers in the index on this machine, for what may not wait for it.

The first hover on a paper shows what is at hand and has the worker look behind it; the next one tells."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

from ..errors import ServerError
from ..index_places import Place, index_place
from .configuration import Configuration
from .tasks import Tasks

if TYPE_CHECKING:
    from ..config.credentials import Keys
    from ..config.settings import Settings

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
