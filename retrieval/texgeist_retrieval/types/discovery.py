"""The values of discovery: requests to literature services, and their results.

Papers are identified by `Paper.id`. The works that the draft cites are papers too (`Discovery.cited`), so that
paths and links can name them by id."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .papers import Paper
from .queries import Query

ServiceName = Literal["openalex", "semanticscholar", "arxiv", "crossref"]
SERVICES: Mapping[ServiceName, str] = {  # names for the user
    "openalex": "OpenAlex",
    "semanticscholar": "Semantic Scholar",
    "arxiv": "arXiv",
    "crossref": "Crossref",
}
MOST_CALLS = 40
MOST_DOLLARS = 0.02

# How a paper was reached. "search": by a text query. "title": its title was looked up. "cited by", "cites",
# "cited with": it is cited by, cites, or is cited together with, works that the draft cites. "near": it is
# cited by, or cites, the first results of a search. "recommended": a service recommends it for the cited works.
PathKind = Literal["search", "title", "cited by", "cites", "cited with", "near", "recommended"]


@dataclass(frozen=True, slots=True)
class DiscoveryRequest:
    """`query` has the draft's title, authors and abstract, and the works that it cites (`cited_ids`,
    `cited_works`). `texts`: search queries, the most important first. `titles`: titles of works to look up.
    `until`: ISO date; later papers are left out."""

    query: Query
    texts: tuple[str, ...]
    titles: tuple[str, ...] = ()
    until: str = ""
    most_calls: int = MOST_CALLS
    most_dollars: float = MOST_DOLLARS


@dataclass(frozen=True, slots=True)
class DiscoveryPath:
    """One way in which a paper was reached. `service`: the name of the service, for the user. `query`: for
    the kinds "search" and "title", the text. `works`: for the other kinds, the ids of the works through
    which the path leads (works that the draft cites; for "near", results of a search)."""

    kind: PathKind
    service: str
    query: str = ""
    works: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiscoveredPaper:
    paper: Paper
    paths: tuple[DiscoveryPath, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationLink:
    """A citation between two works, by id."""

    citing: str
    cited: str


@dataclass(frozen=True, slots=True)
class CitationGraph:
    """Citations around a draft. `cited`: works that the draft cites; `links`: citations between these works
    and others."""

    cited: tuple[Paper, ...] = ()
    links: tuple[CitationLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Discovery:
    """`papers`: new papers with an abstract, the best first, without the draft itself and the works that it
    cites. `cited`: the works that the draft cites, as the services describe them. `links`: citations between
    these papers and works, and from other works to them. `calls`: requests sent. `dollars`: their cost. `notes`: for
    the user. `unfinished`: the services that did not answer every request, for the user."""

    papers: tuple[DiscoveredPaper, ...] = ()
    cited: tuple[DiscoveredPaper, ...] = ()
    links: tuple[CitationLink, ...] = ()
    calls: int = 0
    dollars: float = 0.0
    notes: tuple[str, ...] = ()
    unfinished: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        return not self.unfinished
