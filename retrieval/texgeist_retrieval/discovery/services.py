"""Opens literature services by name. Also here: arXiv and Crossref as literature services, without citations;
arXiv is searched with words and titles, Crossref with words.

Formats: https://info.arxiv.org/help/api/user-manual.html and https://api.crossref.org/swagger-ui/index.html.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice

from ..addresses import is_loopback
from ..sources import arxiv, crossref, openalex
from ..sources.arxiv import API_ADDRESS, ArxivWorks
from ..sources.client import Site, SourceClient
from ..sources.crossref import ADDRESS, parse_works
from ..sources.pacing import Pacing, queue_of
from ..sources.registered import Registered
from ..types import DiscoveryRequest, ServiceName
from . import semanticscholar
from .asking import Endpoint, Run, ServiceWork, remembered
from .openalex import OpenAlex
from .semanticscholar import SemanticScholar
from .service import MOST_TERMS, LiteratureService, ServiceFinds, search_all, terms, titled_works

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


PAGE = 100


class Arxiv:
    name = "arXiv"
    searches = 2  # arXiv wants three seconds between requests

    def __init__(self, client: SourceClient, address: str = "") -> None:
        self._works, self._address = ArxivWorks(client, address), (address or API_ADDRESS).rstrip("/")

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        search_all(self, request, run, finds)
        if request.titles:
            finds.add("title", titled_works(finds.attempt(self._titled, request.titles, run), request))

    def _titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        def ask() -> list[Registered]:
            return [work for works in self._works.titled(titles, run.monitor).values() for work in works]

        return self._remembered(run, f"titles {titles}", ask)

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        if not (words := terms(text, MOST_TERMS)):
            return []
        query = " OR ".join(f"all:{word}" for word in words)
        if until:
            query = f"({query}) AND submittedDate:[199001010000 TO {until.replace('-', '')}2359]"
        return self._remembered(run, query, lambda: self._works.search(run.monitor, PAGE, query=query))

    def _remembered(self, run: Run, asked: str, ask: Callable[[], Iterable[Registered]]) -> list[ServiceWork]:
        def works() -> list[ServiceWork]:
            return [ServiceWork(work.paper.id, work.paper, gone=work.gone) for work in ask()]

        return remembered(run, f"{self._address} {asked}", works)

    def close(self) -> None:
        self._works.close()


class Crossref:
    name = "Crossref"
    searches = 2

    def __init__(self, client: SourceClient, address: str = "") -> None:
        self._works = Endpoint(client, (address or ADDRESS).rstrip("/"), {})

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        search_all(self, request, run, finds)

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        words = " ".join(terms(text, MOST_TERMS))
        dates = f",until-pub-date:{until}" if until else ""
        parameters = {"query": words, "filter": f"has-abstract:true{dates}", "rows": str(PAGE // 2)}
        return self._works.works(run, "works", parameters, _parse) if words else []

    def close(self) -> None:
        self._works.client.close()


def _parse(body: bytes) -> list[ServiceWork]:
    works = islice(parse_works(body), PAGE)
    return [ServiceWork(work.paper.doi, work.paper, gone=work.gone) for work in works]
