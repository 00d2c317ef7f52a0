"""Searches for every strand, looks up every named work, and assigns candidates to strands.

The query vector of a strand is a mixture of its own vector and the vector of the abstract, because a search
with the strand's vector alone finds papers of other fields.

A search result is accepted as a named work if the titles agree in their letters and digits. A strong model
named 709 works; by this rule, an index of 28,000 papers has 301 of them. Accepting similar titles would add
seven papers, six of them wrong; accepting the short name before a title's colon would add five, all wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..identity import title_letters
from ..ports import Embedder, Monitor, PaperIndex
from ..ranking.fusion import reciprocal_rank_fusion
from ..services import Services
from ..types import Candidate, Filters, Matrix, Strand, Vector, Work

SHARE = 0.4  # weight of the abstract's vector in a strand's row
STRAND_TOP = 30  # results of the search for a strand
WORK_TOP = 10  # results of the search for a named work; they contain 87 % of 150 cited papers
BARE_TOP = 3  # the same for an index without titles, where the metadata of every result must be fetched
MOST_WORKS = 60  # works that are looked up in a run
FIT = 0.35  # greatest distance of a strand's paper to the cosine of its best paper; 0.25 costs recall
FUSED = 20, 0.4  # constant of reciprocal rank fusion, and weight of the order by strands
KEPT = 10  # number of best papers of a strand that stay candidates at any rank


@dataclass(frozen=True, slots=True)
class Hits:
    """The results of the searches for strands and works, with the works to look up in them."""

    rows: Matrix  # the query vectors, one row for each strand
    lists: list[list[Candidate]]
    wanted: tuple[Wanted, ...]


def search_strands(
    strands: Sequence[Strand],
    about: Vector,
    embedder: Embedder,
    index: PaperIndex,
    filters: Filters,
) -> Hits:
    """Searches the index for the strands, then for the titles of the named works and for their
    words. `about`: the vector of the draft's subject. Raises `SearchError`."""
    if not strands:
        return Hits(np.empty((0, about.size), dtype=np.float32), [], ())
    rows = rows_of(strands, about, embedder)
    lists = index.search(rows, STRAND_TOP, filters)
    wanted = wanted_of(strands)
    if wanted:
        titles = [w.work.title or w.work.name for w in wanted]
        bare = any(not c.paper.title for found in lists for c in found)
        lists = [
            *lists,
            *index.search(embedder.embed_documents(titles), BARE_TOP if bare else WORK_TOP, filters),
        ]
        lists += index.search_text(titles, WORK_TOP, filters)
    return Hits(rows, lists, wanted)


def rows_of(strands: Sequence[Strand], about: Vector, embedder: Embedder) -> Matrix:
    """The query vectors of the strands, shape [strands, dimension], unit rows. `about`: the vector of the
    draft's subject."""
    mixed = embedder.embed_documents([s.query for s in strands]) + SHARE * about
    norms = np.maximum(np.linalg.norm(mixed, axis=1, keepdims=True), 1e-12)
    return np.asarray(mixed / norms, dtype=np.float32)


def wanted_of(strands: Sequence[Strand]) -> tuple[Wanted, ...]:
    """The works to look up, without duplicates. One work of each strand is taken in turn, so that no strand
    dominates."""
    found: dict[tuple[str, str], Wanted] = {}
    longest = max((len(s.works) for s in strands), default=0)
    for place in range(longest):
        for strand in strands:
            for work in strand.works[place : place + 1]:
                found.setdefault(_key(work), Wanted(work, strand.name))
    return tuple(found.values())[:MOST_WORKS]


def _key(work: Work) -> tuple[str, str]:
    return work.title.casefold(), "" if work.title else work.name.casefold()


