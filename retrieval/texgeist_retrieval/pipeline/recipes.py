"""The recipe for a related-work section and for the answer to a question; both have the same steps:

    search 6*breadth -> longlist 3*breadth (Eq. 1) -> read                       gather
        -> depth pages each (Eq. 1) -> shortlist breadth (mean similarity)       choose
        -> write                                                                 compose

after Citegeist (arXiv 2503.23229, section 3.1); `numbers` has the number of papers in each step. If a model
named the strands of the draft, it also picks among the titles found (`picked`); the longlist then covers the
strands and is at the same time the shortlist. `gather` uses the network; `choose` only computes, so that
other settings can be tried on the gathered papers without waiting."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ..errors import SearchError
from ..models.structured_call import add
from ..ports import Monitor
from ..services import Options, Services
from ..strands.selection import fits
from ..strands.subject import CALIBRATED, has_little
from ..types import Candidate, Filters, LeftOut, Matrix, Query, Result, Section, Selected
from .longlist import Listed, Longlist, choose_longlist, choose_pool, covered, pin
from .numbers import SEARCHED, listed, searched, wanted
from .reading import Reading, read_papers, reading_notes
from .reasons import Yours, explained, read_yours, with_added
from .search import SearchResult, find
from .shortlist import choose_shortlist, weigh
from .writing import keep_used, left_out_note, said_plainly, write_section

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Gathered:
    """The papers found and read for a query. The remaining steps need neither index nor source."""

    query: Query
    found: SearchResult
    options: Options
    fit: Matrix  # shape [strands, candidates], see `selection.fits`
    number: int  # papers to cite, by these options
    longlist: Longlist
    readings: Mapping[str, Reading]  # by paper id, for the papers that were read
    ranked: bool  # ordered by a ranker
    notes: tuple[str, ...]
    model: str  # the embedding model
    yours: Yours = Yours()  # the draft's sentences, which the reasons quote


@dataclass(frozen=True, slots=True)
class Chosen:
    """The shortlist with its evidence, and every other paper with the reason why it was left out."""

    selected: tuple[Selected, ...]
    left_out: tuple[LeftOut, ...]


def search(query: Query, services: Services, top: int, filters: Filters, monitor: Monitor) -> list[Candidate]:
    """Returns the `top` papers nearest to the query, best first. Papers that the draft cites are marked.

    Raises a `SearchError`, or a `SourceError` if the index stores only ids and no metadata can be fetched."""
    return list(find(query, services, top, filters, monitor).candidates[:top])


def related_work(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """Returns the section or answer, its evidence, and the papers left out with reasons. `notes` reports each
    degradation.

    Raises `SearchError`, `SourceError`, `WriterError` if no result is possible, `Cancelled` on request."""
    gathered = gather(query, services, options, monitor)
    monitor.check()
    return compose(gathered, choose(gathered, options), services, monitor)


def gather(query: Query, services: Services, options: Options, monitor: Monitor) -> Gathered:
    """Searches, and reads the longlist. Raises `SearchError`, `SourceError`, `Cancelled`."""
    found = find(query, services, searched(options), options.filters, monitor)
    found = picked(query, found, services, monitor)
    ranked = services.ranker is not None
    fit = fits(found.candidates, found.strands, found.strand_rows)
    number = wanted(query, found, fit, options)
    read = listed(number, query, found, options)
    longlist = listed_of(found, fit, number, read, options, ranked)
    monitor.report(f"{len(found.candidates)} papers found, reading {len(longlist.papers)}")
    papers = [listed.candidate.paper for listed in longlist.papers]
    reads = options.full_text and bool(papers)
    readings = read_papers(papers, services.source, services.embedder, monitor) if reads else {}
    little = little_note(query, found, services)
    for note in little:
        monitor.report(note)
    notes = (*services.notes, *little, *found.notes, *reading_notes(readings))
    yours = read_yours(query, services.embedder, monitor) if papers else Yours()
    query = replace(query, far=bool(little))
    model = services.embedder.name
    return Gathered(query, found, options, fit, number, longlist, readings, ranked, notes, model, yours)


def picked(query: Query, found: SearchResult, services: Services, monitor: Monitor) -> SearchResult:
    """Marks the papers that the model picks by title; returns `found` unchanged if no strands were named."""
    if services.picker is None or not found.strands:
        return found
    monitor.check()
    told = services.picker.pick(query, found.strands, found.candidates, monitor)
    usage, notes = add(found.usage, told.usage), (*found.notes, *told.notes)
    return replace(found, candidates=told.candidates, usage=usage, notes=notes)


def little_note(query: Query, found: SearchResult, services: Services) -> tuple[str, ...]:
    """The note for an author whose index holds little on the draft, shown before the section is written."""
    if query.kind not in ("abstract", "draft") or services.embedder.name != CALIBRATED:
        return ()
    try:
        papers = services.index.status().papers
    except SearchError:  # the search itself used another index, and reports this
        return ()
    if not has_little(found.candidates, papers):
        return ()
    where = f" ({found.index})" if found.index else ""
    return (
        f"Your index{where} has little on this: even the nearest papers are far from your draft. Search "
        "another index (the setting index.location), or add papers of your field to this one.",
    )


def choose(
    gathered: Gathered,
    options: Options,
    *,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> Chosen:
    """Selects the shortlist for these options, within milliseconds. `pinned` and `excluded` are paper ids:
    pinned papers are always on it, excluded papers never."""
    found, covering, held = gathered.found, bool(gathered.found.strands), pinned - excluded
    number = gathered.number if options.breadth is None else options.breadth
    longlist = gathered.longlist
    if covering or held or excluded or options != gathered.options:
        read = number if covering else listed(number, gathered.query, found, options)
        longlist = listed_of(found, gathered.fit, number, read, options, gathered.ranked, held, excluded)
    weighed = weigh_gathered(gathered, longlist, options)
    if covering:  # all papers, by strand: the pages are evidence, and do not decide the order
        place = {listed.candidate.paper.id: n for n, listed in enumerate(longlist.papers)}
        weighed.sort(key=lambda paper: place[paper.candidate.paper.id])
    selected, rest = choose_shortlist(
        weighed,
        replace(options, breadth=number),
        gathered.query,
        len(found.candidates),
        ranked=gathered.ranked,
        pinned=held,
        strands=found.strands,
    )
    chosen = Chosen(selected, (*found.left_out, *longlist.left_out, *rest))
    return because(gathered, chosen, excluded, held)


def because(
    gathered: Gathered,
    chosen: Chosen,
    excluded: frozenset[str] = NOBODY,
    pinned: frozenset[str] = NOBODY,
) -> Chosen:
    """Adds the reasons for people to the choice."""
    barred = excluded | {out.candidate.paper.id for out in gathered.found.left_out}
    query, strands = gathered.query, gathered.found.strands
    told = explained(chosen.selected, chosen.left_out, gathered.yours, query, strands, barred, pinned)
    return replace(chosen, selected=told)


def listed_of(
    found: SearchResult,
    fit: Matrix,
    cited: int,
    count: int,
    options: Options,
    ranked: bool,
    held: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> Longlist:
    """The longlist of `count` papers, of which `cited` are to be cited; `held` papers are always on it."""
    if found.strands:
        return covered(found, fit, count, options, held, excluded)
    pool, barred = choose_pool(found.candidates, SEARCHED * cited, options.include_cited, excluded)
    chosen = choose_longlist(pool, count, options.diversity, ranked)
    return pin(replace(chosen, left_out=(*barred, *chosen.left_out)), found.candidates, held)


def weigh_gathered(gathered: Gathered, longlist: Longlist, options: Options) -> list[Listed]:
    found = gathered.found
    return weigh(
        longlist.papers,
        gathered.readings,
        found.vectors,
        options.depth,
        options.diversity,
        gathered.ranked,
        found.anchor,
    )


def compose(gathered: Gathered, chosen: Chosen, services: Services, monitor: Monitor) -> Result:
    """Writes the section from the chosen papers. Raises `WriterError` if no writer succeeds, `Cancelled`."""
    if not chosen.selected:
        return result_of(gathered, chosen, Section("", ()), (_why_nothing(gathered.found),))
    written, writer = write_section(gathered.query, chosen.selected, services, monitor)
    monitor.check()
    selected, unused = keep_used(chosen.selected, written)
    note = left_out_note(unused, len(chosen.selected))
    return Result(
        query=gathered.query,
        section=said_plainly(gathered.query, written.section),
        selected=selected,
        left_out=with_added((*chosen.left_out, *unused), selected, gathered.yours),
        candidates=gathered.found.candidates,
        found=len(gathered.found.candidates),
        strands=gathered.found.strands,
        notes=(*gathered.notes, *written.notes, *filter(None, [note])),
        usage=add(gathered.found.usage, written.usage),
        writer=writer,
        index=gathered.found.index,
        model=gathered.model,
    )


def result_of(gathered: Gathered, chosen: Chosen, section: Section, notes: tuple[str, ...]) -> Result:
    """The result for a section that no writer wrote."""
    return Result(
        query=gathered.query,
        section=section,
        selected=chosen.selected,
        left_out=with_added(chosen.left_out, chosen.selected, gathered.yours),
        candidates=gathered.found.candidates,
        found=len(gathered.found.candidates),
        strands=gathered.found.strands,
        notes=(*gathered.notes, *notes),
        usage=gathered.found.usage,
        index=gathered.found.index,
        model=gathered.model,
    )


def _why_nothing(found: SearchResult) -> str:
    if found.candidates:
        return "All papers that were found are cited in the draft already, or were left out by you."
    return "No paper was found: the index is empty, or the filters leave nothing."
