"""All that is new on arXiv, and queries in arXiv's own language, over the network."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...config.sites import arxiv_address, arxiv_pause
from .asked import Asked

if TYPE_CHECKING:
    from texgeist_retrieval.sources.arxiv import ApiQuery
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.oai import OaiHarvest

HARVEST = re.compile(r"oai(?=:[\w:.-]*$|$):?", re.IGNORECASE)
QUERY = re.compile(r"api:|(?=(?:cat|ti|au|abs|all|co|jr|rn|submittedDate):)", re.IGNORECASE)


def open_harvest(asked: Asked) -> OaiHarvest:
    from texgeist_retrieval.addresses import host_of, lies_in
    from texgeist_retrieval.sources.arxiv import ARXIV
    from texgeist_retrieval.sources.oai import OaiHarvest

    mirror = arxiv_address().rstrip("/")
    arxivs = any(lies_in(host_of(mirror), domain) for domain in ARXIV.domains)
    address = "" if arxivs else f"{mirror}/oai"
    return OaiHarvest(_client(), address, asked.text, asked.since, asked.monitor)


def open_query(asked: Asked) -> ApiQuery:
    from texgeist_retrieval.sources.arxiv import ApiQuery

    return ApiQuery(_client(), asked.text, arxiv_address(), asked.since, asked.monitor)


def _client() -> SourceClient:
    from texgeist_retrieval.sources.arxiv import ARXIV
    from texgeist_retrieval.sources.client import SourceClient
    from texgeist_retrieval.sources.pacing import Pacing, queue_of

    pacing = Pacing(arxiv_pause(), queue_of(arxiv_address(), ARXIV.domains))
    return SourceClient(ARXIV, pacing, total_s=600.0, silence_s=60.0)
