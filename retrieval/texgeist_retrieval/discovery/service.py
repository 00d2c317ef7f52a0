"""What discovery needs of a service of literature, and how a service is searched: text queries, and the
citation graph around the works that the draft cites."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..identity import is_cited, plain_title
from ..text.words import STOP_WORDS
from ..types import DiscoveryRequest
from ..types.discovery import PathKind
from .asking import Run, ServiceWork

MOST_TEXTS = 4  # search queries to each service
MOST_KNOWN = 100  # works that the draft cites, and that the graph starts from
MOST_FETCHED = 200  # works of the graph whose records are requested
NEAREST = 8  # first results of each search, whose references are read
SEEDS = 5  # if the draft cites nothing known, the graph starts from so many results of the search


@dataclass(frozen=True, slots=True)
class Reached:
    """Works reached in one way, the best first. `over`: for each work, the keys of the works over which its
    path leads."""

    kind: PathKind
    works: tuple[str, ...]
    query: str = ""
    over: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class ServiceFinds:
    """What a service found, by its own keys. It grows during a run, so that a service that fails keeps what
    it has found. `known`: works that the draft cites."""

    works: dict[str, ServiceWork] = field(default_factory=dict)
    known: dict[str, ServiceWork] = field(default_factory=dict)
    reached: list[Reached] = field(default_factory=list)
    note: str = ""

    def add(self, kind: PathKind, works: Iterable[ServiceWork], query: str = "") -> list[ServiceWork]:
        taken = [work for work in works if not work.gone]
        self.works.update({work.key: work for work in taken})
        if taken:
            self.reached.append(Reached(kind, tuple(work.key for work in taken), query))
        return taken


class LiteratureService(Protocol):
    """A service that is searched with words. Each call may raise `SourceError`."""

    name: str

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        """Works on a subject, the most relevant first, published until that ISO date."""
        ...

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        """Puts what the service has for a draft into `finds`."""
        ...

    def close(self) -> None: ...


class CitationService(LiteratureService, Protocol):
    """A service that also knows citations. Keys are the service's own ids."""

    def cited(self, request: DiscoveryRequest, run: Run) -> list[ServiceWork]:
        """The works that the draft cites, with their references. Other works may be among them."""
        ...

    def titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        """Works with these titles; they may be other works."""
        ...

    def citing(self, keys: Sequence[str], text: str, until: str, run: Run) -> list[ServiceWork]:
        """Works that cite any of these, with their references; those on the subject `text` first."""
        ...

    def recommended(self, keys: Sequence[str], until: str, run: Run) -> list[ServiceWork]: ...

    def with_keys(self, keys: Sequence[str], run: Run) -> list[ServiceWork]: ...


def search_all(service: LiteratureService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    for text in request.texts[:MOST_TEXTS]:
        finds.add("search", service.search(text, request.until, run), text)


def walk(service: CitationService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    """Searches the service, and follows citations for at most two steps from the works that the draft cites
    (from the first results, if the draft cites nothing that the service knows)."""
    finds.known.update({work.key: work for work in service.cited(request, run)[:MOST_KNOWN]})
    search_all(service, request, run, finds)
    if request.titles:
        named = Counter(map(plain_title, request.titles))
        works = service.titled(request.titles, run)
        finds.add("title", (work for work in works if plain_title(work.paper.title) in named))
    firsts = [key for one in finds.reached for key in one.works[:NEAREST] if key not in finds.known]
    seeds = list(finds.known) or list(dict.fromkeys(firsts))[:SEEDS]
    if not seeds:
        return
    finds.add("recommended", service.recommended(seeds, request.until, run))
    citing = service.citing(seeds, " ".join((request.query.title, *request.texts[:1])), request.until, run)
    finds.works.update({work.key: work for work in citing if not work.gone})
    finds.reached += _by_citations(finds, set(seeds), dict.fromkeys(firsts), citing)
    missing = _best_missing(finds)
    finds.works.update({work.key: work for work in service.with_keys(missing, run) if not work.gone})


def _by_citations(
    finds: ServiceFinds, seeds: set[str], firsts: Iterable[str], citing: Sequence[ServiceWork]
) -> list[Reached]:
    """The works around `seeds`: cited by them, citing them, cited together with them; and the references of
    the first results of the search."""
    start = finds.known or {key: finds.works[key] for key in seeds if key in finds.works}
    cited_by: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for key, work in start.items():
        for reference in work.references:
            cited_by[reference][key] = None
    cites = {work.key: tuple(key for key in work.references if key in seeds) for work in citing}
    together: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for work in citing:
        shared = cites[work.key]
        for reference in work.references if shared else ():
            together[reference].update(shared)
    near: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for key in firsts:
        for reference in finds.works[key].references if key in finds.works else ():
            near[reference][key] = None
    kinds: tuple[PathKind, PathKind, PathKind] = (
        ("cited by", "cites", "cited with") if finds.known else ("near", "near", "near")
    )
    return [
        _ranked(kinds[0], {key: Counter(over) for key, over in cited_by.items()}, seeds),
        _ranked(kinds[1], {key: Counter(over) for key, over in cites.items()}, seeds),
        _ranked(kinds[2], together, seeds),
        _ranked("near", {key: Counter(over) for key, over in near.items()}, seeds),
    ]


def _ranked(kind: PathKind, over: dict[str, Counter[str]], seeds: set[str]) -> Reached:
    """The works with the most paths first; a single path from a single work says little, but is kept."""
    keys = [key for key in over if key not in seeds and over[key]]
    keys.sort(key=lambda key: (-len(over[key]), -over[key].total(), key))
    keys = keys[:MOST_FETCHED]
    return Reached(
        kind, tuple(keys), over={key: tuple(k for k, _ in over[key].most_common(10)) for key in keys}
    )


def _best_missing(finds: ServiceFinds) -> list[str]:
    """The keys of the works that were reached by citations only, and whose records are not known yet."""
    ranks: Counter[str] = Counter()
    for one in finds.reached:
        for place, key in enumerate(one.works):
            if key not in finds.works and key not in finds.known:
                ranks[key] += 1 / (60 + place)  # type: ignore[assignment]
    return [key for key, _ in ranks.most_common(MOST_FETCHED)]


def known_works(works: Iterable[ServiceWork], request: DiscoveryRequest) -> list[ServiceWork]:
    """Those that the draft cites, by id or by their description in the bibliography."""
    return [work for work in works if is_cited(work.paper, request.query)]


def terms(text: str, most: int) -> list[str]:
    """The telling words of a text to search for, the most frequent first, in lower case, so that no word is
    an operator of a query's syntax."""
    found = re.findall(r"[^\W_]+", text.lower())
    counted = Counter(word for word in found if len(word) > 2 and word not in STOP_WORDS)
    return [word for word, _ in counted.most_common(most)]
