"""From a query to ranked candidates: embedding, search, and one metadata request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..errors import MetadataIncomplete, SearchError, SourceError, SourceUnavailable
from ..identity import copies, is_cited, is_own
from ..ports import BareIndex, Embedder, Monitor, PaperIndex, PaperSource, Stranded, TextIndex
from ..ranking.query_adapter import words_asked
from ..services import Services
from ..strands.searching import Hits, asked_by_title, in_strands, search_strands
from ..types import Candidate, Filters, LeftOut, Matrix, Paper, Query, Strand, Usage, Vector
from .reading import embed_all
from .reranking import anchor_of, asked_of_ranker, depth, first, rank
from .unapplied_limits import Completed, keep_within, unapplied_by

BEST = 2  # rows averaged for each paper if there is no anchor


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The result of the search step. `vectors`: one row for each query part, then the abstract's row if the
    parts are pages; no expansions. `anchor`: the abstract's row, see `aggregate`."""

    candidates: tuple[Candidate, ...]  # best first, without the draft itself; cited papers are marked
    left_out: tuple[LeftOut, ...]
    vectors: Matrix
    notes: tuple[str, ...]
    index: str  # the index that was searched, for people
    anchor: int | None = None
    strands: tuple[Strand, ...] = ()
    strand_rows: Matrix = field(
        default_factory=lambda: np.empty((0, 0), dtype=np.float32)
    )  # one for each strand
    usage: Usage = Usage()  # of the model, before the section is written


def find(query: Query, services: Services, top: int, filters: Filters, monitor: Monitor) -> SearchResult:
    """Returns at least `top` papers that the draft does not cite, if the index holds as many.

    Raises a `SearchError` if the index cannot be searched."""
    monitor.report("Reading your text")
    stranded = services.strands.find(query, monitor) if services.strands else Stranded(())
    vectors = embed_parts(query, services.embedder, monitor)
    rows = np.vstack([vectors, _expand(query, services, monitor)])
    monitor.check()
    monitor.report("Searching for papers")
    ranker = services.ranker
    asked = asked_of_ranker(query, vectors, services.embedder) if ranker else None
    searched = rows if ranker is None or asked is None else np.vstack([rows, ranker.search_rows(asked)])
    deep = depth(query, top, ranker)
    hits = _search(services.index, searched, deep, filters, monitor)
    monitor.check()
    by_words, trouble = _by_words(query, services, deep, filters) if ranker else ([], ())
    beside, lost = _by_strands(query, stranded, vectors, services, filters, monitor)

    def completed(hits: list[list[Candidate]]) -> Completed:
        merged = merge([*hits, *by_words, *beside.lists], rows, len(query.parts), anchor_of(query))
        return Completed(*complete(merged, services.source, monitor))

    def deeper(deep: int) -> Completed:
        return completed(_search(services.index, searched, deep, filters, monitor))

    found = completed(hits)
    found = keep_within(found, unapplied_by(services.index, filters), top, deep, deeper, monitor)
    candidates, incomplete, troubles = found.candidates, found.left_out, found.notes
    own = [LeftOut(c, "It is this draft itself.") for c in candidates if is_own(c.paper, query)]
    others = [c for c in candidates if not is_own(c.paper, query)]
    marked = [replace(c, already_cited=is_cited(c.paper, query)) for c in others]
    marked, twice = without_copies(marked)
    ordered = rank(query, asked, marked, ranker)
    ranked = in_strands(ordered, stranded.strands, beside, top) if len(beside.rows) else first(ordered, top)
    left_out, troubled = (*incomplete, *own, *twice), (*stranded.notes, *trouble, *lost, *troubles)
    strands = stranded.strands if len(beside.rows) else ()
    return SearchResult(
        tuple(ranked),
        left_out,
        vectors,
        troubled,
        _place(services.index),
        anchor_of(query),
        strands,
        beside.rows,
        stranded.usage,
    )


_NONE: tuple[Hits, tuple[str, ...]] = (Hits(np.empty((0, 0), dtype=np.float32), [], ()), ())


