"""What stands where in one file: scanned once and looked up by place, however many stretches of it are read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate

from ..tex.scan import Item, scan
from ..types import Span


class Places:
    """The commands of one text. Looking up costs what is found, and not the length of the file."""

    def __init__(self, text: str) -> None:
        self.scan = scan(text)
        self.dead = covering(self.scan.dead)
        self._starts = [item.start for item in self.scan.items]

    def items(self, start: int, end: int | None = None) -> Iterator[Item]:
        """Those that begin from `start` on and before `end`, in order."""
        items = self.scan.items
        last = len(items) if end is None else bisect_left(self._starts, end)
        return (items[n] for n in range(bisect_left(self._starts, start), last))

    def others(self, names: Iterable[str], span: Span) -> list[int]:
        """Where commands that the scan knows by their names alone stand in `span`."""
        found: list[int] = []
        for name in names:
            every = self.scan.others.get(name, [])
            found += every[bisect_left(every, span.start) : bisect_left(every, span.end)]
        return sorted(found)


def covering(spans: Iterable[tuple[int, int]]) -> Callable[[int], bool]:
    """Whether a place lies in one of the spans: by their order, since there may be a hundred thousand."""
    ordered = sorted(spans)
    starts = [low for low, _ in ordered]
    ends = list(accumulate((high for _, high in ordered), max))

    def covers(place: int) -> bool:
        before = bisect_right(starts, place)
        return before > 0 and place < ends[before - 1]

    return covers
