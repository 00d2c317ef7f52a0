"""Discovery for a draft: asks all services in parallel, and joins their records: one paper for each work, with all
its paths and links."""

from __future__ import annotations

import calendar
import contextlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace

from ..cache_file import Cache
from ..errors import SourceError
from ..identity import is_cited, is_own, plain_title, same_paper
from ..monitor import SILENT
from ..ports import Monitor
from ..sources.client import AGAIN
from ..text.words import in_series, number_of, shortened
from ..types import CitationLink, DiscoveredPaper, Discovery, DiscoveryPath, DiscoveryRequest, Paper
from ..types.papers import is_arxiv
from .asking import Budget, Run, ServiceWork
from .service import RANK_SHIFT, AbstractSource, LiteratureService, ServiceFinds

MOST_PAPERS = 300
MOST_NAMED = 2  # papers without an abstract
_LONGEST_TITLE = 60  # characters


def discover(
    request: DiscoveryRequest,
    services: Sequence[LiteratureService],
    cache: Cache | None = None,
    monitor: Monitor = SILENT,
    take: Callable[[Sequence[ServiceWork]], None] = lambda works: None,
) -> Discovery:
    """Finds papers for a draft. If a service fails, a note says so, and the papers that it found before
    are kept. `cache`: answers of earlier runs (`asking.open_cache`); a request that is cached is not sent. `take`: called from
    several threads with works that will probably be among the papers, as they arrive. Raises `Cancelled`."""
    request = replace(request, until=last_day(request.until))
    run = Run(Budget(request.most_calls, request.most_dollars), monitor, cache, take)
    finds = {service.name: ServiceFinds() for service in services}
    with ThreadPoolExecutor(max(len(services), 1)) as pool:
        asked = {
            pool.submit(_ask, service, request, run, finds[service.name]): service for service in services
        }
        for future in as_completed(asked):
            future.result()
            if late := [service.name for asking, service in asked.items() if not asking.done()]:
                monitor.report(f"Still searching {in_series(late)}")
    joined = Joined(finds)
    papers = joined.papers(lambda paper: _is_wanted(paper, request))
    if _add_abstracts(papers[:MOST_PAPERS], services, run, finds):
        joined = Joined(finds)
        papers = joined.papers(lambda paper: _is_wanted(paper, request))
    owned = {plain_title(title) for title in request.query.titles}
    bare = [one.paper for one in papers[:MOST_PAPERS] if not one.paper.abstract]
    bare = [paper for paper in bare if plain_title(paper.title) not in owned]
    notes = [*_failures(finds), *(one.note for one in finds.values() if one.note)]
    notes += [_without_abstract(bare)] if bare else []
    return Discovery(
        papers=tuple(one for one in papers if one.paper.abstract)[:MOST_PAPERS],
        cited=joined.cited_papers(),
        links=joined.links,
        calls=run.budget.calls,
        dollars=run.budget.dollars,
        notes=tuple(notes),
        unfinished=tuple(name for name, one in finds.items() if one.failures),
    )


