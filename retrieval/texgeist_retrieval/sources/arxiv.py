"""arXiv: its ids, its answers (Atom 1.0) as papers, queries to its API, and its metadata of a paper.

The package `arxiv` (4.0.2) was tried instead of this parser: it takes a truncated answer for a complete one
with fewer papers, loses a page over one invalid date and an entry over a missing date, and ends silently at
an empty first page. PDFs, OAI-PMH, pacing and limits would still be needed here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal
from xml.etree import ElementTree

from ..errors import SourceUnavailable
from ..ports import Monitor
from ..types import Paper
from ..types.papers import ARXIV_FORM
from .admission import fields_of
from .client import Site
from .records import Record, UnreadableRecord, is_withdrawn
from .registered import Harvest, Registered, WorksService, registered

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
REGISTRY = replace(ARXIV, meanwhile="Try again in a minute.", absent="refused the question")
NEAREST = 3  # papers for each title
_NAMES = {"a": "http://www.w3.org/2005/Atom", "x": "http://arxiv.org/schemas/atom"}
ARXIV_ID = re.compile(rf"(?P<id>{ARXIV_FORM})(?:v(?P<version>\d{{1,4}}))?")
MOST_MARKS = 1_000_000  # of "<" and of "=": tags and attributes; a page of 1,000 records has 100,000
_ENCODING = re.compile(rb"^[^>]{0,100}?encoding\s*=\s*[\"']([^\"']*)")
_PLAIN = (b"utf-8", b"us-ascii", b"iso-8859-1")


def split_id(text: str) -> tuple[str, int | None] | None:
    """Id and version from `2104.12255v1`, `hep-th/9901001`, `arXiv:…` or an arXiv address; else None."""
    bare = re.sub(r"^(?:arxiv:\s*|https?://[^/]+/(?:abs|pdf)/)", "", text.strip(), flags=re.IGNORECASE)
    match = ARXIV_ID.fullmatch(bare.removesuffix(".pdf"))
    if match is None:
        return None
    version = match["version"]
    return match["id"], int(version) if version else None


def parse_feed(body: bytes) -> list[Paper]:
    """The papers of an answer, without error entries. Raises `SourceUnavailable` if it is not Atom."""
    return [paper for paper, _ in parse_entries(body)]


def parse_entries(body: bytes) -> list[tuple[Paper, str]]:
    """The papers, each with its authors' comments, which mention a withdrawal."""
    feed = parse_xml(body)
    if feed is None or feed.tag != f"{{{_NAMES['a']}}}feed":  # a page to log in may be XML as well
        raise SourceUnavailable(
            "arXiv answered with something that is no list of papers.", "Try again in a minute."
        )
    entries = feed.iterfind("a:entry", _NAMES)
    papers = ((_paper(entry), _text(entry, "x:comment")) for entry in entries)
    return [(paper, comments) for paper, comments in papers if paper is not None]


def _paper(entry: ElementTree.Element) -> Paper | None:
    address = _text(entry, "a:id")
    found = split_id(address)
    title = _text(entry, "a:title")
    if found is None or not title:
        return None
    id, version = found
    published = _text(entry, "a:published")[:10]
    primary = entry.find("x:primary_category", _NAMES)
    return Paper(
        id=id,
        title=title,
        abstract=_text(entry, "a:summary"),
        authors=tuple(_text(author, "a:name") for author in entry.iterfind("a:author", _NAMES)),
        year=int(published[:4]) if published[:4].isdecimal() else None,
        published=published,
        updated=_text(entry, "a:updated")[:10],
        version=version,
        primary=primary.get("term", "") if primary is not None else "",
        categories=tuple(c.get("term", "") for c in entry.iterfind("a:category", _NAMES)),
        doi=_text(entry, "x:doi"),
        venue=_text(entry, "x:journal_ref"),
        url=f"https://arxiv.org/abs/{id}",
    )


def _text(element: ElementTree.Element, path: str) -> str:
    return " ".join((element.findtext(path, "", _NAMES) or "").split())


def parse_xml(body: bytes) -> ElementTree.Element | None:
    """The root of the document; None if it is not XML, or has features that no list of papers has."""
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
    """The papers of a query in arXiv's syntax (`cat:cs.CL AND ti:retrieval`), by date of last change, newest
    first, back to `since`."""

    usual = API_ADDRESS
    path = "api/query"
    largest = LARGEST_ANSWER

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
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
        """The next papers. An empty page before the end is requested again; then `SourceUnavailable` is
        raised."""
        for _ in range(EMPTY_TRIES):
            body = self._ask(self._parameters())
            papers = parse_feed(body)
            total = re.search(rb"totalResults[^>]{0,200}>(\d{1,12})<", body)
            self.size = int(total[1]) if total else self.size
            if papers or not self.size or self.position >= self.size:
                return papers
        raise SourceUnavailable(
            f"arXiv stopped answering after {self.position} of {self.size} papers.",
            "What was read is in the index; run the command again later.",
        )

    def _parameters(self) -> dict[str, str]:
        return {
            "search_query": self._text,
            "start": str(self.position),
            "max_results": str(PAGE),
            "sortBy": "lastUpdatedDate",
            "sortOrder": "descending",
        }


class ArxivWorks(WorksService):
    """A `Registry`."""

    name = "arXiv"
    usual = API_ADDRESS
    path = "api/query"
    largest = LARGEST_ANSWER
    by_id: Literal["doi", "arxiv"] = "arxiv"
    ids_at_once = 100
    titles_at_once = 20

    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        """Ids that cannot be arXiv ids are not sent, because arXiv refuses the whole request for one invalid
        id."""
        wanted = list(dict.fromkeys(split[0] for id in ids if (split := split_id(id))))
        if not wanted:
            return {}
        works = self._ask({"id_list": ",".join(wanted), "max_results": str(len(wanted))}, monitor)
        return {work.paper.id: work for work in works}

    def titled(self, titles: Sequence[str], monitor: Monitor) -> dict[str, list[Registered]]:
        searches = {title: words for title in titles if len(words := _words(title)) > 1}
        if not searches:
            return {}
        terms = " OR ".join(f'ti:"{" ".join(words)}"' for words in searches.values())
        asked = {"search_query": terms, "max_results": str(NEAREST * len(searches))}
        works = self._ask(asked, monitor)
        return {
            title: [work for work in works if _holds(_words(work.paper.title), words)]
            for title, words in searches.items()
        }

    def _ask(self, parameters: dict[str, str], monitor: Monitor) -> list[Registered]:
        return [
            one for one in map(_registered, parse_entries(self._get(parameters, monitor))) if one is not None
        ]


def _holds(title: list[str], words: list[str]) -> bool:
    return f" {' '.join(words)} ".lower() in f" {' '.join(title)} ".lower()


def _words(title: str) -> list[str]:
    return re.findall("[A-Za-z0-9]+", title)


def _registered(entry: tuple[Paper, str]) -> Registered | None:
    paper, comments = entry
    gone = is_withdrawn(paper.abstract, comments)
    return registered(
        {**fields_of(paper), "venue": ""},  # `journal_ref` is free text, which cannot be compared as a venue
        "preprint",
        years=(paper.year,) if paper.year else (),
        notices=("withdrawn",) if gone else (),
        published=paper.doi.lower() if paper.doi else "",
        newest=paper.version,
    )
