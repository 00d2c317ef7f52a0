"""How others describe a cited paper, for its hover: sentences of full papers of the index on this machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..index_places import Place
from .found_in_index import FoundInIndex

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


class Described(FoundInIndex[Mapping[str, Any], Said]):
    """By `name_of`."""

    nothing = ()

    def want(self, work: Mapping[str, Any] | None) -> None:
        """Has the paper looked for in others, for the next time; None is none."""
        if work is None:
            self._of_this_index()
        else:
            self._want(name_of(work), work)

    def _there(self, place: Place) -> bool:
        from ..passage_library import last_snapshot

        return place.on_this_disk and last_snapshot(self._configuration.settings, place).exists()

    async def _look_up(self, asked: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Said]:
        said: Mapping[str, Said] = (
            await self._tasks.do("describe", {"works": dict(asked)}, lambda *_: None)
        )["said"]
        return said
