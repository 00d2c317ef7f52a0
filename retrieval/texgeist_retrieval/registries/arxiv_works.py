"""arXiv as a registry of papers: what it holds under an id or a title, its newest version, what was withdrawn."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ..harvest.admission import said_of
from ..harvest.arxiv import API_ADDRESS, ARXIV, LARGEST_ANSWER
from ..harvest.atom import parse_entries, split_id
from ..harvest.records import is_withdrawn
from ..ports import Monitor
from ..types import Paper
from .registered import AskedWorks, Registered, registered

SITE = replace(ARXIV, meanwhile="Try again in a minute.", absent="refused the question")
NEAREST = 3  # papers for a title


class ArxivWorks(AskedWorks):
    """A `Registry`."""

    name = "arXiv"
    usual = API_ADDRESS
    path = "api/query"
    largest = LARGEST_ANSWER
    by_id: Literal["doi", "arxiv"] = "arxiv"
    ids_at_once = 100
    titles_at_once = 20

    def with_ids(self, ids: Sequence[str], monitor: Monitor) -> dict[str, Registered]:
        """Ids that arXiv could not have are not sent: a single bad one has the whole request refused."""
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
        {**said_of(paper), "venue": ""},  # `journal_ref` is written in any form: no venue to compare with
        "preprint",
        years=(paper.year,) if paper.year else (),
        notices=("withdrawn",) if gone else (),
        published=paper.doi.lower() if paper.doi else "",
        newest=paper.version,
    )