def _by_strands(
    query: Query, stranded: Stranded, vectors: Matrix, services: Services, filters: Filters, monitor: Monitor
) -> tuple[Hits, tuple[str, ...]]:
    """Searches for each strand and each named work. If this fails, the search goes on without strands, and a
    note says so."""
    if not stranded.strands:
        return _NONE
    about = about_of(query, vectors)
    try:
        hits = search_strands(stranded.strands, about, services.embedder, services.index, filters)
    except SearchError as error:
        return _NONE[0], (f"{error.sentence()} What the draft stands on was not searched for part by part.",)
    try:
        titled = asked_by_title(hits, about, services, monitor)
    except (SearchError, SourceError) as error:
        return hits, (f"{error.sentence()} Works that were named were not looked up by their titles.",)
    return replace(hits, lists=[*hits.lists, titled]), ()


def about_of(query: Query, vectors: Matrix) -> Vector:
    """The subject of the query as a unit vector: the abstract's vector, else the mean of the parts."""
    anchor = anchor_of(query)
    about = vectors[anchor] if anchor is not None else vectors[: len(query.parts)].mean(axis=0)
    return np.asarray(about / max(float(np.linalg.norm(about)), 1e-12), dtype=np.float32)


def embed_parts(query: Query, embedder: Embedder, monitor: Monitor) -> Matrix:
    """One row for each part. The pages of a draft are embedded in one batch with its abstract, which gets the
    last row (a thesis in several batches, so that cancellation is noticed)."""
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
    at_once = index.rows_at_once if isinstance(index, BareIndex) else len(rows)
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


def _by_words(
    query: Query, services: Services, top: int, filters: Filters
) -> tuple[list[list[Candidate]], tuple[str, ...]]:
    """Sparse search for papers that share words with the draft, if the index supports it. Their cosines would
    rank them last, so only a ranker can use them. A failure yields no papers and a note."""
    if not isinstance(services.index, TextIndex):
        return [], ()
    try:
        return services.index.search_text([words_asked(query)], top, filters), ()
    except SearchError as error:
        return [], (f"{error.sentence()} Papers were not searched for by their words.",)


def without_copies(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[LeftOut]]:
    """Keeps one record of each paper that an index holds under several ids: preferably a record that the draft
    cites, then with an abstract, then with a PDF, then the nearest."""
    by_worth = sorted(
        candidates, key=lambda c: (not c.already_cited, not c.paper.abstract, not c.paper.files)
    )
    twice = copies(c.paper for c in by_worth)
    left = [LeftOut(c, "The index holds this paper twice.") for c in candidates if c.paper.id in twice]
    return [c for c in candidates if c.paper.id not in twice], left


def _place(index: PaperIndex) -> str:
    try:
        return index.status().location
    except SearchError:
        return ""


def merge(
    hits: Sequence[Sequence[Candidate]], rows: Matrix, parts: int, anchor: int | None = None
) -> list[Candidate]:
    """Merges the hits to one candidate per paper, best first. Hits beyond `rows` only add papers.

    `rows`: shape [n, dimension]; the first `parts` are the query's parts, the others its abstract and
    expansions. `similarity` is that of the closest part, whose index is `found_by`; `score` is the aggregate
    over all rows."""
    papers: dict[str, Candidate] = {}
    for candidate in (candidate for found in hits for candidate in found):
        papers.setdefault(candidate.paper.id, candidate)
    merged = list(papers.values())
    if not merged:
        return []
    similarities = _similarities(merged, hits, rows)
    scores = aggregate(similarities, anchor)
    closest = similarities[:parts].argmax(axis=0)
    order = np.argsort(-scores, kind="stable")
    return [
        replace(
            merged[i],
            similarity=float(similarities[closest[i], i]),
            score=float(scores[i]),
            found_by=int(closest[i]),
            rank=place,
        )
        for place, i in enumerate(order.tolist(), start=1)
    ]


