"""Crossref: publishers' metadata by DOI, with retractions and corrections (including those of Retraction
Watch).

Format of the answers: https://github.com/CrossRef/rest-api-doc/blob/master/api_format.md and, for
`updated-by`, https://www.crossref.org/blog/retraction-watch-retractions-now-in-the-crossref-api. A retraction
notice is a work with `update-to`; the retracted work has `updated-by`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from html import unescape
from typing import Any

from ..ports import Monitor
from .client import Site
from .registered import (
    PAGE,
    Kind,
    Notice,
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

ADDRESS = "https://api.crossref.org"
SITE = Site(
    "Crossref",
    domains=("crossref.org",),
    check="Check the Crossref address in the settings.",
    absent="refused the question",
)
PAUSE_S = 0.5  # Crossref allows three list requests per second
NEAREST = 5  # works for each title
NOTICES = 3  # of each work
_KINDS: Mapping[str, Kind] = {
    "journal-article": "article",
    "proceedings-article": "inproceedings",
    "posted-content": "preprint",
}
_NO_PAPERS = frozenset(
    {"component", "peer-review", "grant", "journal", "journal-issue", "proceedings", "journal-volume"}
)
_NOTICES: Mapping[str, Notice] = {
    "retraction": "retracted",
    "partial_retraction": "corrected",
    "removal": "retracted",
    "withdrawal": "withdrawn",
    "expression_of_concern": "concern",
    "correction": "corrected",
    "corrigendum": "corrected",
    "erratum": "corrected",
}
MOST_ABSTRACT = 50_000  # characters, including markup
_HEADING = re.compile(
    r"<jats:title>[^<>]{0,200}</jats:title>|^\s*(?:<[^<>]{0,200}>\s*)*abstract[:.]?\s(?=[A-Z<])", re.I
)
_DATES = ("published-print", "published-online", "issued", "published")


class CrossrefWorks(Registry):
    name = "Crossref"
    usual = ADDRESS
    ids_at_once = 20  # each work includes its list of references

    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        askable = [doi for doi in ids if "," not in doi]  # a comma separates filters and cannot be escaped
        if not askable:
            return {}
        chosen = ",".join(f"doi:{doi}" for doi in askable)
        works = {work.paper.doi: work for work in self._ask("filter", chosen, len(askable), monitor)}
        told = self._updates(list(works), monitor) if works else {}
        notices = {
            doi: tuple(dict.fromkeys((*work.notices, *told.get(doi, ())))) for doi, work in works.items()
        }
        return {doi: replace(work, notices=notices[doi]) for doi, work in works.items()}

    def titled(self, titles: Sequence[str], monitor: Monitor) -> dict[str, list[Registered]]:
        return by_words(titles, lambda words: self._ask("query.bibliographic", words, NEAREST, monitor))

    def _updates(self, dois: Sequence[str], monitor: Monitor) -> dict[str, list[Notice]]:
        """The notices on the works with these DOIs. They are searched for, because a work does not always
        list its notices."""
        chosen = ",".join(f"updates:{doi}" for doi in dois)
        parameters = {"filter": chosen, "rows": str(NOTICES * len(dois))}
        found: dict[str, list[Notice]] = {}
        for item in _items(self._get(parameters, monitor)):
            for update in listed(dig(item, "update-to")):
                doi, notice = doi_in(dig(update, "DOI")), _notice(update)
                if doi and notice:
                    found.setdefault(doi, []).append(notice)
        return found

    def _ask(self, name: str, value: str, rows: int, monitor: Monitor) -> list[Registered]:
        parameters = {name: value, "rows": str(rows)}
        return list(parse_works(self._get(parameters, monitor)))


def parse_works(body: bytes) -> Iterator[Registered]:
    """Yields the works of an answer; invalid works are left out. Raises `SourceUnavailable` if the answer is
    not a list of works."""
    for item in _items(body):
        if isinstance(item, dict) and (work := read_work(item)) is not None:
            yield work


def _items(body: bytes) -> list[Any]:
    return works_in(body, "Crossref", "message", "items")


def read_work(item: dict[str, Any]) -> Registered | None:
    """The work that an item describes; None for an invalid item, a notice, or an item that is not a paper."""
    doi = doi_in(item.get("DOI"))
    if not doi or item.get("type") in _NO_PAPERS or item.get("update-to"):  # a notice is not a paper
        return None
    years = tuple(dict.fromkeys(year for name in _DATES if (year := _year(item.get(name)))))
    meeting = _year(dig(item, "event", "start"))
    kind = _KINDS.get(str(item.get("type")), "other")
    related = listed(dig(item, "relation", "is-preprint-of"))
    known = {
        "id": f"doi:{doi}",
        "title": _title(item),
        "authors": [name for author in listed(item.get("author")) if (name := _name(author))],
        "venue": "" if kind == "preprint" else _first(item.get("container-title")),
        "year": _year(item.get("issued")) or (years[0] if years else None),
        "doi": doi,
        "abstract": _abstract(item.get("abstract")),
    }
    return registered(
        known,
        kind,
        years=(*years, meeting) if meeting and meeting not in years else years,
        notices=tuple(notice for one in listed(item.get("updated-by")) if (notice := _notice(one))),
        published=next(filter(None, (doi_in(dig(one, "id")) for one in related)), ""),
        volume=part(item.get("volume")),
        number=part(item.get("issue")),
        pages=part(item.get("page")),
    )


def _abstract(value: object) -> str:
    """The text of an abstract without markup (usually JATS) and without its heading."""
    plain = re.sub(r"<[^<>]{0,200}>", " ", _HEADING.sub(" ", text_of(value)[:MOST_ABSTRACT]))
    return " ".join(unescape(plain).split())


def _title(item: Mapping[str, Any]) -> str:
    title, subtitle = _first(item.get("title")), _first(item.get("subtitle"))
    return f"{title}: {subtitle}" if subtitle and subtitle.lower() not in title.lower() else title


def _name(author: object) -> str:
    """The author as `Family, Given`, which is unambiguous, or the name of the group. Returns "" for an
    invalid author."""
    if not isinstance(author, dict):
        return ""
    family, given, group = (text_of(author.get(name)).strip(" ,") for name in ("family", "given", "name"))
    suffix = text_of(author.get("suffix"))
    if not family:
        return f"{{{group}}}" if " " in group else group or given
    return ", ".join(filter(None, (family, suffix, given)))


def _notice(update: object) -> Notice | None:
    kind = update.get("type") if isinstance(update, dict) else None
    return _NOTICES.get(str(kind).lower().replace("-", "_").replace(" ", "_"))


def _year(date: object) -> int | None:
    parts = _first_of(_first_of(date.get("date-parts"))) if isinstance(date, dict) else None
    return parts if isinstance(parts, int) and not isinstance(parts, bool) and 1000 < parts < 3000 else None


def _first_of(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None


def _first(value: object) -> str:
    return text_of(_first_of(value))


class CrossrefQuery(WorksQuery):
    usual = ADDRESS

    dialect = QueryDialect(
        "Crossref",
        parse_works,
        with_abstract="has-abstract:true",
        since="from-index-date",
        words="query",
        page={"rows": str(PAGE)},
        total=("message", "total-results"),
        cursor=("message", "next-cursor"),
    )

    def _reached(self) -> str:
        return date.today().isoformat()
