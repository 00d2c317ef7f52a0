"""OpenAlex in discovery: search, titles, and the citation graph.

Format: https://developers.openalex.org/api-reference/works. Searches cost 0.001 $, lists by filter 0.0001 $;
a key is free and may spend 1 $ a day. A filter takes up to 100 values, and an address about 4 KB."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..identity import bare_id, plain_title
from ..sources.client import ServerBusy, SourceClient
from ..sources.openalex import ADDRESS, FIELDS, read_work
from ..sources.registered import batches, listed, text_of, words_of, works_in
from ..types import DiscoveryRequest
from ..types.papers import is_arxiv
from .asking import Endpoint, Run, ServiceWork, date_of
from .service import MOST_KNOWN, MOST_TERMS, ServiceFinds, known_works, terms, walk

SEARCH, LIST = 0.001, 0.0001  # dollars a call
PAGE = 100
DOIS_AT_ONCE, TITLES_AT_ONCE = 50, 8
MOST_TITLE_SEARCHES = 3
LONGEST_TITLE = 40  # words
_FIELDS = f"{FIELDS},publication_date,referenced_works"
_WORDS = "search.title_and_abstract"  # `search` would also search full texts, which OpenAlex has only for some works
NO_KEY = (
    "OpenAlex was asked without a key, which allows few requests a day. "
    "A free key is at https://openalex.org/settings/api."
)


class OpenAlex:
    name = "OpenAlex"
    searches = 4

    def __init__(self, client: SourceClient, address: str = "", key: str = "") -> None:
        self._works = Endpoint(client, (address or ADDRESS).rstrip("/"), {"api_key": key} if key else {})
        self._keyless = not key

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        try:
            walk(self, request, run, finds)
        finally:
            refused = any(isinstance(failure, ServerBusy) for failure in finds.failures)
            finds.note = NO_KEY if self._keyless and (refused or finds.works) else ""

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        words = " OR ".join(terms(text, MOST_TERMS))
        return self._list(run, _until(until), SEARCH, {_WORDS: words}) if words else []

    def cited(self, request: DiscoveryRequest, run: Run) -> list[ServiceWork]:
        """Looks the works up by DOI (for an arXiv id, by arXiv's DOI), then the works not found by title."""
        dois = [doi for id in sorted(request.query.cited_ids) if (doi := _doi(id))]
        found: list[ServiceWork] = []
        for some in batches(dois[:MOST_KNOWN], DOIS_AT_ONCE):
            found += self._list(run, "doi:" + "|".join(some), LIST)
        names = {plain_title(work.paper.title) for work in found}
        left = [work.title for work in request.query.cited_works if plain_title(work.title) not in names]
        return known_works([*found, *self.titled(left, run)], request)

    def titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        phrases = [
            f'"{" ".join(words)}"' for words in map(words_of, titles) if 1 < len(words) <= LONGEST_TITLE
        ]
        found: list[ServiceWork] = []
        for some in list(batches(phrases, TITLES_AT_ONCE))[:MOST_TITLE_SEARCHES]:
            found += self._list(run, f"title.search:{' OR '.join(some)}", SEARCH)
        return found

    def citing(self, keys: Sequence[str], text: str, until: str, run: Run) -> list[ServiceWork]:
        filters = ",".join(filter(None, (f"cites:{'|'.join(keys[:PAGE])}", _until(until))))
        words = " OR ".join(terms(text, MOST_TERMS))
        near = self._list(run, filters, SEARCH, {_WORDS: words}) if words else []
        newest = self._list(run, filters, LIST, {"sort": "publication_date:desc"})
        return list({work.key: work for work in (*near, *newest)}.values())

    def with_references(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        return []  # all results have their references

    def with_keys(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        return [
            work
            for some in batches(keys, PAGE)
            for work in self._list(run, f"openalex:{'|'.join(some)}", LIST)
        ]

    def close(self) -> None:
        self._works.client.close()

    def _list(
        self, run: Run, filters: str, dollars: float, more: Mapping[str, str] | None = None
    ) -> list[ServiceWork]:
        parameters = {**(more or {}), "per-page": str(PAGE), "select": _FIELDS}
        parameters |= {"filter": filters} if filters else {}
        return self._works.works(run, "works", parameters, parse, dollars)


def parse(body: bytes) -> list[ServiceWork]:
    """The valid works of an answer. Raises `SourceUnavailable` if it is not a list of works."""
    works = []
    for item in works_in(body, "OpenAlex", "results")[:PAGE]:
        key = _key(item.get("id")) if isinstance(item, dict) else ""
        known = read_work(item) if key else None
        if known is None:
            continue
        references = tuple(filter(None, map(_key, listed(item.get("referenced_works")))))
        paper = replace(known.paper, published=date_of(item.get("publication_date")))
        works.append(ServiceWork(key, paper, references, known.gone))
    return works


def _key(value: object) -> str:
    match = re.search(r"W\d{1,15}$", text_of(value))
    return match[0] if match else ""


def _doi(id: str) -> str:
    """The DOI of an id; "" if the id has none, or if a filter cannot contain it."""
    bare = bare_id(id)
    doi = f"10.48550/arxiv.{bare}" if is_arxiv(bare) else id.removeprefix("doi:")
    return doi.lower() if doi.startswith("10.") and not re.search(r"[,|\s]", doi) else ""


def _until(date: str) -> str:
    return f"to_publication_date:{date}" if date else ""
