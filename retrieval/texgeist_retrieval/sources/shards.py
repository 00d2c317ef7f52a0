"""Divides a source among machines. The id of a record determines its shard, so that no two machines embed the
same paper, and the machines need not communicate."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from zlib import crc32

from ..errors import NoSource
from .records import Record, RecordSource, UnreadableRecord

MOST = 4096


@dataclass(frozen=True, slots=True)
class Shard:
    """One of `of` parts of a source; `number` counts from 1."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Shard:
        """Reads "3/16". Raises `NoSource` for anything else."""
        match = re.fullmatch(r"(\d{1,4})/(\d{1,4})", text.strip())
        number, of = map(int, match.groups()) if match else (0, 0)
        if not 1 <= number <= of <= MOST:
            raise NoSource(
                f"{text} is no shard.", f"A shard is 3/16: the third of sixteen, of {MOST:,} at most."
            )
        return cls(number, of)

    def holds(self, id_: str) -> bool:
        return crc32(id_.encode("utf-8", "replace")) % self.of == self.number - 1

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"


def split_run(text: str) -> tuple[str, str]:
    """Splits the text that is recorded after a run into the source and its shard, which is "" for the whole
    source."""
    match = re.fullmatch(r"(.+) (\d{1,4}/\d{1,4})", text, re.DOTALL)
    return (match[1], match[2]) if match else (text, "")


class Sharded:
    """The records of a source that belong to a shard. Unreadable records are reported by the first shard."""

    def __init__(self, source: RecordSource, shard: Shard) -> None:
        self._source, self._shard = source, shard

    @property
    def position(self) -> int:
        return self._source.position

    @property
    def size(self) -> int | None:
        return self._source.size

    @property
    def until(self) -> str:
        """The date up to which the source was read, "" if unknown."""
        return str(getattr(self._source, "until", ""))

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        for item in self._source:
            mine = self._shard.holds(item.paper.id) if isinstance(item, Record) else self._shard.number == 1
            if mine:
                yield item
