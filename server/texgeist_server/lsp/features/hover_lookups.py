"""Looks up abstracts of papers in the local index, and how other papers describe them, for hovers.

A hover must not wait for the index. The first hover on a paper starts a lookup in the worker; the next hover
shows its result.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence

from texgeist_latex.types import BibEntry
from texgeist_retrieval.types import CitedPaper, Description

from ...errors import ServerError
from ...index_places import Place, index_place
from ...worker import requests
from ..connection.configuration import Configuration
from ..hover_text import PaperFacts
from ..jobs.jobs import Tasks

log = logging.getLogger(__name__)
MOST = 5000  # papers kept in memory
Descriptions = Sequence[Description]  # sentences of other papers


def paper_of(entry: BibEntry) -> str:
    """The paper's id in an index; "" if it has none."""
    from texgeist_latex.bib.identity import arxiv_id_of, doi_of

    doi = doi_of(entry)
    return arxiv_id_of(entry) or (f"doi:{doi}" if doi else "")


def work_of(paper: PaperFacts) -> CitedPaper:
    """The title, authors and year by which other papers identify this paper."""
    year = paper.year[:4]
    return CitedPaper(paper.title, paper.authors, int(year) if year.isdecimal() else None)


def name_of(work: CitedPaper) -> str:
    return f"{' '.join(work.title.lower().split())} {work.year}"


class Lookups:
    """Used only on the event loop. `abstracts`, by paper id, and `descriptions`, by `name_of`, belong to the
    current index. They are replaced as a whole and may be given to other threads. After a failure the paper
    is looked up again."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.abstracts: Mapping[str, str] = {}
        self.descriptions: Mapping[str, Descriptions] = {}
        self._papers: set[str] = set()
        self._works: dict[str, CitedPaper] = {}
        self._place: Place | None = None
        self._chosen_by: tuple[object, object] = (
            None,
            None,
        )  # the settings and keys from which `_place` was made
        self._task: asyncio.Task[None] | None = None

    def want(self, paper: str, work: CitedPaper | None) -> None:
        """Starts to look up the abstract of `paper` and the descriptions of `work`, for the next hover. ""
        and None are skipped."""
        self._index_now()
        if paper and paper not in self.abstracts and len(self.abstracts) < MOST:
            self._papers.add(paper)
        if work and name_of(work) not in self.descriptions and len(self.descriptions) < MOST:
            self._works[name_of(work)] = work
        waiting = self._papers or self._works
        if waiting and self._configuration.trusted and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._look())

    def _index_now(self) -> Place:
        settings, keys = self._configuration.settings, self._configuration.keys
        if self._place is None or self._chosen_by[0] is not settings or self._chosen_by[1] is not keys:
            place = index_place(settings, keys)
            if self._place is None or place.location != self._place.location:
                self.abstracts, self.descriptions = {}, {}
            self._place, self._chosen_by = place, (settings, keys)
        return self._place

    async def _look(self) -> None:
        """Looks up abstracts and descriptions separately, because an index may have only one of them."""
        place, papers, works = self._index_now(), self._papers, self._works
        self._papers, self._works = set(), {}
        if papers and place.on_this_disk:
            with _said_in_the_log():
                found = await self._tasks.do(requests.Abstracts(tuple(sorted(papers))))
                if place == self._place:  # unless the index was changed meanwhile
                    self.abstracts = {**self.abstracts, **dict.fromkeys(papers, ""), **found}
        if works and place.on_this_disk and self._has_full_papers(place):
            with _said_in_the_log():
                said = await self._tasks.do(requests.Descriptions(works))
                if place == self._place:
                    self.descriptions = {**self.descriptions, **dict.fromkeys(works, ()), **said}

    def _has_full_papers(self, place: Place) -> bool:
        from ...passage_library import last_snapshot

        return last_snapshot(self._configuration.settings, place).exists()


@contextlib.contextmanager
def _said_in_the_log() -> Iterator[None]:
    try:
        yield
    except ServerError as error:
        log.info("nothing from the index: %s", error)
