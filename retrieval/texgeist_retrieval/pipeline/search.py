"""The search step: embeds the query, searches the index, completes the results and ranks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import SearchError, SourceError, SourceUnavailable
from ..ports import Embedder, Monitor, PaperIndex, Ranker, Stranded
from ..ranking.query_adapter import words_asked
from ..services import Services
from ..strands.searching import Hits, asked_by_title, in_strands, missing, search_strands
from ..strands.selection import CALIBRATED
from ..types import Candidate, Filters, Matrix, Passage, Query, Strand, Usage, Vector, Work
from .candidates import (
    MOST_DEEPER,
    MOST_LOOKED_UP,
    Completed,
    anchor_of,
    complete,
    first,
    keep_within,
    merge,
    rank,
    subject_for_ranker,
    subject_of,
)
from .citable import citable_again, lacks_texts, mark_known, mark_titles, notes_on_authors
from .fitting import by_chance
from .reading import DraftSentences, embed_all

LEAST_RANKED = 100  # results for each query row if a ranker orders them
REFERENCE_LINES = 3  # lines of one reference in a printed list
MOST_EXTRA = 200  # results beyond `top`, to make up for papers that the draft already cites
MOST_MISSING = 8  # works
MORE_TOP = 8  # results of each query that a model asks for


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The papers found for a query. `gather` adds the texts that were read; then `choose` and `compose` need
    neither the index nor the source."""

    query: Query
    candidates: tuple[Candidate, ...]  # best first, without the draft itself; papers that it cites are marked
    left_out: tuple[Candidate, ...]  # papers that cannot be cited, such as the draft itself
    vectors: Matrix  # a row for each query part, after pages also a row for the abstract; no expansions
    notes: tuple[str, ...]
    index: str  # the address of the index that was searched, for the user
    model: str  # the embedding model
    ranked: bool = False  # ordered by a ranker
    strands: tuple[Strand, ...] = ()
    strand_rows: Matrix = field(default_factory=lambda: np.empty((0, 0), dtype=np.float32))  # row per strand
    usage: Usage = Usage()  # of the model calls so far
    readings: Mapping[str, tuple[Passage, ...]] = field(
        default_factory=dict
    )  # pages by paper id, with vectors
    draft: DraftSentences = DraftSentences()  # the sentences that the reasons may quote


def find(
    query: Query,
    services: Services,
    top: int,
    filters: Filters,
    monitor: Monitor,
    to_write: bool = False,
    full_text: bool = True,
) -> SearchResult:
    """Returns at least `top` papers that the draft does not cite, if the index holds as many. `to_write`: for a
    section, which may also cite works that the draft cites elsewhere (`citable_again`), and without a model cannot
    cite papers of which only the title is known. `full_text`: whether texts are read from arXiv.

    Raises a `SearchError` if the index cannot be searched."""
    monitor.report("Reading your text")
    strands = services.strands.find(query, monitor) if services.strands else Stranded(())
    discovery_notes = _discover(query, strands, services, filters, monitor)
    vectors = embed_parts(query, services.embedder, monitor)
    rows = np.vstack([vectors, _expand(query, services, monitor)])
    monitor.check()
    monitor.report("Searching for papers")
    subject = subject_for_ranker(query, vectors, services.embedder) if services.ranker else None
    searched = rows if subject is None else np.vstack([rows, _rows_for(services.ranker, subject)])
    depth = search_depth(query, top, services.ranker)
    hits = _search(services.index, searched, depth, filters, monitor)
    monitor.check()
    by_words, word_notes = _search_by_words(query, services, depth, filters)
    by_strands, strand_notes = _search_by_strands(query, strands, vectors, services, filters, monitor)

    def complete_hits(hits: list[list[Candidate]]) -> Completed:
        merged = merge([*hits, *by_words, *by_strands.lists], rows, len(query.parts), anchor_of(query))
        return complete(merged, services.source, monitor)

    def search_deeper(depth: int) -> Completed:
        return complete_hits(_search(services.index, searched, depth, filters, monitor))

    def known_to(depth: int, found: Completed) -> tuple[list[Candidate], tuple[str, ...]]:
        limits = services.index.unapplied(filters)
        completed, notes = keep_within(found, limits, top, depth, search_deeper, monitor)
        known = mark_known(completed, query)
        if to_write:
            known, repeated = citable_again(known, query)
            known = mark_titles(known, query, full_text) if services.strands is None else known
            notes = (*notes, *repeated)
        return known, notes

    known, more_notes = known_to(depth, complete_hits(hits))
    if lacks_texts(known, top) and len(hits[0]) >= depth:  # else the index has no more
        with suppress(SearchError, SourceError):
            deep = min(MOST_DEEPER * depth, MOST_LOOKED_UP)
            known, more_notes = known_to(deep, search_deeper(deep))
    ranked = rank(
        query, subject, [c for c in known if not c.left_out], services.ranker, services.index.graph()
    )
    if query.kind in ("sentence", "question"):
        ranked = by_chance(query, vectors[0] if services.embedder.name == CALIBRATED else None, ranked)
    covered = len(by_strands.rows) > 0
    found = in_strands(ranked, strands.strands, by_strands, top) if covered else first(ranked, top)
    return SearchResult(
        query=replace(query, missing=missing_titles(missing(ranked, by_strands.wanted))),
        candidates=tuple(replace(c, rank=place) for place, c in enumerate(found, start=1)),
        left_out=tuple(c for c in known if c.left_out)[:depth],
        vectors=vectors,
        notes=(
            *strands.notes,
            *discovery_notes,
            *word_notes,
            *strand_notes,
            *more_notes,
            *notes_on_authors(known),
        ),
        index=_place(services.index),
        model=services.embedder.name,
        ranked=services.ranker is not None,
        strands=strands.strands if covered else (),
        strand_rows=by_strands.rows,
        usage=strands.usage,
    )