def in_strands(
    ranked: Sequence[Candidate], strands: Sequence[Strand], hits: Hits, top: int
) -> list[Candidate]:
    """Orders the candidates by fusion of the search's ranks and the ranks by strands, and sets their strands.
    After the first `top` papers that the draft does not cite, only named works and the `KEPT` nearest papers
    of each strand are kept."""
    if not ranked or not len(hits.rows):
        return list(ranked)
    table = similarities(ranked, hits.rows)
    names = believed(ranked, hits.wanted)
    kept = set(np.argsort(-table, axis=1, kind="stable")[:, :KEPT].ravel().tolist())
    tagged = [
        replace(c, strands=_belongs(i, c, table, strands, names), named=c.paper.id in names)
        for i, c in enumerate(ranked)
    ]
    order = fused_order(table)
    fresh, chosen = 0, []
    for i in order:
        fresh += not tagged[i].already_cited
        if fresh <= top or i in kept or tagged[i].named:
            chosen.append(tagged[i])
    return chosen


def similarities(candidates: Sequence[Candidate], rows: Matrix) -> Matrix:
    """The cosine of each candidate to each strand, shape [strands, candidates]; 0 if the index returned no
    vector."""
    table = np.zeros((len(rows), len(candidates)), dtype=np.float32)
    known = [i for i, c in enumerate(candidates) if c.vector is not None and c.vector.size == rows.shape[1]]
    if known:
        vectors = np.stack([v for i in known if (v := candidates[i].vector) is not None])
        table[:, known] = rows @ vectors.T
    return table


def fused_order(table: Matrix) -> list[int]:
    """The indexes of the candidates, ordered by reciprocal rank fusion of two orders: the given order, and
    the order by the cosine to the closest strand."""
    constant, weight = FUSED
    count = table.shape[1]
    by_strand = np.empty(count)
    by_strand[np.argsort(-table.max(axis=0), kind="stable")] = np.arange(1, count + 1)
    scores = reciprocal_rank_fusion([np.arange(1.0, count + 1), by_strand], constant, (1.0, weight))
    return [int(i) for i in np.argsort(-scores, kind="stable")]


def _belongs(
    number: int, candidate: Candidate, table: Matrix, strands: Sequence[Strand], names: Mapping[str, str]
) -> tuple[str, ...]:
    """The names of the candidate's strands: the strand for which the model named it, then at most two strands
    that it is close to, the closest first."""
    best = table.max(axis=1)
    close = [s for s in np.argsort(-table[:, number]) if table[s, number] >= best[s] - FIT]
    own = [names[candidate.paper.id]] if candidate.paper.id in names else []
    return tuple(dict.fromkeys([*own, *(strands[int(s)].name for s in close[:2])]))


def asked_by_title(hits: Hits, about: Vector, services: Services, monitor: Monitor) -> list[Candidate]:
    """For an index without titles: the named works that arXiv finds by title and that the index holds. Empty
    for other indexes. Only titles named by a model are sent. Raises `SourceUnavailable` and `SearchError`."""
    bare = any(not c.paper.title for found in hits.lists for c in found)
    titles = [wanted.work.title for wanted in hits.wanted if wanted.work.title]
    if not (bare and titles):
        return []
    papers = {paper.id: paper for paper in services.source.titled(titles, monitor)}
    held = services.index.get(list(papers)) if papers else {}
    return [Candidate(papers[id], float(vector @ about), vector=vector) for id, (_, vector) in held.items()]


@dataclass(frozen=True, slots=True)
class Wanted:
    work: Work
    strand: str


def believed(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> dict[str, str]:
    """The ids of the candidates that are named works, each with the first strand that named the work. A work
    has at most one paper."""
    found: dict[str, str] = {}
    for want, number in zip(wanted, _places(candidates, wanted), strict=True):
        if number is not None:
            found.setdefault(candidates[number].paper.id, want.strand)
    return found


def missing(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> tuple[Work, ...]:
    """The named works that are not among the candidates, in the order of `wanted`: the first work of each
    strand comes first."""
    places = zip(wanted, _places(candidates, wanted), strict=True)
    return tuple(want.work for want, number in places if number is None)


def _places(candidates: Sequence[Candidate], wanted: Sequence[Wanted]) -> list[int | None]:
    """For each work, the index of the first candidate with its title; None if there is none."""
    titles: dict[str, int] = {}
    for number, candidate in enumerate(candidates):
        titles.setdefault(title_letters(candidate.paper.title), number)
    titles.pop("", None)  # papers of a hosted index have no titles yet
    return [titles.get(title_letters(want.work.title)) for want in wanted]
