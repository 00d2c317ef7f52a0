"""What went wrong last, for the editor's status bar, and when the editor is to be told again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

_EVERY = 0.05  # seconds between two tellings, at least


class Status:
    """On the event loop alone. `tell` tells the editor, whenever something has changed."""

    def __init__(self) -> None:
        self.problem = ""  # what went wrong last, in words
        self.offline = ""  # what could not be reached last, in words
        self.tell: Callable[[], None] = lambda: None
        self._due: asyncio.TimerHandle | None = None

    def changed(self) -> None:
        if self._due is None:
            self._due = asyncio.get_running_loop().call_later(_EVERY, self._tell)

    def _tell(self) -> None:
        self._due = None
        self.tell()
