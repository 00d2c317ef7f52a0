"""Semantic Scholar in discovery: search, titles, references, citations, and recommendations.

Format: https://api.semanticscholar.org/api-docs/graph and https://api.semanticscholar.org/api-docs/recommendations.
A key is optional. Without a key, all anonymous users share one limit, so the service often answers 429."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ..identity import bare_id, plain_title
from ..sources.arxiv import split_id
from ..sources.client import NotThere, RequestRefused, Site, SourceClient
from ..sources.registered import dig, doi_in, json_of, listed, registered, text_of, works_in
from ..types import DiscoveryRequest, Paper
from ..types.papers import is_arxiv
from .asking import Endpoint, Parse, Run, ServiceWork, date_of
from .service import MOST_KNOWN, ServiceFinds, known_works, others, terms, walk

ADDRESS = "https://api.semanticscholar.org"
SITE = Site(
    "Semantic Scholar",
    domains=("semanticscholar.org",),
    check="Check its key and address.",
    absent="refused the question",
)
PAUSE_S = 1.0  # a key allows one request a second; so each further request makes the run a second longer
PAGE = 100
MOST_AT_ONCE = 500  # ids
MOST_TITLES = 2  # each is a request
MOST_CITED = 2  # works whose citations are read; each is a request
CITING_EACH = 50  # citing works read for each of these; an answer may have at most 9,999 references
MOST_TERMS = 8
_FIELDS = "title,abstract,authors,year,publicationDate,venue,externalIds"
_WITH_REFERENCES = f"{_FIELDS},references.paperId"


class SemanticScholar:
    name = "Semantic Scholar"
    searches = 2

    def __init__(self, client: SourceClient, address: str = "") -> None:
        """The client sends the key, as the header `x-api-key`."""
        self._api = Endpoint(client, (address or ADDRESS).rstrip("/"), {})

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        walk(self, request, run, finds)
        if finds.known:
            works = finds.attempt(self._recommended, list(finds.known), run)
            finds.add("recommended", others(works, request))

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        words = " ".join(terms(text, MOST_TERMS))
        dates = {"publicationDateOrYear": f":{until}"} if until else {}
        parameters = {"query": words, "limit": str(PAGE), "fields": _FIELDS, **dates}
        return self._get(run, "paper/search", parameters, "data") if words else []

    def cited(self, request: DiscoveryRequest, run: Run) -> list[ServiceWork]:
        ids = [named for id in sorted(request.query.cited_ids) if (named := _named(id))]
        found = self._batch(run, ids[:MOST_KNOWN], _WITH_REFERENCES)
        names = {plain_title(work.paper.title) for work in found}
        left = [w.title for w in request.query.cited_works if plain_title(w.title) not in names]
        by_title = known_works(self.titled(left, run), request)
        found += self._batch(run, [work.key for work in by_title], _WITH_REFERENCES)
        return known_works(found, request)

    def titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        return [
            work
            for title in titles[:MOST_TITLES]
            for work in self._get(run, "paper/search/match", {"query": title, "fields": _FIELDS}, "data")
        ]

    def citing(self, keys: Sequence[str], text: str, until: str, run: Run) -> list[ServiceWork]:
        parameters = {"fields": _FIELDS, "limit": str(CITING_EACH)}
        found = [
            work.key
            for key in keys[:MOST_CITED]
            for work in self._get(run, f"paper/{key}/citations", parameters, "data", "citingPaper")
        ]
        return self._batch(run, list(dict.fromkeys(found)), _WITH_REFERENCES)

    def with_references(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        return self._batch(run, keys, _WITH_REFERENCES)

    def with_keys(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        return self._batch(run, keys, _FIELDS)

    def described(self, papers: Sequence[Paper], run: Run) -> list[ServiceWork]:
        """See `AbstractSource`."""
        ids = (_named(paper.id) or _named(f"doi:{paper.doi}") for paper in papers)
        return self._batch(run, list(filter(None, ids)), _FIELDS)

    def close(self) -> None:
        self._api.client.close()

    def _recommended(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        parameters = {"fields": _FIELDS, "limit": str(PAGE)}
        body = {"positivePaperIds": keys, "negativePaperIds": []}

        def parse(answer: bytes) -> list[ServiceWork]:
            return _works(answer, "recommendedPapers")

        return self._asked(run, "recommendations/v1/papers/", parameters, parse, body)

    def _batch(self, run: Run, ids: Sequence[str], fields: str) -> list[ServiceWork]:
        if not ids:
            return []
        body = {"ids": list(ids[:MOST_AT_ONCE])}
        return self._asked(run, "graph/v1/paper/batch", {"fields": fields}, lambda b: _works(b), body)

    def _get(self, run: Run, path: str, parameters: Mapping[str, str], *names: str) -> list[ServiceWork]:
        return self._asked(run, f"graph/v1/{path}", parameters, lambda body: _works(body, *names))

    def _asked(
        self,
        run: Run,
        path: str,
        parameters: Mapping[str, str],
        parse: Parse,
        body: Mapping[str, Any] | None = None,
    ) -> list[ServiceWork]:
        try:
            return self._api.works(run, path, parameters, parse, body=body)
        except (NotThere, RequestRefused):  # no work has this title, or all ids are unknown
            return []


def _works(body: bytes, list_name: str = "", item_name: str = "") -> list[ServiceWork]:
    """The valid works in the list of an answer; with `item_name`, each work is this member of its item. An
    object without the list has no results. Raises `SourceUnavailable` for any other answer."""
    answer = json_of(body, "Semantic Scholar")
    none = isinstance(answer, dict) and list_name and answer.get(list_name) is None
    items = [] if none else works_in(body, "Semantic Scholar", *filter(None, [list_name]))[:MOST_AT_ONCE]
    return [work for item in items if (work := _work(dig(item, item_name) if item_name else item))]


def _work(item: object) -> ServiceWork | None:
    key = text_of(dig(item, "paperId"))
    if not isinstance(item, dict) or not re.fullmatch(r"[0-9a-f]{40}", key):
        return None
    doi = doi_in(dig(item, "externalIds", "DOI"))
    split = split_id(text_of(dig(item, "externalIds", "ArXiv")) or doi.removeprefix("10.48550/arxiv."))
    own = doi.startswith("10.48550/arxiv.")
    known = {
        "id": split[0] if split else f"doi:{doi}" if doi else f"s2:{key}",
        "title": item.get("title"),
        "abstract": item.get("abstract"),
        "authors": [name for one in listed(item.get("authors")) if (name := text_of(dig(one, "name")))],
        "year": item.get("year"),
        "published": date_of(item.get("publicationDate")),
        "venue": "" if text_of(item.get("venue")).lower().startswith("arxiv") else item.get("venue"),
        "doi": "" if own else doi,
    }
    made = registered(known, "other")
    if made is None:
        return None
    references = tuple(
        text for one in listed(item.get("references")) if (text := text_of(dig(one, "paperId")))
    )
    return ServiceWork(key, made.paper, references, made.gone)


def _named(id: str) -> str:
    """The id in Semantic Scholar's form; "" if it has none."""
    bare = bare_id(id)
    if is_arxiv(bare):
        return f"ARXIV:{bare}"
    return f"DOI:{id.removeprefix('doi:')}" if id.startswith("doi:10.") else ""
