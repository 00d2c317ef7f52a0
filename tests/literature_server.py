"""A local stand-in for OpenAlex, Semantic Scholar, arXiv and Crossref, over given works and citations. It
answers in the forms that their documentation shows (November 2026), with paging, costs, limits and errors.
For tests and benchmarks. What no documentation says, such as the exact order of results, is not imitated:
searches are ordered by BM25 (SQLite FTS5)."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import sqlite3
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from unittest import mock
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from .http_server import got, send

NAMES = ("openalex", "semanticscholar", "arxiv", "crossref")
Answer = Callable[[BaseHTTPRequestHandler], None]
Reply = tuple[int, bytes, dict[str, str]]  # status, body, headers


@dataclass(frozen=True)
class Work:
    """A work; `references` are places in the list of works."""

    title: str
    abstract: str = ""
    authors: Sequence[str] = ()  # Given Family
    year: int | None = None
    date: str = ""
    doi: str = ""
    arxiv: str = ""
    venue: str = ""
    references: Sequence[int] = ()
    retracted: bool = False
    closed: bool = False  # only Semantic Scholar has the abstract


@dataclass
class Literature:
    """The works, what was asked, and how each service fails. `instead`: answers by service, sent instead of
    the usual ones. `spoil`: changes the body of an answer. `dollars`: what an OpenAlex key may spend today."""

    works: Sequence[Work]
    delay_s: float = 0.0
    instead: dict[str, Answer] = field(default_factory=dict)
    spoil: Callable[[bytes], bytes] = bytes
    dollars: float = 1.0
    asked: list[tuple[str, str]] = field(default_factory=list)  # service, path with parameters
    keys: dict[str, set[str]] = field(default_factory=dict)  # by service, from the header x-api-key
    address: str = ""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5(title, abstract, tokenize = 'porter unicode61')")
        rows = ((at + 1, work.title, work.abstract) for at, work in enumerate(self.works))
        self._db.executemany("INSERT INTO t(rowid, title, abstract) VALUES (?, ?, ?)", rows)
        self._citing: defaultdict[int, list[int]] = defaultdict(list)
        for at, work in enumerate(self.works):
            for reference in work.references:
                self._citing[reference].append(at)
        self._by_doi = {work.doi.lower(): at for at, work in enumerate(self.works) if work.doi}
        self._by_doi |= {f"10.48550/arxiv.{w.arxiv}": at for at, w in enumerate(self.works) if w.arxiv}
        self._by_key = {_sha(work): at for at, work in enumerate(self.works)}

    def calls(self, service: str = "") -> list[str]:
        return [path for name, path in self.asked if service in ("", name)]

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(handler.path)
        service, _, path = parts.path.lstrip("/").partition("/")
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        length = int(handler.headers.get("content-length") or 0)
        body = json.loads(handler.rfile.read(length)) if length else {}
        with self.lock:
            self.asked.append((service, handler.path))
            if key := handler.headers.get("x-api-key"):
                self.keys.setdefault(service, set()).add(key)
        time.sleep(self.delay_s)
        if service in self.instead:
            self.instead[service](handler)
            return
        status, content, headers = self.reply(service, unquote(path), query, body)
        send(handler, status, content, **headers)

    def reply(self, service: str, path: str, query: Mapping[str, str], body: Any) -> Reply:
        answer: Callable[..., Reply] = getattr(self, f"_{service}")
        status, content, headers = answer(path, query, body)
        return status, self.spoil(content), headers

    def find(self, words: str, column: str = "") -> list[int]:
        """The places of the works that match an FTS5 query, the nearest first."""
        column = f"{{{column}}} : " if column else ""
        with self.lock, contextlib.suppress(sqlite3.Error):
            rows = self._db.execute(
                "SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t, 2.0, 1.0) LIMIT 1000",
                (f"{column}({words})",),
            )
            return [row[0] - 1 for row in rows]
        return []

    def _openalex(self, path: str, query: Mapping[str, str], _: object) -> Reply:
        """https://developers.openalex.org/api-reference/works"""
        if path != "works":
            return 404, b'{"error": "Not found"}', {}
        filters = [one.partition(":")[::2] for one in filter(None, query.get("filter", "").split(","))]
        known = {"doi", "openalex", "cites", "title.search", "to_publication_date"}
        if any(name not in known or value.count("|") >= 100 for name, value in filters):
            return 400, b'{"error": "Invalid query parameters error.", "message": "Unknown filter"}', {}
        words = query.get("search.title_and_abstract", "")
        searched = words or any(name.endswith(".search") for name, _ in filters)
        cost = 0.001 if searched else 0.0001
        if self.dollars < cost:
            return 429, b'{"error": "Rate limit exceeded"}', {"Retry_After": "36000"}
        self.dollars -= cost
        found = self.find(_fts(words)) if words else list(range(len(self.works)))
        for name, value in filters:
            found = self._openalex_filter(found, name, value)
        if query.get("sort") == "publication_date:desc":
            found.sort(key=lambda at: _day(self.works[at]), reverse=True)
        size, page = min(int(query.get("per-page", "25")), 100), int(query.get("page", "1"))
        shown = [self._openalex_work(at) for at in found[(page - 1) * size : page * size]]
        meta = {"count": len(found), "db_response_time_ms": 9, "page": page, "per_page": size}
        told = {"X_RateLimit_Cost_USD": str(cost), "X_RateLimit_Remaining_USD": f"{self.dollars:.4f}"}
        return 200, json.dumps({"meta": meta, "results": shown, "group_by": []}).encode(), told

    def _openalex_filter(self, found: Sequence[int], name: str, value: str) -> list[int]:
        values = value.split("|")
        if name == "title.search":
            left = set(found)
            return [at for at in self.find(_fts(value), "title") if at in left]
        if name == "to_publication_date":
            return [at for at in found if _day(self.works[at]) <= value]
        if name == "doi":
            chosen = {self._by_doi.get(doi.lower()) for doi in values}
        elif name == "openalex":
            chosen = {_number(id) for id in values}
        else:
            chosen = {at for id in values for at in self._citing[_number(id) or 0]}
        return [at for at in found if at in chosen]

    def _openalex_work(self, at: int) -> dict[str, Any]:
        work = self.works[at]
        doi = work.doi or (f"10.48550/arxiv.{work.arxiv}" if work.arxiv else "")
        places: dict[str, list[int]] = {}
        for place, word in enumerate(("" if work.closed else work.abstract).split()):
            places.setdefault(word, []).append(place)
        source = {"id": "https://openalex.org/S1", "display_name": work.venue, "type": "conference"}
        return {
            "id": _openalex_id(at),
            "doi": f"https://doi.org/{doi}" if doi else None,
            "display_name": work.title,
            "publication_year": work.year,
            "publication_date": _day(work),
            "type": "article" if work.venue else "preprint",
            "is_retracted": work.retracted,
            "primary_location": {"source": source if work.venue else None, "landing_page_url": None},
            "authorships": [
                {"author_position": "first", "author": {"display_name": name}, "raw_author_name": name}
                for name in work.authors
            ],
            "biblio": {"volume": None, "issue": None, "first_page": None, "last_page": None},
            "abstract_inverted_index": places or None,
            "cited_by_count": len(self._citing[at]),
            "referenced_works": [_openalex_id(reference) for reference in work.references],
        }

    def _semanticscholar(self, path: str, query: Mapping[str, str], body: Any) -> Reply:
        """https://api.semanticscholar.org/api-docs/graph and …/recommendations. A paper is named by its
        SHA, `DOI:…` or `ARXIV:…`."""
        fields, start = query.get("fields", "title").split(","), int(query.get("offset", "0"))
        most = min(int(query.get("limit", "100")), 1000)
        end = {"offset": start}
        match path.removeprefix("graph/v1/").removeprefix("recommendations/v1/").strip("/").split("/"):
            case ["paper", "search"]:
                until = query.get("publicationDateOrYear", "").partition(":")[2] or "9999"
                words = " AND ".join(_fts(word) for word in query["query"].split())
                found = [at for at in self.find(words) if _day(self.works[at]) <= until]
                found = found or [
                    at for at in self.find(words.replace(" AND ", " OR ")) if _day(self.works[at]) <= until
                ]
                answer: Any = {"total": len(found), **end, "data": found[start : start + min(most, 100)]}
            case ["paper", "search", "match"]:
                found = self.find(_fts(" ".join(re.findall(r"\w+", query["query"]))), "title")
                if not found:
                    return 404, b'{"error": "Title match not found"}', {}
                answer = {"data": found[:1]}
            case ["paper", "batch"]:
                answer = [self._paper(id) for id in body["ids"][:500]]
                if all(at is None for at in answer):
                    return 400, b'{"error": "No valid paper ids given"}', {}
            case ["papers"]:  # recommendations: the works that most of the given works are cited with
                given = {self._paper(id) for id in body["positivePaperIds"]} - {None}
                if not given:
                    return 404, b'{"error": "Input papers not found"}', {}
                shared = Counter(
                    at
                    for one in given
                    for citing in self._citing[one or 0]
                    for at in self.works[citing].references
                )
                answer = {"recommendedPapers": [at for at, _ in shared.most_common(most) if at not in given]}
            case ["paper", *id, ("references" | "citations") as way]:
                if (at := self._paper("/".join(id))) is None:
                    return 404, b'{"error": "Paper not found"}', {}
                found = self._citing[at][::-1] if way == "citations" else list(self.works[at].references)
                name = "citingPaper" if way == "citations" else "citedPaper"
                made = [
                    {
                        "contexts": [],
                        "intents": ["background"],
                        "isInfluential": False,
                        name: self._s2_work(at, fields),
                    }
                    for at in found[start : start + most]
                ]
                return 200, json.dumps({**end, "next": start + most, "data": made}).encode(), {}
            case _:
                return 404, b'{"error": "Not found"}', {}
        return 200, json.dumps(self._s2_shown(answer, fields)).encode(), {}

    def _s2_shown(self, answer: Any, fields: Sequence[str]) -> Any:
        if isinstance(answer, list):
            return [None if at is None else self._s2_work(at, fields) for at in answer]
        lists = ("data", "recommendedPapers")
        return {
            name: self._s2_shown(value, fields) if name in lists else value for name, value in answer.items()
        }

    def _paper(self, id: str) -> int | None:
        kind, _, bare = id.rpartition(":")
        if kind.upper() == "ARXIV":
            return self._by_doi.get(f"10.48550/arxiv.{bare}")
        return self._by_doi.get(id[4:].lower()) if id.upper().startswith("DOI:") else self._by_key.get(id)

    def _s2_work(self, at: int, fields: Sequence[str]) -> dict[str, Any]:
        work = self.works[at]
        ids = {"ArXiv": work.arxiv, "DOI": work.doi or (f"10.48550/arXiv.{work.arxiv}" if work.arxiv else "")}
        known = {
            "externalIds": {"CorpusId": at, **{name: id for name, id in ids.items() if id}},
            "title": work.title,
            "abstract": work.abstract or None,
            "authors": [{"authorId": "1", "name": name} for name in work.authors],
            "year": work.year,
            "publicationDate": work.date or None,
            "venue": work.venue or "arXiv.org",
            "citationCount": len(self._citing[at]),
        }
        references = [{"paperId": _sha(self.works[reference])} for reference in work.references]
        known |= {"references.paperId": references}
        return {
            "paperId": _sha(work),
            **{name.split(".")[0]: known[name] for name in fields if name in known},
        }

    def _arxiv(self, path: str, query: Mapping[str, str], _: object) -> Reply:
        """https://info.arxiv.org/help/api/user-manual.html"""
        asked = query.get("search_query", "")
        if path != "api/query" or not asked:
            return 400, b"", {}
        day = re.search(r"submittedDate:\[\d+ TO (\d{4})(\d\d)(\d\d)\d{4}\]", asked)
        until = "-".join(day.groups()) if day else "9999"
        terms = re.findall(r'(all|ti):("[^"]*"|[^\s()]+)', asked)
        words = " OR ".join(_fts(words) for _, words in terms)
        found = self.find(words, "title" if terms and terms[0][0] == "ti" else "")
        found = [at for at in found if self.works[at].arxiv and _day(self.works[at]) <= until]
        start, most = int(query.get("start", "0")), int(query.get("max_results", "10"))
        entries = "".join(self._arxiv_entry(self.works[at]) for at in found[start : start + most])
        names = 'xmlns="http://www.w3.org/2005/Atom" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"'
        total = f"<opensearch:totalResults>{len(found)}</opensearch:totalResults>"
        return (
            200,
            f'<?xml version="1.0" encoding="UTF-8"?><feed {names}>{total}{entries}</feed>'.encode(),
            {},
        )

    def _arxiv_entry(self, work: Work) -> str:
        authors = "".join(f"<author><name>{escape(name)}</name></author>" for name in work.authors)
        day = _day(work) or "2020-01-01"
        return (
            f"<entry><id>http://arxiv.org/abs/{work.arxiv}v1</id><title>{escape(work.title)}</title>"
            f"<summary>{escape(work.abstract)}</summary><published>{day}T00:00:00Z</published>"
            f"<updated>{day}T00:00:00Z</updated>{authors}</entry>"
        )

    def _crossref(self, path: str, query: Mapping[str, str], _: object) -> Reply:
        """https://api.crossref.org/swagger-ui/index.html"""
        if path != "works":
            return 404, b"Resource not found.", {}
        until = re.search(r"until-pub-date:([\d-]+)", query.get("filter", ""))
        found = [
            at
            for at in self.find(" OR ".join(map(_fts, query["query"].split())))
            if self.works[at].doi and self.works[at].abstract and not self.works[at].closed
            if not until or _day(self.works[at]) <= until[1]
        ]
        items = [self._crossref_work(at) for at in found[: int(query.get("rows", "20"))]]
        message = {"total-results": len(found), "items-per-page": len(items), "items": items}
        return 200, json.dumps({"status": "ok", "message-type": "work-list", "message": message}).encode(), {}

    def _crossref_work(self, at: int) -> dict[str, Any]:
        work = self.works[at]
        names = [name.rpartition(" ") for name in work.authors]
        return {
            "DOI": work.doi,
            "type": "proceedings-article",
            "title": [work.title],
            "author": [{"given": given, "family": family, "sequence": "first"} for given, _, family in names],
            "container-title": [work.venue] if work.venue else [],
            "issued": {"date-parts": [[work.year]]},
            "abstract": f"<jats:p>{escape(work.abstract)}</jats:p>",
            "is-referenced-by-count": len(self._citing[at]),
        }


