"""arXiv and Crossref in discovery: both are searched with words, arXiv also by titles; neither has citations here.

Formats: https://info.arxiv.org/help/api/user-manual.html and https://api.crossref.org/swagger-ui/index.html."""

from __future__ import annotations

from collections.abc import Sequence

from ..sources.arxiv import API_ADDRESS, ArxivApi, ArxivWorks
from ..sources.client import SourceClient
from ..sources.crossref import ADDRESS, read_work
from ..sources.records import is_withdrawn
from ..sources.registered import dig, works_in
from ..types import DiscoveryRequest
from .asking import Endpoint, Run, ServiceWork, count_of, remembered
from .service import MOST_TERMS, ServiceFinds, search_all, terms, titled_works

MOST_TEXTS = 2  # queries; arXiv wants three seconds between requests
PAGE = 100


class Arxiv:
    name = "arXiv"

    def __init__(self, client: SourceClient, address: str = "") -> None:
        self._client, self._address = client, (address or API_ADDRESS).rstrip("/")

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        search_all(self, request, run, finds, MOST_TEXTS)
        if request.titles:
            finds.add("title", titled_works(finds.attempt(self._titled, request.titles, run), request))

    def _titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        works = ArxivWorks(self._client, self._address)

        def ask() -> list[ServiceWork]:
            answers = works.titled(titles, run.monitor).values()
            answered = (work for answer in answers for work in answer)
            return [ServiceWork(work.paper.id, work.paper, gone=bool(work.notices)) for work in answered]

        return remembered(run, f"{self._address} titles {titles}", ask)

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        if not (words := terms(text, MOST_TERMS)):
            return []
        query = " OR ".join(f"all:{word}" for word in words)
        if until:
            query = f"({query}) AND submittedDate:[199001010000 TO {until.replace('-', '')}2359]"
        api = ArxivApi(self._client, f"{self._address}/api/query", run.monitor)

        def ask() -> list[ServiceWork]:
            found = api.papers(PAGE, query=query, max_results=PAGE)
            return [
                ServiceWork(paper.id, paper, gone=is_withdrawn(paper.abstract, comments))
                for paper, comments in found
            ]

        return remembered(run, f"{self._address} {query}", ask)

    def close(self) -> None:
        self._client.close()


class Crossref:
    name = "Crossref"

    def __init__(self, client: SourceClient, address: str = "") -> None:
        self._works = Endpoint(client, (address or ADDRESS).rstrip("/"), {})

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        search_all(self, request, run, finds, MOST_TEXTS)

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        words = " ".join(terms(text, MOST_TERMS))
        dates = f",until-pub-date:{until}" if until else ""
        parameters = {"query": words, "filter": f"has-abstract:true{dates}", "rows": str(PAGE // 2)}
        return self._works.works(run, "works", parameters, _parse) if words else []

    def close(self) -> None:
        self._works.client.close()


def _parse(body: bytes) -> list[ServiceWork]:
    found = []
    for item in works_in(body, "Crossref", "message", "items")[:PAGE]:
        work = read_work(item) if isinstance(item, dict) else None
        if work is None:
            continue
        gone = bool({"retracted", "withdrawn"} & {*work.notices})
        citations = count_of(dig(item, "is-referenced-by-count"))
        found.append(ServiceWork(work.paper.doi, work.paper, (), citations, gone))
    return found
