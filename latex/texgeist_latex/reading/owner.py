"""What belongs to one thread says so itself, to whoever else touches it."""

from __future__ import annotations

import threading

from ..errors import WrongThread


class OneThread:
    """`with` it around what only the thread that made it may do; a mistake is an error then, not a race."""

    def __init__(self) -> None:
        self._owner = threading.current_thread()

    def __enter__(self) -> None:
        if threading.current_thread() is not self._owner:
            raise WrongThread(self._owner.name)

    def __exit__(self, *_: object) -> None:
        """Nothing was taken."""