def aggregate(similarities: Matrix, anchor: int | None = None) -> Vector:
    """Returns one score per paper from its similarities to several pages of the draft: the mean of the
    abstract's similarity and the closest page's.

    Recall@60 of the cited papers on 127 drafts made of an abstract and the chunks of its related work, first
    with these pages alone, then with 15 more from other drafts of the field, because a whole draft has pages
    on other subjects:

        abstract alone                 0.421  0.421
        sum over pages (Citegeist)     0.471  0.367
        maximum                        0.463  0.281
        mean of the best two           0.475  0.352
        abstract and closest page      0.472  0.425

    The abstract keeps the score on the draft's subject; the closest page finds what the abstract omits. A sum
    grows with the number of pages and leaves the scale of cosines, on which Equation 1 weighs diversity.
    Without an abstract, the score is the mean of the best two.

    Shape [rows, papers] to [papers], on the scale of the input. `anchor`: the abstract's row."""
    rows = similarities.shape[0]
    if anchor is not None and rows > 1:
        closest = np.delete(similarities, anchor, axis=0).max(axis=0)
        return np.asarray((similarities[anchor] + closest) / 2, dtype=np.float32)
    best = similarities if rows <= BEST else np.partition(similarities, rows - BEST, axis=0)[-BEST:]
    return np.asarray(best.mean(axis=0), dtype=np.float32)


def _similarities(merged: Sequence[Candidate], hits: Sequence[Sequence[Candidate]], rows: Matrix) -> Matrix:
    """Shape [rows, papers]. Exact if the index returned vectors, else the similarities of the search."""
    column = {candidate.paper.id: i for i, candidate in enumerate(merged)}
    table = np.zeros((len(rows), len(merged)), dtype=np.float32)
    for row, found in enumerate(hits[: len(rows)]):
        for candidate in found:
            table[row, column[candidate.paper.id]] = candidate.similarity
    known = [i for i, candidate in enumerate(merged) if candidate.vector is not None]
    if known:
        table[:, known] = rows @ vectors_of([merged[i] for i in known]).T
    return table


def vectors_of(candidates: Sequence[Candidate]) -> Matrix:
    """Shape [n, dimension]. A paper without a vector gets a zero row, so its cosine to all others is 0."""
    length = next((c.vector.size for c in candidates if c.vector is not None), 1)
    nothing: Vector = np.zeros(length, dtype=np.float32)
    return np.stack([nothing if c.vector is None else c.vector for c in candidates]).astype(np.float32)


def complete(
    candidates: Sequence[Candidate], source: PaperSource, monitor: Monitor
) -> tuple[list[Candidate], tuple[LeftOut, ...], tuple[str, ...]]:
    """Fetches titles and abstracts in one request, for an index that holds only ids and vectors.

    A paper without a title cannot be cited and is left out. Raises the `SourceError` if no paper would
    remain."""
    bare = [candidate.paper.id for candidate in candidates if not candidate.paper.title]
    if not bare:
        return list(candidates), (), ()
    notes: tuple[str, ...] = ()
    monitor.report(f"Fetching titles and abstracts of {len(bare)} papers")
    try:
        known: Mapping[str, Paper] = source.metadata(bare, monitor)
    except MetadataIncomplete as error:
        known = error.known
        notes = (
            f"{error.sentence()} Of {len(bare)} papers found, the {len(known)} that were looked up earlier "
            "were used.",
        )
    except SourceError as error:
        if len(bare) == len(candidates):
            raise
        known, notes = {}, (f"{error.sentence()} {len(bare)} papers without a title were left out.",)
    filled = [replace(c, paper=known.get(c.paper.id, c.paper)) for c in candidates]
    lost = tuple(LeftOut(c, "Its title could not be fetched.") for c in filled if not c.paper.title)
    if len(lost) == len(filled):
        raise SourceUnavailable(
            f"The index knows only the ids of the {len(lost)} papers found, and nobody their titles.",
            "Allow texgeist to ask arXiv, or search an index that holds titles.",
        )
    return [c for c in filled if c.paper.title], lost, notes
