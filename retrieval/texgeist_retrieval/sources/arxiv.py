"""arXiv: reads its ids, sends queries to its API, and reads its metadata of papers.

The package `arxiv` forms the requests, reads the pages (Atom 1.0) and goes from page to page. `ArxivApi`
sends its requests, and corrects four faults of its version 4.0.2: it takes a truncated answer for a complete
answer with fewer papers; it loses a whole page if one date is invalid, and an entry if a date is missing; and
it ends without an error at an empty first page."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

from ..errors import PaperUnreadable, SourceUnavailable
from ..monitor import SILENT
from ..ports import Monitor
from ..types import Paper
from ..types.papers import ARXIV_FORM
from .admission import fields_of
from .client import AGAIN, Site, SourceClient
from .records import Record, UnreadableRecord, is_withdrawn, one_line
from .registered import FORMULA, Harvest, Registered, Registry, registered

if TYPE_CHECKING:
    import arxiv
    import requests

ARXIV = Site(
    "arXiv",
    domains=("arxiv.org",),
    check="Check the arXiv address in the settings.",
    meanwhile="Try again in a minute, or work with the abstracts alone.",
    absent="has no PDF of it",
)
API_ADDRESS = "https://export.arxiv.org"
LARGEST_ANSWER = 20 << 20  # bytes; a page of 1,000 records has 3 MB
PAGE = 200
EMPTY_TRIES = 3  # the API sometimes returns an empty page within a long list
REGISTRY = replace(ARXIV, meanwhile=AGAIN, absent="refused the question")
NEAREST = 3  # papers for each title
_NAMES = {"a": "http://www.w3.org/2005/Atom", "o": "http://a9.com/-/spec/opensearch/1.1/"}
_NO_DATE, _NO_YEAR = "0001-01-01T00:00:00Z", 1  # replace a date that is missing or invalid
ARXIV_ID = re.compile(rf"(?P<id>{ARXIV_FORM})(?:v(?P<version>\d{{1,4}}))?")
MOST_MARKS = 1_000_000  # of "<" and of "=": tags and attributes; a page of 1,000 records has 100,000
_ENCODING = re.compile(rb"^[^>]{0,100}?encoding\s*=\s*[\"']([^\"']*)")
_PLAIN = (b"utf-8", b"us-ascii", b"iso-8859-1")


def split_id(text: str) -> tuple[str, int | None] | None:
    """The id and version in `2104.12255v1`, `hep-th/9901001`, `arXiv:…` or an arXiv address; the version is
    None if none is given. Returns None for other texts."""
    bare = re.sub(r"^(?:arxiv:\s*|https?://[^/]+/(?:abs|pdf)/)", "", text.strip(), flags=re.IGNORECASE)
    match = ARXIV_ID.fullmatch(bare.removesuffix(".pdf"))
    if match is None:
        return None
    version = match["version"]
    return match["id"], int(version) if version else None


class ArxivApi:
    """Searches arXiv with the package `arxiv`. This class is also the transport of the package's session (an
    adapter of `requests`): requests go through our client, which limits, paces and repeats them, and only
    complete lists of papers are passed on. `total`: the number of papers that arXiv announced; None before
    the first answer."""

    def __init__(self, client: SourceClient, address: str, monitor: Monitor = SILENT) -> None:
        self._client, self._address, self._monitor = client, address, monitor
        self.total: int | None = None

    def papers(self, page: int, **search: Any) -> Iterator[tuple[Paper, str]]:
        """Yields the papers of a search, each with the authors' comments, which mention a withdrawal.
        `search`: the parameters of `arxiv.Search` (`query` or `id_list`, `max_results`, …); `page`: number of
        papers in a request. Entries that report an error are left out. Raises `SourceUnavailable`, also if
        arXiv returns fewer papers than it announced."""
        import arxiv
        import requests

        api = arxiv.Client(page_size=page, delay_seconds=0, num_retries=0)  # our client paces and repeats
        api.query_url_format = f"{self._address}?{{}}"
        api._session.trust_env = False
        for scheme in ("http://", "https://"):
            api._session.mount(scheme, self)
        try:
            for result in api.results(arxiv.Search(**search)):
                if (paper := _paper(result)) is not None:
                    yield paper, result.comment or ""
        except requests.RequestException:
            raise SourceUnavailable(f"{self._address} is not a valid address.", ARXIV.check) from None

    def send(self, request: requests.PreparedRequest, **_: object) -> requests.Response:
        import requests

        response = requests.Response()
        response.status_code, response.url = 200, str(request.url)
        response.raw = io.BytesIO(self._list_at(str(request.url)))
        return response

    def _list_at(self, address: str) -> bytes:
        """The list of papers at an address. If it is empty although more papers were announced, it is
        requested again, up to `EMPTY_TRIES` times. Raises `SourceUnavailable`."""
        for _ in range(EMPTY_TRIES):
            try:
                feed = _feed(self._client.get(address, {}, LARGEST_ANSWER, self._monitor))
            except PaperUnreadable as error:  # its message is about a PDF
                raise SourceUnavailable(
                    f"{self._address} has no list of papers.", "Try again later."
                ) from error
            total = feed.findtext("o:totalResults", "", _NAMES)
            self.total = int(total) if re.fullmatch(r"[0-9]{1,12}", total) else self.total
            if feed.find("a:entry", _NAMES) is not None or not self.total:
                return ElementTree.tostring(feed)
        start = parse_qs(urlsplit(address).query).get("start", ["0"])[0]
        raise SourceUnavailable(
            f"arXiv stopped answering after {start} of {self.total} papers.",
            "What was read is in the index; run the command again later.",
        )

    def close(self) -> None:
        """Does nothing, because the client is shared."""


def _paper(result: arxiv.Result) -> Paper | None:
    found, title = split_id(result.entry_id), one_line(result.title)
    if found is None or not title:
        return None
    id, version = found
    known = result.published.year > _NO_YEAR
    return Paper(
        id=id,
        title=title,
        abstract=one_line(result.summary),
        authors=tuple(one_line(author.name) for author in result.authors),
        year=result.published.year if known else None,
        published=_day(result.published),
        updated=_day(result.updated),
        version=version,
        primary=result.primary_category,
        categories=tuple(result.categories),
        doi=one_line(result.doi),
        venue=one_line(result.journal_ref),
        url=f"https://arxiv.org/abs/{id}",
    )


def _day(time: datetime) -> str:
    return time.date().isoformat() if time.year > _NO_YEAR else ""


def _feed(body: bytes) -> ElementTree.Element:
    """The list of papers in an answer. Every entry has both dates; a missing or invalid date is replaced by
    `_NO_DATE`. Raises `SourceUnavailable` if the answer is another document or incomplete."""
    feed = parse_xml(body)
    if feed is None or feed.tag != f"{{{_NAMES['a']}}}feed":  # a login page may also be XML
        raise SourceUnavailable("arXiv did not answer with a list of papers.", "Try again in a minute.")
    for entry in feed.iterfind("a:entry", _NAMES):
        for name in (f"{{{_NAMES['a']}}}published", f"{{{_NAMES['a']}}}updated"):
            date = entry.find(name)
            if date is None:
                date = ElementTree.SubElement(entry, name)
            try:
                datetime.fromisoformat((date.text or "").strip())
            except ValueError:
                date.text = _NO_DATE
    return feed


def parse_xml(body: bytes) -> ElementTree.Element | None:
    """The root of the XML document. Returns None if `body` is not XML, or has features that no list of papers
    has, such as a document type or too many tags."""
    named = _ENCODING.search(body)
    if (named and named[1].lower() not in _PLAIN) or b"\0" in body or b"<!DOCTYPE" in body:
        return None
    if body.count(b"<") > MOST_MARKS or body.count(b"=") > MOST_MARKS:
        return None
    try:
        return ElementTree.fromstring(body)  # noqa: S314 - neither entities nor document types get here
    except (ElementTree.ParseError, LookupError, ValueError):
        return None


class ApiQuery(Harvest):
    """The papers of a query in arXiv's syntax (`cat:cs.CL AND ti:retrieval`) that changed on the day `since`
    or later. The papers that changed last come first."""

    usual = API_ADDRESS
    path = "api/query"
    largest = LARGEST_ANSWER

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        import arxiv

        newest = arxiv.SortCriterion.LastUpdatedDate
        api = ArxivApi(self._client, self._address, self._monitor)
        for paper, _ in api.papers(PAGE, query=self._text, sort_by=newest, max_results=None):
            self.size = api.total
            self.until = max(self.until, paper.updated)
            if self._since and paper.updated and paper.updated < self._since:
                return
            self.position += 1
            yield Record(paper, is_withdrawn(paper.abstract, ""))


class ArxivWorks(Registry):
    name = "arXiv"
    usual = API_ADDRESS
    path = "api/query"
    largest = LARGEST_ANSWER
    by_id = "arxiv"
    ids_at_once = 100
    titles_at_once = 20

    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        """The papers with these ids. Only valid arXiv ids are sent, because arXiv refuses the whole request
        if one id is invalid."""
        wanted = list(dict.fromkeys(split[0] for id in ids if (split := split_id(id))))
        if not wanted:
            return {}
        works = self.search(monitor, len(wanted), id_list=wanted)
        return {work.paper.id: work for work in works}

    def titled(self, titles: Sequence[str], monitor: Monitor) -> dict[str, list[Registered]]:
        runs = {title: max(map(_words, title.split(FORMULA)), key=len) for title in titles}
        searches = {title: words for title, words in runs.items() if len(words) > 1}
        if not searches:
            return {}
        terms = " OR ".join(f'ti:"{" ".join(words)}"' for words in searches.values())
        works = self.search(monitor, NEAREST * len(searches), query=terms)
        return {
            title: [
                work
                for work in works
                if f" {' '.join(words)} ".lower() in f" {' '.join(_words(work.paper.title))} ".lower()
            ]
            for title, words in searches.items()
        }

    def search(self, monitor: Monitor, max_results: int, **search: Any) -> list[Registered]:
        """The papers that one request returns. `search`: further parameters of `arxiv.Search`."""
        api = ArxivApi(self._client, self._address, monitor)
        found = api.papers(max_results, max_results=max_results, **search)
        return [one for one in map(_registered, found) if one is not None]


def _words(title: str) -> list[str]:
    return re.findall("[A-Za-z0-9]+", title)


def _registered(entry: tuple[Paper, str]) -> Registered | None:
    paper, comments = entry
    gone = is_withdrawn(paper.abstract, comments)
    return registered(
        {**fields_of(paper), "venue": ""},  # `journal_ref` is free text, which cannot be compared as a venue
        "preprint",
        years=tuple(range(paper.year, max(paper.year, int(paper.updated[:4] or 0)) + 1))
        if paper.year
        else (),
        notices=("withdrawn",) if gone else (),
        published=paper.doi.lower() if paper.doi else "",
        newest=paper.version,
    )
