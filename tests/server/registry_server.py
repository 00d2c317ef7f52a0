"""Crossref, OpenAlex and arXiv on this machine, in the shape of their answers, from records that they are given.
For tests and benchmarks. `searches` of the three find by shared words, as theirs do, and give the nearest."""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, urlsplit
from xml.sax.saxutils import escape

from ..http_server import got, send


@dataclass
class Known:
    """One paper, and where it is registered: a DOI of Crossref's, an id of arXiv's, at OpenAlex always."""

    title: str
    authors: Sequence[str]  # Given Family
    year: int | None = None
    venue: str = ""
    kind: str = "proceedings-article"
    doi: str = ""
    arxiv: str = ""
    version: int = 1
    comment: str = ""
    updated_by: Sequence[str] = ()  # kinds of notices
    noticed_by: Sequence[str] = ()  # the same, of which the work itself says nothing
    preprint_of: str = ""
    retracted: bool = False
    abstract: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)  # of Crossref's work


@dataclass
class Registries:
    papers: list[Known] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)  # path and query
    refuse: dict[str, int] = field(default_factory=dict)  # service: status
    redirect: dict[str, str] = field(default_factory=dict)  # service: where it sends on to
    raw: dict[str, bytes] = field(default_factory=dict)  # service: what it answers in any case
    address: str = ""

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        self.asked.append(handler.path)
        parts = urlsplit(handler.path)
        service = parts.path.split("/")[1]
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if service in self.redirect:
            send(handler, 302, b"", Location=self.redirect[service])
        elif service in self.refuse:
            send(handler, self.refuse[service], b"no")
        elif service in self.raw:
            send(handler, 200, self.raw[service])
        elif service == "crossref":
            send(handler, 200, self._crossref(query))
        elif service == "openalex":
            send(handler, 200, self._openalex(query))
        else:
            send(handler, 200, self._arxiv(query))

    def _crossref(self, query: Mapping[str, str]) -> bytes:
        known = [paper for paper in self.papers if paper.doi]
        if "cursor" in query:
            found, following = _paged(query, _nearest(query.get("query", ""), known), int(query["rows"]))
            return _crossref_list([_crossref_work(paper) for paper in found], following)
        if query.get("filter", "").startswith("updates:"):
            asked = {one.removeprefix("updates:").lower() for one in query["filter"].split(",")}
            noticed = [paper for paper in known if paper.doi.lower() in asked]
            return _crossref_list([_notice(paper, kind) for paper in noticed for kind in paper.noticed_by])
        if "filter" in query:
            wanted = {one.removeprefix("doi:").lower() for one in query["filter"].split(",")}
            found = [paper for paper in known if paper.doi.lower() in wanted]
        else:
            found = _nearest(query["query.bibliographic"], known)
        return _crossref_list([_crossref_work(paper) for paper in found[: int(query["rows"])]])

    def _openalex(self, query: Mapping[str, str]) -> bytes:
        if "cursor" in query:
            found, following = _paged(query, _nearest(query["search"], self.papers), int(query["per-page"]))
            meta = {"count": len(self.papers), "next_cursor": following or None}
            works = [_openalex_work(paper, at) for at, paper in enumerate(found)]
            return json.dumps({"meta": meta, "results": works}).encode()
        name, _, value = query["filter"].partition(":")
        if name == "doi":
            wanted = set(value.split("|"))
            found = [paper for paper in self.papers if paper.doi and paper.doi.lower() in wanted]
        else:
            words = set(_words(value))
            found = [p for p in _nearest(value, self.papers) if words <= set(_words(p.title))]
        works = [_openalex_work(paper, at) for at, paper in enumerate(found[: int(query["per-page"])])]
        meta = {"count": len(works), "db_response_time_ms": 3, "page": 1, "per_page": 5}
        return json.dumps({"meta": meta, "results": works, "group_by": []}).encode()

    def _arxiv(self, query: Mapping[str, str]) -> bytes:
        known = [paper for paper in self.papers if paper.arxiv]
        if "id_list" in query:
            ids = set(query["id_list"].split(","))
            found = [paper for paper in known if paper.arxiv in ids]
        else:
            phrases = re.findall(r'ti:"([^"]*)"', query["search_query"])
            wanted = [" ".join(_words(phrase)) for phrase in phrases]
            found = [p for p in known if any(f" {w} " in f" {' '.join(_words(p.title))} " for w in wanted)]
        entries = "".join(map(_arxiv_entry, found[: int(query["max_results"])]))
        names = 'xmlns="http://www.w3.org/2005/Atom" xmlns:arxiv="http://arxiv.org/schemas/atom"'
        return f'<?xml version="1.0" encoding="UTF-8"?><feed {names}>{entries}</feed>'.encode()


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def _nearest(text: str, papers: Sequence[Known]) -> list[Known]:
    wanted = Counter(_words(text))
    shared = [(sum((Counter(_words(paper.title)) & wanted).values()), at) for at, paper in enumerate(papers)]
    return [papers[at] for count, at in sorted(shared, key=lambda one: (-one[0], one[1])) if count > 1]


def _paged(query: Mapping[str, str], found: Sequence[Known], size: int) -> tuple[Sequence[Known], str]:
    """The page that the cursor names, and the next cursor; the last page has one too, and leads to nothing."""
    size = min(size, 2)  # so that there are pages
    start = int(query["cursor"].removeprefix("*") or 0)
    return found[start : start + size], str(start + size) if found[start : start + size] else ""