def _ask(service: LiteratureService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    with contextlib.suppress(SourceError):  # the error is the last of `failures`
        service.find(request, run, finds)


def _failures(finds: Mapping[str, ServiceFinds]) -> Iterator[str]:
    """The first failure of each service, for the user. Services that failed for the same reason share a note. The
    advice to try again is left out, because it depends on what the other services found."""
    by_reason: defaultdict[str, list[str]] = defaultdict(list)
    for name, one in finds.items():
        for failure in one.failures[:1]:
            text = str(failure) if failure.help == AGAIN else failure.sentence()
            by_reason[text.removeprefix(name) if text.startswith(name) else f": {text}"].append(name)
    return (f"{in_series(names)}{reason}" for reason, names in by_reason.items())


def _without_abstract(bare: Sequence[Paper]) -> str:
    """Names the first of these papers, because the author may want to add them himself."""
    titles = (shortened(paper.title, _LONGEST_TITLE) for paper in bare[:MOST_NAMED])
    named = in_series(
        f"“{title}” ({paper.year or 'no year'})" for title, paper in zip(titles, bare, strict=False)
    )
    return f"Left out because no service has an abstract: {number_of(len(bare), 'paper')}, such as {named}."


def _add_abstracts(
    papers: Sequence[DiscoveredPaper],
    services: Sequence[LiteratureService],
    run: Run,
    finds: Mapping[str, ServiceFinds],
) -> bool:
    """Asks each `AbstractSource` for the missing abstracts. Returns whether any record was added."""
    bare = [one.paper for one in papers if not one.paper.abstract]
    added = 0
    for service in services:
        if bare and isinstance(service, AbstractSource):
            with contextlib.suppress(SourceError):
                works = finds[service.name].attempt(service.described, bare, run)
                finds[service.name].keep(works)
                added += len(works)
    return added > 0


def _is_wanted(paper: Paper, request: DiscoveryRequest) -> bool:
    """Whether the paper is neither the draft itself nor cited by it, and not later than `until`. If
    only the year of a paper is known, and it is the year of `until`, the paper counts as not later."""
    if is_own(paper, request.query) or is_cited(paper, request.query):
        return False
    if not (until := request.until):
        return True
    if paper.published:
        return paper.published[: len(until)] <= until
    return paper.year is None or paper.year <= int(until[:4])


def last_day(date: str) -> str:
    """The last day of an ISO date's year or month."""
    if len(date) == 4:
        return f"{date}-12-31"
    if len(date) == 7:
        year, month = map(int, date.split("-"))
        return f"{date}-{calendar.monthrange(year, month)[1]}"
    return date


MOST_PATHS = 8  # of a paper
Place = tuple[str, str]  # the name of a service, and the service's key of a work


@dataclass
class _Joined:
    paper: Paper
    gone: bool = False  # any service says that it was retracted or withdrawn


class Joined:
    """The papers of all services. Records belong to the same paper if they have the same arXiv id, the same DOI,
    or the same title, first author and year (`identity.same_paper`)."""

    def __init__(self, finds: Mapping[str, ServiceFinds]) -> None:
        self._groups: list[_Joined] = []
        self._of: dict[Place, int] = {}
        self._marked: defaultdict[str, list[int]] = defaultdict(list)
        for name, one in finds.items():
            for key, work in {**one.works, **one.known}.items():
                self._add((name, key), work)
        self._ids = [group.paper.id for group in self._groups]
        self.cited = frozenset(self._of[name, key] for name, one in finds.items() for key in one.known)
        self._paths: defaultdict[int, list[DiscoveryPath]] = defaultdict(list)
        self._scores: defaultdict[int, float] = defaultdict(float)
        for name, one in finds.items():
            self._follow(name, one)
        self.links = tuple(
            dict.fromkeys(link for name, one in finds.items() for link in self._links(name, one))
        )

    def papers(self, keep: Callable[[Paper], bool]) -> tuple[DiscoveredPaper, ...]:
        """The new papers for which `keep` is true, the best first."""
        order = sorted(self._scores, key=lambda at: (-self._scores[at], self._ids[at]))
        new = (at for at in order if at not in self.cited and not self._groups[at].gone)
        chosen = [at for at in new if keep(self._groups[at].paper)]
        return tuple(map(self._made, chosen))

    def cited_papers(self) -> tuple[DiscoveredPaper, ...]:
        return tuple(map(self._made, sorted(self.cited)))

    def _made(self, at: int) -> DiscoveredPaper:
        return DiscoveredPaper(self._groups[at].paper, tuple(dict.fromkeys(self._paths[at]))[:MOST_PATHS])

    def _add(self, place: Place, work: ServiceWork) -> None:
        marks = _marks(work.paper)
        near = (at for mark in marks for at in self._marked[mark])
        at = next((at for at in near if same_paper(self._groups[at].paper, work.paper)), -1)
        if at < 0:
            at = len(self._groups)
            self._groups.append(_Joined(work.paper, work.gone))
        else:
            group = self._groups[at]
            group.paper = merged(group.paper, work.paper)
            group.gone |= work.gone
        self._of[place] = at
        for mark in marks:
            self._marked[mark].append(at)

    def _id(self, name: str, key: str) -> str:
        return self._ids[self._of[name, key]]

    def _follow(self, name: str, finds: ServiceFinds) -> None:
        for one in finds.reached:
            for place, key in enumerate(one.works):
                at = self._of.get((name, key))
                if at is None:
                    continue
                over = tuple(self._id(name, work) for work in one.over.get(key, ()))
                self._scores[at] += 1 / (RANK_SHIFT + place)
                self._paths[at].append(DiscoveryPath(one.kind, name, one.query, over))

    def _links(self, name: str, finds: ServiceFinds) -> Iterable[CitationLink]:
        """The citations between works that both have a record."""
        for work in (*finds.works.values(), *finds.known.values()):
            citing = self._id(name, work.key)
            for key in work.references:
                if (name, key) in self._of and (cited := self._id(name, key)) != citing:
                    yield CitationLink(citing, cited)


def merged(one: Paper, other: Paper) -> Paper:
    """Merges two records of a paper: takes the fields of the record with a venue, completed by the other record;
    the arXiv id, if either record has one; and the earlier date."""
    base, more = (other, one) if other.venue and not one.venue else (one, other)
    id = next((paper.id for paper in (base, more) if is_arxiv(paper.id)), base.id)
    return replace(
        base,
        id=id,
        abstract=base.abstract or more.abstract,
        authors=base.authors or more.authors,
        year=base.year or more.year,
        doi=base.doi or more.doi,
        venue=base.venue or more.venue,
        url=base.url or more.url,
        published=min(filter(None, (base.published, more.published)), default=""),
        categories=base.categories or more.categories,
        primary=base.primary or more.primary,
    )


def _marks(paper: Paper) -> Sequence[str]:
    title = plain_title(paper.title)
    return [mark for mark in (paper.id.lower(), paper.doi.lower(), title) if mark]
