"""Records from arXiv over the network: OAI-PMH since the last run, and queries of the search interface.

Both keep the machine-wide pause of three seconds. Nothing is sent but dates, sets and the query."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree import ElementTree

from ..errors import PaperUnreadable, SourceUnavailable
from ..network.source_client import Site, SourceClient
from ..ports import Monitor
from ..types import Paper
from .atom import parse_feed
from .records import Record, Unreadable, is_withdrawn, one_line
from .xml import parse_xml

ARXIV = Site(
    "arXiv",
    domains=("arxiv.org",),
    check="Check the arXiv address in the settings.",
    meanwhile="Try again in a minute, or work with the abstracts alone.",
    absent="has no PDF of it",
)
OAI_ADDRESS = "https://oaipmh.arxiv.org/oai"
API_ADDRESS = "https://export.arxiv.org"
LARGEST_ANSWER = 20 << 20  # bytes; a page of 1,000 records has 3 MB
PAGE = 200
EMPTY_TRIES = 3  # the interface sometimes answers a page of a long list with nothing
_OAI = {"o": "http://www.openarchives.org/OAI/2.0/", "x": "http://arxiv.org/OAI/arXiv/"}


class OaiHarvest:
    """Everything that changed in `set_` (such as `cs`, "" for all) since the ISO date `since`, deletions
    included. After the iteration `until` is the day up to which the archive was read."""

    def __init__(
        self,
        client: SourceClient,
        address: str = "",
        set_: str = "",
        since: str = "",
        monitor: Monitor | None = None,
    ) -> None:
        self._client = client
        self._address = address or OAI_ADDRESS
        self._first = {"verb": "ListRecords", "metadataPrefix": "arXiv"}
        self._first |= {"set": set_} if set_ else {}
        self._first |= {"from": since} if since else {}
        self._monitor = monitor
        self.until = ""
        self.position = 0
        self.size: int | None = None

    def __iter__(self) -> Iterator[Record | Unreadable]:
        parameters = self._first
        while parameters:
            answer = self._ask(parameters)
            self.until = self.until or (answer.findtext("o:responseDate", "", _OAI))[:10]
            for element in answer.iterfind("o:ListRecords/o:record", _OAI):
                self.position += 1
                if (record := _record(element)) is not None:
                    yield record
            parameters = self._following(answer.find("o:ListRecords/o:resumptionToken", _OAI))

    def _following(self, token: ElementTree.Element | None) -> dict[str, str]:
        if token is None or not (token.text or "").strip():
            return {}
        total = token.get("completeListSize", "")
        self.size = int(total) if total.isdecimal() and len(total) < 12 else None
        return {"verb": "ListRecords", "resumptionToken": str(token.text).strip()}

    def _ask(self, parameters: Mapping[str, str]) -> ElementTree.Element:
        answer = _parsed(_get(self._client, self._address, parameters, self._monitor))
        error = answer.find("o:error", _OAI)
        if error is not None and error.get("code") != "noRecordsMatch":
            raise SourceUnavailable(
                f"arXiv refused the harvest: {one_line(error.text) or error.get('code')}.",
                "Check the set and the date, and run the command again.",
            )
        return answer


class ApiQuery:
    """The papers of a query in arXiv's own language (`cat:cs.CL AND ti:retrieval`), the last changed
    first, down to those last changed before `since`."""

    def __init__(
        self,
        client: SourceClient,
        query: str,
        address: str = "",
        since: str = "",
        monitor: Monitor | None = None,
    ) -> None:
        self._client = client
        self._address = f"{(address or API_ADDRESS).rstrip('/')}/api/query"
        self._query = query
        self._since = since
        self._monitor = monitor
        self.position = 0
        self.size: int | None = None
        self.until = ""

    def __iter__(self) -> Iterator[Record | Unreadable]:
        while self.size is None or self.position < self.size:
            papers = self._page()
            if not papers:
                return
            for paper in papers:
                self.until = max(self.until, paper.updated)
                if self._since and paper.updated and paper.updated < self._since:
                    return
                self.position += 1
                yield Record(paper, is_withdrawn(paper.abstract, ""))

    def _page(self) -> list[Paper]:
        """The next papers; an empty page before the end is asked for again, and then a failure."""
        for _ in range(EMPTY_TRIES):
            body = self._ask()
            papers = parse_feed(body)
            total = re.search(rb"totalResults[^>]{0,200}>(\d{1,12})<", body)
            self.size = int(total[1]) if total else self.size
            if papers or not self.size or self.position >= self.size:
                return papers
        raise SourceUnavailable(
            f"arXiv stopped answering after {self.position} of {self.size} papers.",
            "What was read is in the index; run the command again later.",
        )

    def _ask(self) -> bytes:
        parameters = {
            "search_query": self._query,
            "start": str(self.position),
            "max_results": str(PAGE),
            "sortBy": "lastUpdatedDate",
            "sortOrder": "descending",
        }
        return _get(self._client, self._address, parameters, self._monitor)


def _get(client: SourceClient, address: str, parameters: Mapping[str, str], monitor: Monitor | None) -> bytes:
    try:
        return client.get(address, parameters, LARGEST_ANSWER, monitor)
    except PaperUnreadable as error:  # in the words of a PDF
        raise SourceUnavailable(
            f"{address} has no list of papers.", "Check the arXiv address in the settings."
        ) from error


def _parsed(body: bytes) -> ElementTree.Element:
    if (answer := parse_xml(body)) is None:
        raise SourceUnavailable(
            "arXiv answered with something that is no list of records.", "Try again in a minute."
        )
    return answer


def _record(element: ElementTree.Element) -> Record | Unreadable | None:
    header = element.find("o:header", _OAI)
    name = element.findtext("o:header/o:identifier", "", _OAI).removeprefix("oai:arXiv.org:")
    if header is not None and header.get("status") == "deleted":
        return Record(Paper(id=name, title=""), gone=True) if name else None
    metadata = element.find("o:metadata/x:arXiv", _OAI)
    if metadata is None:
        return Unreadable(name or "a record", "it has no metadata")
    paper, comments = _paper(metadata)
    if not paper.id or not paper.title:
        return Unreadable(name or "a record", "it has no id or no title")
    return Record(paper, is_withdrawn(paper.abstract, comments))


def _paper(metadata: ElementTree.Element) -> tuple[Paper, str]:
    known: dict[str, Any] = {
        name: one_line(metadata.findtext(f"x:{name}", "", _OAI))
        for name in ("id", "title", "abstract", "created", "updated", "doi", "comments", "journal-ref")
    }
    categories = tuple(metadata.findtext("x:categories", "", _OAI).split())
    created = known["created"]
    paper = Paper(
        id=known["id"],
        title=known["title"],
        abstract=known["abstract"],
        authors=tuple(_author(author) for author in metadata.iterfind("x:authors/x:author", _OAI)),
        year=int(created[:4]) if created[:4].isdecimal() else None,
        published=created,
        updated=known["updated"],
        primary=categories[0] if categories else "",
        categories=categories,
        doi=known["doi"],
        venue=known["journal-ref"],
        url=f"https://arxiv.org/abs/{known['id']}",
    )
    return paper, known["comments"]


def _author(element: ElementTree.Element) -> str:
    parts = (element.findtext(f"x:{name}", "", _OAI) for name in ("forenames", "keyname", "suffix"))
    return one_line(" ".join(parts))
