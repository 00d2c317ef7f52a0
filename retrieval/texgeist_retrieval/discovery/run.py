"""Discovery for a draft: asks all services in parallel, and joins their answers."""

from __future__ import annotations

import calendar
import contextlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import replace

from ..cache_file import Cache
from ..errors import SourceError
from ..identity import is_cited, is_own
from ..monitor import SILENT
from ..ports import Monitor
from ..text.words import number_of
from ..types import DiscoveredPaper, Discovery, DiscoveryRequest, Paper
from .asking import Budget, Run, ServiceWork
from .joining import Joined
from .service import AbstractSource, LiteratureService, ServiceFinds

MOST_PAPERS = 200  # embedding the abstracts of more takes over a minute on two cores


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
        for done, future in enumerate(as_completed(asked), 1):
            future.result()
            monitor.report("Searching the literature", done, len(services))
    joined = Joined(finds)
    papers = joined.papers(lambda paper: _is_wanted(paper, request))
    if _add_abstracts(papers[:MOST_PAPERS], services, run, finds):
        joined = Joined(finds)
        papers = joined.papers(lambda paper: _is_wanted(paper, request))
    bare = sum(not one.paper.abstract for one in papers[:MOST_PAPERS])
    notes = [note for name, one in finds.items() for note in _notes(name, one)]
    notes += [f"Left out because no service has an abstract: {number_of(bare, 'paper')}."] if bare else []
    return Discovery(
        papers=tuple(one for one in papers if one.paper.abstract)[:MOST_PAPERS],
        cited=joined.cited_papers(),
        links=joined.links,
        calls=run.budget.calls,
        dollars=run.budget.dollars,
        left=run.budget.left,
        notes=tuple(notes),
        complete=not any(one.failures for one in finds.values()),
    )


def _ask(service: LiteratureService, request: DiscoveryRequest, run: Run, finds: ServiceFinds) -> None:
    with contextlib.suppress(SourceError):  # the error is the last of `failures`
        service.find(request, run, finds)


def _notes(service: str, finds: ServiceFinds) -> list[str]:
    """Notes for the user: the first failure of the service, and what the service itself notes."""
    said = [failure.sentence() for failure in finds.failures[:1]]
    notes = [text if service in text else f"{service}: {text}" for text in said]
    return [*notes, finds.note] if finds.note else notes


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
