"""OpenAlex: metadata of papers of all registries, including papers without DOI, with retractions.

Format of the answers: https://docs.openalex.org/api-entities/works/work-object. In a filter, commas and
vertical bars are syntax, and cannot be escaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..ports import Monitor
from .client import Site
from .registered import (
    PAGE,
    Kind,
    QueryDialect,
    Registered,
    Registry,
    WorksQuery,
    by_words,
    dig,
    doi_in,
    listed,
    part,
    registered,
    text_of,
    works_in,
)

ADDRESS = "https://api.openalex.org"
SITE = Site(
    "OpenAlex",
    domains=("openalex.org",),
    check="Check the OpenAlex address in the settings.",
    absent="refused the question",
)
REGISTRY = replace(SITE, meanwhile="Try again in an hour, or set a free key in OPENALEX_API_KEY.")
PAUSE_S = 0.5
NEAREST = 5  # works for each title
FIELDS = "id,doi,display_name,publication_year,type,is_retracted,primary_location,authorships,biblio,abstract_inverted_index"
MOST_WORDS = 10_000  # of an abstract


class OpenAlexWorks(Registry):
    name = "OpenAlex"
    usual = ADDRESS
    ids_at_once = 50
    key = ""  # sent only to OpenAlex, which allows few searches an hour without a key

    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        askable = [doi for doi in ids if not re.search(r"[,|]", doi)]
        works = self._ask("doi:" + "|".join(askable), len(askable), monitor) if askable else []
        return {work.paper.doi: work for work in works if work.paper.doi}

    def titled(self, titles: Sequence[str], monitor: Monitor) -> dict[str, list[Registered]]:
        return by_words(titles, lambda words: self._ask(f"title.search:{words}", NEAREST, monitor))

    def _ask(self, chosen: str, most: int, monitor: Monitor) -> list[Registered]:
        parameters = {"filter": chosen, "per-page": str(most), "select": FIELDS}
        parameters |= {"api_key": self.key} if self.key else {}
        return list(parse_works(self._get(parameters, monitor)))


def parse_works(body: bytes) -> Iterator[Registered]:
    """Yields the works of an answer; invalid works are left out. Raises `SourceUnavailable` if the answer is
    not a list of works."""
    for item in works_in(body, "OpenAlex", "results"):
        if isinstance(item, dict) and (work := read_work(item)) is not None:
            yield work


def read_work(item: Mapping[str, Any]) -> Registered | None:
    """The work that a work object describes; None for an invalid one."""
    doi, number = doi_in(item.get("doi")), re.search(r"W\d{1,15}$", text_of(item.get("id")))
    arxiv = doi.removeprefix("10.48550/arxiv.") if doi.startswith("10.48550/arxiv.") else ""
    if not doi and number is None:
        return None
    source = dig(item, "primary_location", "source")
    kind = _kind(item, text_of(dig(source, "type")))
    year = item.get("publication_year")
    known = {
        "id": arxiv or (f"doi:{doi}" if doi else f"openalex:{number[0] if number else ''}"),
        "title": item.get("display_name") or item.get("title"),
        "authors": [
            text_of(dig(one, "author", "display_name")) or text_of(dig(one, "raw_author_name"))
            for one in listed(item.get("authorships"))
        ],
        "venue": "" if kind == "preprint" else dig(source, "display_name"),
        "year": year,
        "doi": "" if arxiv else doi,
        "abstract": _abstract(item.get("abstract_inverted_index")),
    }
    first, last = (part(dig(item, "biblio", name)) for name in ("first_page", "last_page"))
    return registered(
        known,
        kind,
        years=(year,) if isinstance(year, int) and not isinstance(year, bool) else (),
        notices=("retracted",) if item.get("is_retracted") is True else (),
        volume=part(dig(item, "biblio", "volume")),
        number=part(dig(item, "biblio", "issue")),
        pages=f"{first}--{last}" if first and last and first != last else first,
    )


def _abstract(index: object) -> str:
    """The text of the abstract. OpenAlex returns it as an inverted index, from each word to its positions."""
    if not isinstance(index, dict):
        return ""
    placed = [
        (at, word)
        for word, places in list(index.items())[:MOST_WORDS]
        for at in listed(places)
        if isinstance(at, int) and not isinstance(at, bool)
    ]
    return " ".join(word for _, word in sorted(placed)[:MOST_WORDS])


def _kind(item: Mapping[str, Any], source: str) -> Kind:
    if source == "repository" or item.get("type") == "preprint":
        return "preprint"
    if source == "conference" or item.get("type") == "proceedings-article":
        return "inproceedings"
    return "article" if source == "journal" else "other"


class OpenAlexQuery(WorksQuery):
    usual = ADDRESS

    dialect = QueryDialect(
        "OpenAlex",
        parse_works,
        with_abstract="has_abstract:true",
        since="from_publication_date",
        words="search",
        page={"per-page": str(PAGE), "select": FIELDS},
        total=("meta", "count"),
        cursor=("meta", "next_cursor"),
    )
