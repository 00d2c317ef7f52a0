"""Papers of arXiv by their ids, each with its full text from its PDF: one polite request at a time, all of it kept."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import MetadataIncomplete, NoSource, PaperUnreadable
from texgeist_retrieval.sources.arxiv import split_id
from texgeist_retrieval.sources.records import Record, Unreadable
from texgeist_retrieval.types.papers import ARXIV_FORM

from ...config.sites import arxiv_address, arxiv_pause
from .asked import Asked

if TYPE_CHECKING:
    from texgeist_retrieval.fulltext.arxiv import ArxivSource

_ONE = rf"(?:arxiv:\s*)?{ARXIV_FORM}(?:v\d{{1,4}})?"
IDS = re.compile(rf"(?=(?:{_ONE})(?:\s*[,;\s]\s*{_ONE})*\s*$)", re.IGNORECASE)
MOST = 200  # of one call: ten minutes of asking


def open_papers(asked: Asked) -> ArxivPapers:
    from texgeist_retrieval.fulltext.arxiv import ArxivSource

    from ...config import storage
    from ...config.user_file import data_of

    ids = list(dict.fromkeys(re.findall(_ONE, asked.text, re.IGNORECASE)))
    if len(ids) > MOST:
        raise NoSource(
            f"These are {len(ids)} ids.", f"Name at most {MOST} at a time: each PDF is asked for by itself."
        )
    source = ArxivSource(
        base_url=arxiv_address(),
        cache=storage.cache_folder(data_of(asked.settings)),
        gate_seconds=arxiv_pause(),
    )
    return ArxivPapers(ids, source, asked)


class ArxivPapers:
    """A paper whose PDF cannot be had goes in by its abstract, and that is told."""

    def __init__(self, ids: list[str], source: ArxivSource, asked: Asked) -> None:
        self._ids = ids
        self._source = source
        self._monitor = asked.monitor
        self.position = 0
        self.size: int | None = len(ids)

    def __iter__(self) -> Iterator[Record | Unreadable]:
        try:
            self._monitor.report("Asking arXiv")
            try:
                known = self._source.metadata(self._ids, self._monitor)
            except MetadataIncomplete as error:
                known = dict(error.known)
            for self.position, id_ in enumerate(self._ids, 1):  # noqa: B020
                if id_ not in known:
                    yield Unreadable(id_, "arXiv has no paper of this id, or did not answer.")
                    continue
                paper = known[id_]
                split = split_id(id_)
                wanted = replace(paper, version=split[1]) if split and split[1] else paper
                self._monitor.report(f"Reading {id_}")
                try:
                    yield Record(paper, sections=self._source.sections(wanted, self._monitor))
                except PaperUnreadable as error:
                    yield Unreadable(id_, f"{error} It goes in by its abstract.")
                    yield Record(paper)
        finally:
            self._source.close()
