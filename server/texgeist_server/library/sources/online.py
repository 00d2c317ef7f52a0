"""Papers from the network: new papers of arXiv; queries to arXiv, OpenAlex and Crossref; and arXiv papers by
id with their full texts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from texgeist_retrieval.errors import MetadataIncomplete, NoSource, PaperUnreadable
from texgeist_retrieval.sources.arxiv import split_id
from texgeist_retrieval.sources.records import Record, UnreadableRecord
from texgeist_retrieval.types.papers import ARXIV_FORM

from ...bibliography_checks.registries import client_of
from ...config.storage import arxiv_pause, service_address
from . import SourceRequest

if TYPE_CHECKING:
    from texgeist_retrieval.fulltext.arxiv import ArxivSource
    from texgeist_retrieval.sources.arxiv import ApiQuery
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.crossref import CrossrefQuery
    from texgeist_retrieval.sources.oai import OaiHarvest
    from texgeist_retrieval.sources.openalex import OpenAlexQuery

HARVEST = re.compile(r"oai(?=:[\w:.-]*$|$):?", re.IGNORECASE)
QUERY = re.compile(r"api:|(?=(?:cat|ti|au|abs|all|co|jr|rn|submittedDate):)", re.IGNORECASE)


def open_harvest(asked: SourceRequest) -> OaiHarvest:
    from texgeist_retrieval.addresses import host_of, lies_in
    from texgeist_retrieval.sources.arxiv import ARXIV
    from texgeist_retrieval.sources.oai import OaiHarvest

    mirror = service_address("arxiv")
    arxivs = any(lies_in(host_of(mirror), domain) for domain in ARXIV.domains)
    address = "" if arxivs else mirror
    return OaiHarvest(_client(), address, asked.text, asked.since, asked.monitor)


def open_query(asked: SourceRequest) -> ApiQuery:
    from texgeist_retrieval.sources.arxiv import ApiQuery

    return ApiQuery(_client(), service_address("arxiv"), asked.text, asked.since, asked.monitor)


def _client() -> SourceClient:
    from texgeist_retrieval.sources.arxiv import ARXIV
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.pacing import Pacing, queue_of

    pacing = Pacing(arxiv_pause(), queue_of(service_address("arxiv"), ARXIV.domains))
    return SourceClient(ARXIV, pacing, total_s=600.0, silence_s=60.0)


OPENALEX = re.compile(r"openalex:(?=\s*\S)\s*", re.IGNORECASE)
CROSSREF = re.compile(r"crossref:(?=\s*\S)\s*", re.IGNORECASE)


def open_openalex(asked: SourceRequest) -> OpenAlexQuery:
    from texgeist_retrieval.sources import openalex
    from texgeist_retrieval.sources.openalex import OpenAlexQuery

    address = service_address("openalex")
    client = client_of(openalex.SITE, address, openalex.PAUSE_S)
    return OpenAlexQuery(client, address, asked.text, asked.since, asked.monitor)


def open_crossref(asked: SourceRequest) -> CrossrefQuery:
    from texgeist_retrieval.sources import crossref
    from texgeist_retrieval.sources.crossref import CrossrefQuery

    address = service_address("crossref")
    client = client_of(crossref.SITE, address, crossref.PAUSE_S)
    return CrossrefQuery(client, address, asked.text, asked.since, asked.monitor)


_ONE = rf"(?:arxiv:\s*)?{ARXIV_FORM}(?:v\d{{1,4}})?"
IDS = re.compile(rf"(?=(?:{_ONE})(?:\s*[,;\s]\s*{_ONE})*\s*$)", re.IGNORECASE)
MOST = 200  # ids in a call; takes ten minutes


def open_papers(asked: SourceRequest) -> ArxivPapers:
    from texgeist_retrieval.fulltext.arxiv import ArxivSource

    from ...config import storage

    ids = list(dict.fromkeys(re.findall(_ONE, asked.text, re.IGNORECASE)))
    if len(ids) > MOST:
        raise NoSource(
            f"These are {len(ids)} ids.", f"Name at most {MOST} at a time: each PDF is asked for by itself."
        )
    source = ArxivSource(
        base_url=service_address("arxiv"),
        cache=storage.cache_folder(),
        gate_seconds=arxiv_pause(),
    )
    return ArxivPapers(ids, source, asked)


class ArxivPapers:
    """Papers of arXiv by id. If a PDF cannot be fetched, the paper is added with its abstract, and a note
    says so."""

    def __init__(self, ids: list[str], source: ArxivSource, asked: SourceRequest) -> None:
        self._ids = ids
        self._source = source
        self._monitor = asked.monitor
        self.position = 0
        self.size: int | None = len(ids)

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        try:
            self._monitor.report("Asking arXiv")
            try:
                known = self._source.metadata(self._ids, self._monitor)
            except MetadataIncomplete as error:
                known = dict(error.known)
            for self.position, id_ in enumerate(self._ids, 1):  # noqa: B020
                if id_ not in known:
                    yield UnreadableRecord(id_, "arXiv has no paper of this id, or did not answer.")
                    continue
                paper = known[id_]
                split = split_id(id_)
                wanted = replace(paper, version=split[1]) if split and split[1] else paper
                self._monitor.report(f"Reading {id_}")
                try:
                    yield Record(paper, sections=self._source.sections(wanted, self._monitor))
                except PaperUnreadable as error:
                    yield UnreadableRecord(id_, f"{error} Only its abstract was added.")
                    yield Record(paper)
        finally:
            self._source.close()
