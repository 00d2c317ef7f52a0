"""Abstracts from the index on this machine, for hovers on citations that the author wrote."""

from __future__ import annotations

from collections.abc import Mapping

from texgeist_latex.types import BibEntry

from .found_in_index import FoundInIndex


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
        papers: Mapping[str, str] = (
            await self._tasks.do("look_up", {"ids": sorted(asked)}, lambda *_: None)
        )["papers"]
        return papers