def missing_titles(works: Sequence[Work]) -> tuple[str, ...]:
    """The titles (with years) of the most important works that a model named and that the search did not
    find."""
    titles = ((work.title or work.name, work.year) for work in works[:MOST_MISSING])
    return tuple(f"{title} ({year})" if year else title for title, year in titles)


def _discover(
    query: Query, strands: Stranded, services: Services, filters: Filters, monitor: Monitor
) -> tuple[str, ...]:
    """Discovers papers for the draft, if the user allows it. A question is answered from known papers. Raises
    `SourceUnavailable` if no service answers and the index is empty."""
    if services.discovery is None or query.kind == "question":
        return ()
    try:
        return services.discovery.discover(query, strands.strands, filters.until, monitor)
    except SourceUnavailable as error:
        if not services.index.status().papers:
            raise
        return (error.sentence(),)


def search_more(
    found: SearchResult, services: Services, filters: Filters, texts: Sequence[str]
) -> list[Candidate]:
    """Searches for `texts`, without the draft's subject, because earlier uses of a method in other fields are
    far from it. Returns the papers that are not yet among the results, without those that the draft cites.
    Empty if the index fails or holds no titles."""
    query = found.query
    about = subject_of(query, found.vectors)
    try:
        hits = services.index.search(services.embedder.embed_documents(texts), MORE_TOP, filters)
    except SearchError:
        return []
    known = {c.paper.id for c in (*found.candidates, *found.left_out)}
    new = {c.paper.id: c for part in hits for c in part if c.paper.title and c.paper.id not in known}
    fresh = [c for c in mark_known(list(new.values()), query) if not (c.already_cited or c.left_out)]
    return [
        replace(
            c, rank=len(found.candidates) + n, similarity=0.0 if c.vector is None else float(c.vector @ about)
        )
        for n, c in enumerate(fresh, start=1)
    ]


def search_depth(query: Query, top: int, ranker: Ranker | None) -> int:
    """The number of results to request for each query row: `top`, one more for each paper that is later
    dropped because the draft cites it, and at least `LEAST_RANKED` for a ranker."""
    cited = len(query.cited_ids) + len(query.cited_works) + query.references.count("\n") // REFERENCE_LINES
    extra = min(cited + 2, MOST_EXTRA)
    return max(top + extra, LEAST_RANKED if ranker else 0)


def _rows_for(ranker: Ranker | None, subject: Vector) -> Matrix:
    """Further query vectors that the ranker asks for; no rows without a ranker."""
    return ranker.search_rows(subject) if ranker else np.empty((0, subject.size), dtype=np.float32)


_NO_HITS = Hits(np.empty((0, 0), dtype=np.float32), [], ())


def _search_by_strands(
    query: Query, strands: Stranded, vectors: Matrix, services: Services, filters: Filters, monitor: Monitor
) -> tuple[Hits, tuple[str, ...]]:
    """Searches for each strand and each named work. If this fails, the search goes on without strands, and a
    note says so."""
    if not strands.strands:
        return _NO_HITS, ()
    subject = subject_of(query, vectors)
    try:
        hits = search_strands(strands.strands, subject, services.embedder, services.index, filters)
    except SearchError as error:
        return _NO_HITS, (f"{error.sentence()} What the draft stands on was not searched for part by part.",)
    try:
        titled = asked_by_title(hits, subject, services, monitor)
    except (SearchError, SourceError) as error:
        return hits, (f"{error.sentence()} Works that were named were not looked up by their titles.",)
    return replace(hits, lists=[*hits.lists, titled]), ()


def embed_parts(query: Query, embedder: Embedder, monitor: Monitor) -> Matrix:
    """The vectors of the query, one row for each part. For a draft, the parts are its pages, and the abstract
    gets the last row. A long draft is embedded in several batches, so that cancellation is noticed."""
    texts = [part.text for part in query.parts]
    if query.kind == "draft":
        return embed_all([*texts, query.abstract] if query.abstract else texts, embedder, monitor)
    return np.stack([embedder.embed_query(text) for text in texts])


def _expand(query: Query, services: Services, monitor: Monitor) -> Matrix:
    texts = services.expander.expand(query, monitor) if services.expander else ()
    if not texts:
        return np.empty((0, services.embedder.dimension), dtype=np.float32)
    return services.embedder.embed_documents(texts)


def _search(
    index: PaperIndex, rows: Matrix, top: int, filters: Filters, monitor: Monitor
) -> list[list[Candidate]]:
    at_once = index.rows_at_once
    hits: list[list[Candidate]] = []
    for start in range(0, len(rows), at_once):
        if start:
            monitor.report("Searching for papers", start, len(rows))
        part = np.ascontiguousarray(rows[start : start + at_once], dtype=np.float32)
        found = index.search(part, top, filters)
        hits += (
            [[replace(c, found_by=start + c.found_by) for c in list_] for list_ in found] if start else found
        )
    return hits


def _search_by_words(
    query: Query, services: Services, top: int, filters: Filters
) -> tuple[list[list[Candidate]], tuple[str, ...]]:
    """Sparse search for papers that share words with the draft, if the index supports it. It runs only if
    there is a ranker, because an order by cosines would put these papers last. If the search fails, the
    result is no papers and a note."""
    if services.ranker is None:
        return [], ()
    try:
        return services.index.search_text([words_asked(query)], top, filters), ()
    except SearchError as error:
        return [], (f"{error.sentence()} Papers were not searched for by their words.",)


def _place(index: PaperIndex) -> str:
    try:
        return index.status().location
    except SearchError:
        return ""