def _openalex_id(at: int) -> str:
    return f"https://openalex.org/W{10**6 + at}"


def _number(id: str) -> int | None:
    match = re.search(r"W(\d+)$", id)
    return int(match[1]) - 10**6 if match else None


def _sha(work: Work) -> str:
    return hashlib.sha1(f"{work.title} {work.doi} {work.arxiv}".encode()).hexdigest()


def _day(work: Work) -> str:
    return work.date or (f"{work.year}-01-01" if work.year else "")


def _fts(text: str) -> str:
    """A query in the syntax of the services (AND, OR, NOT, phrases) in that of FTS5. Words without an
    operator between them are joined by AND, as OpenAlex does."""
    return " ".join(
        part if part in ("AND", "OR", "NOT", "(", ")") else '"' + part.replace('"', "") + '"'
        for part in re.findall(r'"[^"]*"|[()]|[^\s()"]+', text)
    )


@contextlib.contextmanager
def serving(works: Sequence[Work], delay_s: float = 0.0) -> Iterator[Literature]:
    """Other processes need `environment`."""
    state = Literature(works, delay_s)

    with got(state.serve) as state.address, mock.patch.dict(os.environ, environment(state.address)):
        yield state


def environment(address: str) -> dict[str, str]:
    """The variables that name this server instead of the public services."""
    return {f"TEXGEIST_{name.upper()}_ADDRESS": f"{address}/{name}" for name in NAMES}
