"""Processor time for tests of how a cost grows: the least of a few runs, which a busy machine does not double."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def seconds(run: Callable[[T], object], given: T) -> float:
    """The least processor time of three runs, in seconds."""
    taken = []
    for _ in range(3):
        begun = time.process_time()
        run(given)
        taken.append(time.process_time() - begun)
    return min(taken)