def _crossref_list(items: list[dict[str, Any]], following: str = "") -> bytes:
    message: dict[str, Any] = {"facets": {}, "total-results": len(items), "items": items, "items-per-page": 5}
    message |= {"next-cursor": following} if following else {}
    answer = {"status": "ok", "message-type": "work-list", "message-version": "1.0.0", "message": message}
    return json.dumps(answer).encode()


def _notice(paper: Known, kind: str) -> dict[str, Any]:
    day = {"date-parts": [[2024, 1, 2]], "date-time": "2024-01-02T00:00:00Z", "timestamp": 1}
    update = {"DOI": paper.doi, "type": kind, "label": kind.title(), "source": "publisher", "updated": day}
    notice = {
        "DOI": f"{paper.doi}.notice",
        "type": "journal-article",
        "title": [f"Retraction: {paper.title}"],
    }
    return {**notice, "author": [], "issued": {"date-parts": [[2024]]}, "update-to": [update]}


def _crossref_work(paper: Known) -> dict[str, Any]:
    authors = []
    for at, name in enumerate(paper.authors):
        given, _, family = name.rpartition(" ")
        order = "additional" if at else "first"
        authors.append({"given": given, "family": family, "sequence": order, "affiliation": []})
    day = [[paper.year, 6, 1]] if paper.year else [[None]]
    notices = [
        {"DOI": "10.5555/notice", "type": kind, "label": kind.title(), "source": "retraction-watch",
         "updated": {"date-parts": [[2024, 1, 2]]}, "record-id": "1"}
        for kind in paper.updated_by
    ]  # fmt: skip
    work: dict[str, Any] = {
        "indexed": {"date-parts": [[2026, 1, 1]], "date-time": "2026-01-01T00:00:00Z", "timestamp": 1},
        "reference-count": 0,
        "publisher": "A Publisher",
        "DOI": paper.doi,
        "type": paper.kind,
        "title": [paper.title],
        "author": authors,
        "container-title": [paper.venue] if paper.venue else [],
        "issued": {"date-parts": day},
        "published": {"date-parts": day},
        "relation": {},
        "URL": f"https://doi.org/{paper.doi}",
        "score": 30.5,
    }
    if notices:
        work["updated-by"] = notices
    if paper.abstract:
        work["abstract"] = (
            f"<jats:title>Abstract</jats:title>\n <jats:p>{escape(paper.abstract)} <jats:italic>End.</jats:italic></jats:p>"
        )
    if paper.preprint_of:
        related = {"id-type": "doi", "id": paper.preprint_of, "asserted-by": "subject"}
        work["relation"] = {"is-preprint-of": [related]}
    return {**work, **paper.more}


def _openalex_work(paper: Known, at: int) -> dict[str, Any]:
    types = {
        "journal-article": "journal",
        "proceedings-article": "conference",
        "posted-content": "repository",
    }
    source = {"id": "https://openalex.org/S1", "display_name": paper.venue, "type": types.get(paper.kind)}
    doi = paper.doi or (f"10.48550/arxiv.{paper.arxiv}" if paper.arxiv else "")
    return {
        "id": f"https://openalex.org/W{1000 + at + zlib.crc32(paper.title.encode()) % 10**8}",
        "doi": f"https://doi.org/{doi}" if doi else None,
        "display_name": paper.title,
        "publication_year": paper.year,
        "type": "preprint" if paper.kind == "posted-content" else "article",
        "is_retracted": paper.retracted,
        "primary_location": {"source": source if paper.venue else None, "landing_page_url": None},
        "authorships": [
            {"author_position": "first", "author": {"id": "https://openalex.org/A1", "display_name": name},
             "raw_author_name": name}
            for name in paper.authors
        ],
        "abstract_inverted_index": _inverted(paper.abstract),
        "biblio": {"volume": None, "issue": None, "first_page": "1", "last_page": "9"},
    }  # fmt: skip


def _inverted(text: str) -> dict[str, list[int]] | None:
    places: dict[str, list[int]] = {}
    for at, word in enumerate(text.split()):
        places.setdefault(word, []).append(at)
    return places or None


def _arxiv_entry(paper: Known) -> str:
    authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in paper.authors)
    comment = f"<arxiv:comment>{escape(paper.comment)}</arxiv:comment>" if paper.comment else ""
    doi = f"<arxiv:doi>{escape(paper.preprint_of)}</arxiv:doi>" if paper.preprint_of else ""
    return (
        f"<entry><id>http://arxiv.org/abs/{paper.arxiv}v{paper.version}</id><title>{escape(paper.title)}</title>"
        f"<summary>{escape(paper.abstract or 'About it.')}</summary><published>{paper.year or 2020}-01-01T00:00:00Z</published>"
        f"<updated>2024-01-01T00:00:00Z</updated>{authors}{comment}{doi}</entry>"
    )


@contextlib.contextmanager
def serving(state: Registries) -> Iterator[Registries]:
    """This process asks the server; other processes need `environment`."""
    with got(state.serve) as state.address, mock.patch.dict(os.environ, environment(state.address)):
        yield state


def environment(address: str) -> dict[str, str]:
    """The variables that name this server instead of the public registries."""
    names = ("crossref", "openalex", "arxiv")
    addresses = {f"TEXGEIST_{name.upper()}_ADDRESS": f"{address}/{name}" for name in names}
    return {**addresses, "TEXGEIST_ARXIV_PAUSE": "0"}
