"""Opens literature services by name."""

from __future__ import annotations

from ..addresses import is_loopback
from ..sources import arxiv, crossref, openalex
from ..sources.client import Site, SourceClient
from ..sources.pacing import Pacing, queue_of
from ..types import ServiceName
from . import semanticscholar
from .openalex import OpenAlex
from .search_only import Arxiv, Crossref
from .semanticscholar import SemanticScholar
from .service import LiteratureService

ANSWER_S, SILENCE_S = 12.0, 6.0  # longest time for an answer, and longest pause within an answer
ARXIV_PAUSE_S = 3.0


def open_service(name: ServiceName, address: str = "", key: str = "") -> LiteratureService:
    """`address`: "" for the public service; requests to a server on this machine are sent without pauses.
    `key`: the user's key for OpenAlex or Semantic Scholar."""
    if name == "openalex":
        return OpenAlex(_client(openalex.SITE, address or openalex.ADDRESS, openalex.PAUSE_S), address, key)
    if name == "semanticscholar":
        at = address or semanticscholar.ADDRESS
        client = _client(semanticscholar.SITE, at, semanticscholar.PAUSE_S, key)
        return SemanticScholar(client, address)
    if name == "arxiv":
        return Arxiv(_client(arxiv.REGISTRY, address or arxiv.API_ADDRESS, ARXIV_PAUSE_S), address)
    return Crossref(_client(crossref.SITE, address or crossref.ADDRESS, crossref.PAUSE_S), address)


def _client(site: Site, address: str, pause_s: float, key: str = "") -> SourceClient:
    pacing = Pacing(0.0 if is_loopback(address) else pause_s, queue_of(address, site.domains))
    headers = {"x-api-key": key} if key else {}
    return SourceClient(site, pacing, ANSWER_S, SILENCE_S, headers)
