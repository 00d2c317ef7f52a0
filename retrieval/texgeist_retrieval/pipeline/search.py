"""The search step: embeds the query, searches the index, completes the results and ranks them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import SearchError, SourceError, SourceUnavailable
from ..identity import is_cited, is_own, same_paper
from ..ports import Embedder, Monitor, PaperIndex, Ranker, Stranded
from ..ranking.query_adapter import words_asked
from ..services import Services
from ..strands.searching import Hits, asked_by_title, in_strands, missing, search_strands
from ..strands.selection import CALIBRATED
from ..text.words import number_of
from ..types import Candidate, Filters, Matrix, Passage, Query, Strand, Usage, Vector, Work
from ..types.papers import is_arxiv
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
    without_copies,
)
from .fitting import by_chance
from .reading import DraftSentences, embed_all

LEAST_RANKED = 100  # results for each query row if a ranker orders them
REFERENCE_LINES = 3  # lines of one reference in a printed list
MOST_EXTRA = 200  # results beyond `top`, to make up for papers that the draft already cites
MOST_MISSING = 8  # works
MORE_TOP = 8  # results of each query that a model asks for
FEW_OTHERS = 6  # papers with an abstract
NO_AUTHORS = "Your index does not name its authors."
TITLE_ONLY = "Only its title is known, so nothing of it can be quoted."


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
            known = mark_titles(known, query, full_text) if services.model is None else known
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
            *_notes_on_authors(known),
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


def mark_known(candidates: Sequence[Candidate], query: Query) -> list[Candidate]:
    """Marks the papers that the draft cites, except for a question, which they may answer too. Marks as left out: the
    draft itself, second records of a paper and, for a text to be written, papers without authors, because a citation
    would print no name."""
    itself = "It is this draft itself."
    marked = [
        replace(
            c,
            already_cited=query.kind != "question" and is_cited(c.paper, query),
            left_out=c.left_out or (itself if is_own(c.paper, query) else ""),
        )
        for c in candidates
    ]
    single = without_copies([c for c in marked if not c.left_out])
    if query.kind != "question":
        single = [c if c.paper.authors else replace(c, left_out=c.left_out or NO_AUTHORS) for c in single]
    return [*(c for c in marked if c.left_out), *single]


def mark_titles(known: list[Candidate], query: Query, full_text: bool) -> list[Candidate]:
    """Marks the papers of which only the title is known, and of which no text can be read (`full_text`: from arXiv
    too), as left out of a section. Notes cannot quote them, so they would only take the place of other papers."""
    if query.kind not in ("abstract", "draft"):
        return known
    return [
        c
        if c.left_out
        or c.already_cited
        or c.paper.abstract
        or c.paper.files
        or (full_text and is_arxiv(c.paper.id))
        else replace(c, left_out=TITLE_ONLY)
        for c in known
    ]


def lacks_texts(known: Sequence[Candidate], wanted: int) -> bool:
    """Whether papers of which only the title is known take the places of some of the papers wanted."""
    fresh = sum(not (c.left_out or c.already_cited) for c in known)
    return fresh < wanted and any(c.left_out == TITLE_ONLY for c in known)


def citable_again(known: list[Candidate], query: Query) -> tuple[list[Candidate], tuple[str, ...]]:
    """Allows a section to cite papers that the draft cites outside its text on related work: on request, or if the
    index has few other papers, which is usual for a library made from the author's own bibliography."""
    others = sum(bool(c.paper.abstract) for c in known if not (c.already_cited or c.left_out))
    if query.kind not in ("abstract", "draft") or not (query.again or others < FEW_OTHERS):
        return known, ()
    again = {
        c.paper.id
        for c in known
        if c.already_cited and not any(same_paper(work, c.paper) for work in query.discussed)
    }
    if not any(c.paper.abstract for c in known if c.paper.id in again):
        return known, ()
    note = (
        "Few papers were found that your draft does not cite, so the section also cites papers that you cite "
        "elsewhere."
    )
    freed = [replace(c, already_cited=False, again=True) if c.paper.id in again else c for c in known]
    return freed, () if query.again else (note,)


def _notes_on_authors(known: Sequence[Candidate]) -> tuple[str, ...]:
    unnamed = [c.paper.title for c in known if c.left_out == NO_AUTHORS]
    if not unnamed:
        return ()
    have, them = ("has", "it was") if len(unnamed) == 1 else ("have", "they were")
    return (
        f"{number_of(len(unnamed), 'paper')} of your index {have} no authors, so {them} left out, for example "
        f"“{unnamed[0]}”. Add {'it' if len(unnamed) == 1 else 'them'} again from a file that names the authors.",
    )


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
