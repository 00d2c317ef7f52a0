"""The recipe for a related-work section and for the answer to a question. Both have the same steps, after
Citegeist (arXiv 2503.23229, section 3.1); the module `numbers` computes the number of papers in each step:

    search 6*breadth -> longlist 3*breadth (Eq. 1) -> read                       gather
        -> depth pages each (Eq. 1) -> shortlist breadth (mean similarity)       choose
        -> write                                                                 compose

If a model named the strands of the draft, it also picks papers by their titles (`pick_by_title`). The
longlist is then selected so that it covers the strands, and is also the shortlist. `gather` uses the network;
`choose` only computes, so that the user can try other settings on the same papers without waiting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from ..errors import SearchError
from ..models.structured_call import add
from ..ports import Monitor
from ..services import Options, Services
from ..strands.selection import fits
from ..strands.subject import CALIBRATED, has_little
from ..text.words import number_of
from ..types import Candidate, Filters, Matrix, Query, Reasons, Result, Section, Selected, Usage
from .longlist import Selection, choose_longlist, choose_pool, cover_strands, pin
from .numbers import SEARCHED, citation_count, longlist_size, search_size
from .reading import Reading, read_library, read_papers, reading_notes
from .reasons import DraftSentences, explain, explain_left_out, figures, read_draft_sentences
from .search import SearchResult, find, search_more
from .shortlist import choose_shortlist, weigh
from .writing import keep_used, left_out_note, said_plainly

NOBODY: frozenset[str] = frozenset()
MOST_MISSING = 8  # works


@dataclass(frozen=True, slots=True)
class ReadingList:
    """The papers that were found and read for a query. From these, `choose` and `compose` continue without
    the index and the source."""

    query: Query
    found: SearchResult
    options: Options
    fit: Matrix  # shape [strands, candidates], see `selection.fits`
    number: int  # papers to cite, by these options
    longlist: Selection
    readings: Mapping[str, Reading]  # by paper id, for the papers that were read
    ranked: bool  # ordered by a ranker
    notes: tuple[str, ...]
    model: str  # the embedding model
    draft: DraftSentences = DraftSentences()  # the sentences that the reasons may quote


def search(query: Query, services: Services, top: int, filters: Filters, monitor: Monitor) -> list[Candidate]:
    """Returns the `top` papers nearest to the query, best first. Papers that the draft cites are marked.

    Raises a `SearchError`, or a `SourceError` if the index stores only ids and no metadata can be fetched."""
    return list(find(query, services, top, filters, monitor).candidates[:top])


def related_work(query: Query, services: Services, options: Options, monitor: Monitor) -> Result:
    """Returns the section or answer with its evidence, and the papers left out with the reasons. The `notes`
    of the result report each degradation.

    Raises `SearchError`, `SourceError` or `WriterError` if no result is possible, and `Cancelled`."""
    papers = gather(query, services, options, monitor)
    monitor.check()
    return compose(papers, choose(papers, options), services, monitor)


def gather(query: Query, services: Services, options: Options, monitor: Monitor) -> ReadingList:
    """Searches, and reads the papers of the longlist. Raises `SearchError`, `SourceError`, `Cancelled`."""
    found = find(query, services, search_size(options), options.filters, monitor)
    found = pick_by_title(query, found, services, options.filters, monitor)
    ranked = services.ranker is not None
    fit = fits(found.candidates, found.strands, found.strand_rows)
    number = citation_count(query, found, fit, options)
    longlist = make_longlist(
        found, fit, number, longlist_size(number, query, found, options), options, ranked
    )
    papers = [paper.candidate.paper for paper in longlist.selected]
    monitor.report(f"{number_of(len(found.candidates), 'paper')} found, reading {len(papers)}")
    readings = read_library(query.text, papers, services, monitor)
    if options.full_text and (rest := [paper for paper in papers if paper.id not in readings]):
        readings |= read_papers(rest, services.source, services.embedder, monitor)
    distant = distant_index_note(query, found, services)
    for note in distant:
        monitor.report(note)
    missing = missing_titles(found)
    return ReadingList(
        query=replace(query, far=bool(distant), missing=missing),
        found=found,
        options=options,
        fit=fit,
        number=number,
        longlist=longlist,
        readings=readings,
        ranked=ranked,
        notes=(*services.notes, *distant, *found.notes, *missing_note(missing), *reading_notes(readings)),
        model=services.embedder.name,
        draft=read_draft_sentences(query, services.embedder, monitor) if papers else DraftSentences(),
    )


def pick_by_title(
    query: Query, found: SearchResult, services: Services, filters: Filters, monitor: Monitor
) -> SearchResult:
    """Marks the papers that the model picks by title; returns `found` unchanged if no strands were named."""
    if services.picker is None or not found.strands:
        return found
    monitor.check()
    search = partial(search_more, query, found, services, filters)
    picks = services.picker.pick(query, found.strands, found.candidates, monitor, search)
    usage, notes = add(found.usage, picks.usage), (*found.notes, *picks.notes)
    return replace(found, candidates=picks.candidates, usage=usage, notes=notes)


def distant_index_note(query: Query, found: SearchResult, services: Services) -> tuple[str, ...]:
    """The note that the index holds little on the draft's subject, shown before the section is written; empty
    if the index holds enough, or if this is not known."""
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
        f"Your index{where} has little on this: even the nearest papers are far from your draft. "
        "Discover papers for the draft (--discover), search another index (the setting index.location), or add papers "
        "of your field to this one.",
    )


def missing_titles(found: SearchResult) -> tuple[str, ...]:
    """The titles (with years) of the most important works that a model named and that the search did not
    find."""
    return tuple(
        f"{work.title or work.name} ({work.year})" if work.year else work.title or work.name
        for work in found.missing[:MOST_MISSING]
    )


def missing_note(titles: Sequence[str]) -> tuple[str, ...]:
    if not titles:
        return ()
    return (
        "Works that the model named for such a section and that are not in your index (check that they exist, add "
        f"them, and write again): {'; '.join(titles)}.",
    )


def choose(
    papers: ReadingList,
    options: Options,
    *,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> Selection:
    """Selects the shortlist for these options, within milliseconds. `pinned` and `excluded`: ids of papers
    that are always, or never, on the shortlist."""
    found, kept = papers.found, pinned - excluded
    covers_strands = bool(found.strands)
    number = papers.number if options.breadth is None else options.breadth
    longlist = papers.longlist
    if covers_strands or kept or excluded or options != papers.options:
        size = number if covers_strands else longlist_size(number, papers.query, found, options)
        longlist = make_longlist(found, papers.fit, number, size, options, papers.ranked, kept, excluded)
    weighed = weigh_longlist(papers, longlist, options)
    if covers_strands:  # restores the order by strand: the pages are only evidence here, not for ranking
        place = {paper.candidate.paper.id: n for n, paper in enumerate(longlist.selected)}
        weighed.sort(key=lambda paper: place[paper.candidate.paper.id])
    shortlist = choose_shortlist(weighed, number, kept)
    left_out = (*found.left_out, *longlist.left_out, *shortlist.left_out)
    return with_reasons(papers, Selection(shortlist.selected, left_out), excluded, kept)


def with_reasons(
    papers: ReadingList,
    selection: Selection,
    excluded: frozenset[str] = NOBODY,
    pinned: frozenset[str] = NOBODY,
) -> Selection:
    """The selection in which each chosen paper has its reasons, in sentences for the user."""
    barred = excluded | {out.candidate.paper.id for out in papers.found.left_out}
    query, strands = papers.query, papers.found.strands
    selected = explain(selection.selected, selection.left_out, papers.draft, query, strands, barred, pinned)
    return replace(selection, selected=selected)


def make_longlist(
    found: SearchResult,
    fit: Matrix,
    number: int,
    size: int,
    options: Options,
    ranked: bool,
    pinned: frozenset[str] = NOBODY,
    excluded: frozenset[str] = NOBODY,
) -> Selection:
    """The longlist of `size` papers, `number` of which are to be cited. `pinned` papers are always on the
    longlist, `excluded` papers never."""
    if found.strands:
        return cover_strands(found, fit, size, options, pinned, excluded)
    pool, barred = choose_pool(found.candidates, SEARCHED * number, excluded)
    longlist = choose_longlist(pool, size, options.diversity, ranked)
    return pin(replace(longlist, left_out=(*barred, *longlist.left_out)), found.candidates, pinned)


def weigh_longlist(papers: ReadingList, longlist: Selection, options: Options) -> list[Selected]:
    """The papers of the longlist, ordered by the similarity of their pages (see `weigh`), each with its line
    of numbers (see `figures`)."""
    found = papers.found
    weighed = weigh(longlist.selected, papers.readings, found.vectors, options, papers.ranked, found.anchor)
    others_read = any(paper.full_text for paper in weighed)

    def line(paper: Selected) -> str:
        size = len(found.candidates)
        return figures(paper, papers.query, size, options.diversity, papers.ranked, others_read)

    return [replace(paper, reasons=Reasons(numbers=line(paper))) for paper in weighed]


def compose(papers: ReadingList, selection: Selection, services: Services, monitor: Monitor) -> Result:
    """Writes the section from the chosen papers. Raises `WriterError`, `Cancelled`."""
    if not selection.selected:
        return result_of(papers, selection, Section("", ()), (_why_nothing(papers.found),))
    monitor.report("Writing")
    written = services.writer.write(papers.query, selection.selected, monitor)
    monitor.check()
    selected, unused = keep_used(selection.selected, written)
    note = left_out_note(unused, len(selection.selected))
    used = Selection(selected, (*selection.left_out, *unused))
    section = said_plainly(papers.query, written.section)
    notes = (*written.notes, *filter(None, [note]))
    return result_of(papers, used, section, notes, written.usage, written.by or services.writer.name)


def result_of(
    papers: ReadingList,
    selection: Selection,
    section: Section,
    notes: tuple[str, ...],
    usage: Usage = Usage(),
    writer: str = "",
) -> Result:
    """The result of a run. `notes` and `usage`: those of the writer, added to those of the search."""
    return Result(
        query=papers.query,
        section=section,
        selected=selection.selected,
        left_out=explain_left_out(selection.left_out, selection.selected, papers.draft),
        candidates=papers.found.candidates,
        found=len(papers.found.candidates),
        strands=papers.found.strands,
        notes=(*papers.notes, *notes),
        usage=add(papers.found.usage, usage),
        writer=writer,
        index=papers.found.index,
        model=papers.model,
    )


def _why_nothing(found: SearchResult) -> str:
    if found.candidates:
        return "All papers that were found are cited in the draft already, or were left out by you."
    return "No paper was found: the index is empty, or the filters leave nothing."
