"""A related-work section, and the answer to a question: the same steps, in one straight line.

    search 6*breadth -> longlist 3*breadth (Eq. 1) -> read -> depth pages each (Eq. 1)
        -> shortlist breadth (mean similarity of the kept pages) -> write

after Citegeist (arXiv 2503.23229, section 3.1).
"""

from __future__ import annotations

from collections.abc import Sequence

from ..ports import Monitor
from ..services import Options, Services
from ..types import Candidate, Filters, LeftOut, Paper, Query, Result, Section
from .longlist import Listed, choose_longlist, choose_pool
from .reading import Reading, read_papers
from .searching import Found, find
from .shortlist import choose_shortlist
from .weighing import weigh
from .writing import keep_used, write

SEARCHED = 6  # times breadth
LISTED = 3  # times breadth
EMPTY = Section("", ())


def search(query: Query, services: Services, top: int, filters: Filters, monitor: Monitor) -> list[Candidate]:
    """The `top` papers nearest to the query, best first. Those that the draft cites are marked.

    Raises a `SearchError`, or a `SourceError` when an index of bare ids finds no metadata.
    """
    return list(find(query, services, top, filters, monitor).candidates[:top])


def related_work(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """The section, what it stands on, what was left out and why. Every degradation is in `notes`.

    Raises `SearchError`, `SourceError`, `WriterError` when nothing can be done, `Cancelled` on request.
    """
    found = find(query, services, SEARCHED * options.breadth, options.filters, monitor)
    ranked = services.ranker is not None
    pool, cited = choose_pool(found.candidates, SEARCHED * options.breadth, options.include_cited)
    longlist, unlisted = choose_longlist(pool, LISTED * options.breadth, options.diversity, ranked)
    monitor.report(f"{len(pool)} papers found, reading {len(longlist)}")
    readings = _read(longlist, services, options, monitor)
    weighed = weigh(longlist, readings, found.vectors, options.depth, options.diversity, ranked)
    shortlist, unread = choose_shortlist(
        weighed, options.breadth, query, len(pool), options.diversity, ranked
    )
    notes = (*services.notes, *found.notes, *reading_notes(longlist, readings))
    left_out = (*found.left_out, *cited, *unlisted, *unread)
    monitor.check()
    if not shortlist:
        return _nothing(query, found, services, left_out, (*notes, _why_nothing(found)))
    written, writer = write(query, shortlist, services, monitor)
    monitor.check()
    selected, unused = keep_used(shortlist, written)
    return Result(
        query=query,
        section=written.section,
        selected=selected,
        left_out=(*left_out, *unused),
        candidates=found.candidates,
        notes=(*notes, *written.notes),
        usage=written.usage,
        writer=writer,
        index=found.index,
        model=services.embedder.name,
    )


def answer(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """The answer to a scientific question, with citations: the same line, and the writer's other prompt.

    `query.kind` is "question" and `query.text` the question; errors as for `related_work`.
    """
    return related_work(query, services, options, monitor)


def _read(
    longlist: Sequence[Listed], services: Services, options: Options, monitor: Monitor
) -> dict[str, Reading]:
    papers: list[Paper] = [listed.candidate.paper for listed in longlist]
    if not options.full_text or not papers:
        return {}
    return read_papers(papers, services.source, services.embedder, monitor)


def reading_notes(longlist: Sequence[Listed], readings: dict[str, Reading]) -> tuple[str, ...]:
    """One sentence on what could not be read, the commonest reason named."""
    reasons = [
        readings[id].note for id in (listed.candidate.paper.id for listed in longlist) if id in readings
    ]
    reasons = [reason for reason in reasons if reason]
    if not reasons:
        return ()
    common = max(set(reasons), key=reasons.count)
    return (
        f"{len(reasons)} of {len(longlist)} papers could not be read in full and were judged by their "
        f"abstracts alone. Most often: {common}",
    )


def _why_nothing(found: Found) -> str:
    if found.candidates:
        return "All papers that were found are cited in the draft already."
    return "No paper was found: the index is empty, or the filters leave nothing."


def _nothing(
    query: Query, found: Found, services: Services, left_out: tuple[LeftOut, ...], notes: tuple[str, ...]
) -> Result:
    return Result(
        query=query,
        section=EMPTY,
        selected=(),
        left_out=left_out,
        candidates=found.candidates,
        notes=notes,
        index=found.index,
        model=services.embedder.name,
    )
