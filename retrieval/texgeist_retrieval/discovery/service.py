"""What discovery needs from a literature service, and how it searches a service: by text queries, and in the
citation graph around the works that the draft cites."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ParamSpec, Protocol, runtime_checkable

from ..errors import SourceError
from ..identity import is_cited, is_own, plain_title
from ..text.words import STOP_WORDS
from ..types import DiscoveryRequest, Paper
from ..types.discovery import PathKind
from .asking import BudgetSpent, Run, ServiceWork

P = ParamSpec("P")

RANK_SHIFT = 60  # of reciprocal rank fusion (Cormack et al. 2009)
MOST_TERMS = 12  # words of a query
MOST_FAILURES = 2  # after so many failed requests, a service gets no further request
MOST_KNOWN = 100  # works that the draft cites and whose citations are followed
MOST_FETCHED = 200  # works of the graph whose records are requested
EARLY = 10  # first results of each search that are passed to `Run.take` during the run
NEAREST = 8  # first results of each search whose references are read
SEEDS = 5  # first results from which citations are followed if no cited work of the draft is known


@dataclass(frozen=True, slots=True)
class Reached:
    """Works reached in one way, the best first. `over`: for each work, the keys of the works that
    its path passes through."""

    kind: PathKind
    works: tuple[str, ...]
    query: str = ""
    over: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass
class ServiceFinds:
    """What a service found, by the service's keys. The values are added during a run, so that the finds of a
    service that fails later are kept. `known`: works that the draft cites."""

    works: dict[str, ServiceWork] = field(default_factory=dict)
    known: dict[str, ServiceWork] = field(default_factory=dict)
    reached: list[Reached] = field(default_factory=list)
    failures: list[SourceError] = field(default_factory=list)
    note: str = ""

    def attempt(
        self, ask: Callable[P, list[ServiceWork]], *of: P.args, **more: P.kwargs
    ) -> list[ServiceWork]:
        """The result of `ask`; an empty list if the request fails. Raises the error if it is `BudgetSpent`
        or the second failure."""
        try:
            return ask(*of, **more)
        except SourceError as error:
            self.failures.append(error)
            if isinstance(error, BudgetSpent) or len(self.failures) >= MOST_FAILURES:
                raise
            return []

    def keep(self, works: Iterable[ServiceWork]) -> None:
        """Stores the works. References of an earlier record are kept if the new record has none."""
        for work in works:
            before = self.works.get(work.key, work)
            self.works[work.key] = replace(work, references=work.references or before.references)

    def add(self, kind: PathKind, works: Iterable[ServiceWork], query: str = "") -> list[ServiceWork]:
        taken = list(works)
        self.keep(taken)
        if taken:
            self.reached.append(Reached(kind, tuple(work.key for work in taken), query))
        return taken


class LiteratureService(Protocol):
    """A service that is searched with words. Each call may raise `SourceError`. `searches`: the greatest number of
    searches in a run."""

    name: str
    searches: int

    def search(self, text: str, until: str, run: Run) -> list[ServiceWork]:
        """Works on a subject, the most relevant first, published until that ISO date."""
        ...

    def find(self, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
        """Adds the works that the service has for a draft to `finds`."""
        ...

    def close(self) -> None: ...


@runtime_checkable
class AbstractSource(Protocol):
    """A service with abstracts that other services lack."""

    def described(self, papers: Sequence[Paper], run: Run) -> list[ServiceWork]:
        """The records of these papers, by their ids."""
        ...


class CitationService(LiteratureService, Protocol):
    """A service that also knows citations. Keys are the service's own ids."""

    def cited(self, request: DiscoveryRequest, run: Run) -> list[ServiceWork]:
        """The works that the draft cites, with their references. Other works may be among them."""
        ...

    def titled(self, titles: Sequence[str], run: Run) -> list[ServiceWork]:
        """Works that the service finds for these titles; their titles may differ."""
        ...

    def citing(self, keys: Sequence[str], text: str, until: str, run: Run) -> list[ServiceWork]:
        """Works that cite any of these works, with their references; works on the subject `text` first."""
        ...

    def with_references(self, keys: Sequence[str], run: Run) -> list[ServiceWork]:
        """These works with their references; an empty list if search results already have references."""
        ...

    def with_keys(self, keys: Sequence[str], run: Run) -> list[ServiceWork]: ...


