"""What OpenAlex or Crossref has on words, or under a filter of theirs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...bibliography_checks.chosen_registries import client_of
from ...config.sites import crossref_address, openalex_address
from .asked import Asked

if TYPE_CHECKING:
    from texgeist_retrieval.sources.crossref import CrossrefQuery
    from texgeist_retrieval.sources.openalex import OpenAlexQuery

OPENALEX = re.compile(r"openalex:(?=\s*\S)\s*", re.IGNORECASE)
CROSSREF = re.compile(r"crossref:(?=\s*\S)\s*", re.IGNORECASE)


def open_openalex(asked: Asked) -> OpenAlexQuery:
    from texgeist_retrieval.sources import openalex
    from texgeist_retrieval.sources.openalex import OpenAlexQuery

    address = openalex_address()
    client = client_of(openalex.SITE, address, openalex.PAUSE_S)
    return OpenAlexQuery(client, address, asked.text, asked.since, asked.monitor)


def open_crossref(asked: Asked) -> CrossrefQuery:
    from texgeist_retrieval.sources import crossref
    from texgeist_retrieval.sources.crossref import CrossrefQuery

    address = crossref_address()
    client = client_of(crossref.SITE, address, crossref.PAUSE_S)
    return CrossrefQuery(client, address, asked.text, asked.since, asked.monitor)