def search_all(service: LiteratureService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    for text in request.texts[: service.searches]:
        found = finds.attempt(service.search, text, request.until, run)
        works = finds.add("search", others(found, request), text)
        run.take(works[:EARLY])


def walk(service: CitationService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    """Searches the service, and follows citations for at most two steps from the works that the draft cites. If
    the service knows none of these works, starts from the first results of the searches."""
    cited = finds.attempt(service.cited, request, run)[:MOST_KNOWN]
    finds.known.update({work.key: work for work in cited})
    search_all(service, request, run, finds)
    if request.titles:
        finds.add("title", titled_works(finds.attempt(service.titled, request.titles, run), request))
    near = (key for one in finds.reached for key in one.works[:NEAREST] if _leads_on(key, finds))
    firsts = list(dict.fromkeys(near))
    seeds = list(finds.known) or firsts[:SEEDS]
    if not seeds:
        return
    finds.keep(finds.attempt(service.with_references, firsts, run))
    subject = " ".join((request.query.title, *request.texts[:1]))
    citing = others(finds.attempt(service.citing, seeds, subject, request.until, run), request)
    finds.keep(citing)
    finds.reached += _by_citations(finds, seeds, firsts, citing)
    finds.keep(finds.attempt(service.with_keys, _best_missing(finds), run))


def _by_citations(
    finds: ServiceFinds, seeds: Sequence[str], firsts: Sequence[str], citing: Sequence[ServiceWork]
) -> list[Reached]:
    """The works that `seeds` cite, that cite `seeds`, and that are cited together with `seeds`; also the
    references of `firsts`, the first results of the searches."""
    paths: dict[PathKind, defaultdict[str, Counter[str]]] = {
        "cited by": defaultdict(Counter),
        "cites": defaultdict(Counter),
        "cited with": defaultdict(Counter),
        "near": defaultdict(Counter),
    }
    every, starts = {**finds.works, **finds.known}, set(seeds)
    further = [key for key in firsts if key not in starts]
    for way, keys in ((paths["cited by"], seeds), (paths["near"], further)):
        for key in keys:
            for reference in every[key].references:
                way[reference][key] += 1
    for work in citing:
        shared = [key for key in work.references if key in starts]
        paths["cites"][work.key].update(shared)
        for reference in work.references if shared else ():
            paths["cited with"][reference].update(shared)
    return [_ranked(kind if finds.known else "near", over, starts) for kind, over in paths.items()]


def _ranked(kind: PathKind, over: Mapping[str, Counter[str]], seeds: set[str]) -> Reached:
    """The reached works, those with the most paths first. Works with a single path are kept, although a single
    path says little."""
    keys = [key for key in over if key not in seeds and over[key]]
    keys.sort(key=lambda key: (-len(over[key]), -over[key].total(), key))
    keys = keys[:MOST_FETCHED]
    return Reached(
        kind, tuple(keys), over={key: tuple(k for k, _ in over[key].most_common(10)) for key in keys}
    )


def _best_missing(finds: ServiceFinds) -> list[str]:
    """The keys of works whose records are not known yet, because only citations lead to them."""
    ranks: defaultdict[str, float] = defaultdict(float)
    for one in finds.reached:
        for place, key in enumerate(one.works):
            if key not in finds.works and key not in finds.known:
                ranks[key] += 1 / (RANK_SHIFT + place)
    return sorted(ranks, key=lambda key: -ranks[key])[:MOST_FETCHED]


def known_works(works: Iterable[ServiceWork], request: DiscoveryRequest) -> list[ServiceWork]:
    """The works that the draft cites, recognised by id or by their description in the bibliography."""
    return [work for work in works if is_cited(work.paper, request.query)]


def titled_works(works: Iterable[ServiceWork], request: DiscoveryRequest) -> list[ServiceWork]:
    """The works with exactly the titles that were looked up."""
    titles = set(map(plain_title, request.titles))
    return [work for work in works if plain_title(work.paper.title) in titles]


def others(works: Iterable[ServiceWork], request: DiscoveryRequest) -> list[ServiceWork]:
    """Leaves out the draft itself, because its references are known already."""
    return [work for work in works if not is_own(work.paper, request.query)]


def _leads_on(key: str, finds: ServiceFinds) -> bool:
    return key not in finds.known and not finds.works[key].gone


def terms(text: str, most: int) -> list[str]:
    """The words to search for: without stop words and single letters, the most frequent first, in lower case, so that
    no word is an operator of the query syntax."""
    found = re.findall(r"[^\W_]+", text.lower())
    counted = Counter(word for word in found if len(word) > 1 and word not in STOP_WORDS)
    return [word for word, _ in counted.most_common(most)]
