"""Selects the candidates to read. By default, Equation 1 is applied to their abstracts. If a model named the
strands of the draft, papers are selected so that each strand is covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ranking.mmr import Pick, select
from ..services import Options
from ..strands.selection import cover
from ..types import Candidate, LeftOut, Matrix, Selected, Vector
from .candidates import vectors_of
from .search import SearchResult

FAR = 0.35  # papers whose cosine is lower than the closest paper's by more than this have another subject


@dataclass(frozen=True, slots=True)
class Selection:
    """The papers of the longlist or the shortlist, and all other papers, each with the reason for leaving it
    out."""

    selected: tuple[Selected, ...]
    left_out: tuple[LeftOut, ...] = ()


def choose_pool(
    candidates: Sequence[Candidate], count: int, excluded: frozenset[str] = frozenset()
) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """The best `count` candidates that may be cited, and the others with the reason for leaving each out: it
    is already cited, excluded, or ranked too low."""
    barred = [LeftOut(c, reason) for c in candidates if (reason := _barred(c, excluded))]
    out = {item.candidate.paper.id for item in barred}
    fresh = [c for c in candidates if c.paper.id not in out]
    below = (LeftOut(c, f"Number {c.rank} in the search results: ranked too low.") for c in fresh[count:])
    return fresh[:count], (*barred, *below)


def _barred(candidate: Candidate, excluded: frozenset[str]) -> str:
    if candidate.paper.id in excluded:
        return "You left it out."
    return "Your draft cites it already." if candidate.already_cited else ""


def relevances(pool: Sequence[Candidate], ranked: bool) -> Vector:
    """s_i of Equation 1, shape [n]. Without a ranker, these are the scores, which are similarities.

    A ranker's scores are on another scale, which Equation 1 cannot compare with cosines. With `ranked`, only
    the ranker's order is used: the best-ranked paper gets the highest similarity of the pool, the next paper
    the next similarity, and so on."""
    if not ranked:
        return np.array([c.score for c in pool], dtype=np.float32)
    return np.sort(np.array([c.similarity for c in pool], dtype=np.float32))[::-1]


def near_first(pool: Sequence[Candidate]) -> list[Candidate]:
    """Moves papers far from the query to the end of the pool, whatever their rank.

    A ranker favours papers that are often cited, and therefore ranks some papers on other subjects high. On
    100 dev queries, the share of cited papers among the first ten is 0.456 with this limit and 0.460 without
    it (0.355 by similarity alone). The limit raises the lowest similarity among the first ten from 0.50 to
    0.54."""
    limit = max((c.similarity for c in pool), default=0.0) - FAR
    near = [c for c in pool if c.similarity >= limit]
    return near + [c for c in pool if c.similarity < limit]


def choose_longlist(
    pool: Sequence[Candidate], count: int, diversity: float, ranked: bool = False
) -> Selection:
    """The longlist of Citegeist: `count` papers of the pool, selected by Equation 1."""
    if not pool:
        return Selection(())
    pool = near_first(pool) if ranked else pool
    picks = select(relevances(pool, ranked), vectors_of(pool), count, diversity)
    chosen = {pick.index for pick in picks}
    rest = tuple(
        LeftOut(c, f"Number {c.rank} in the search results; {len(picks)} other papers were preferred.")
        for i, c in enumerate(pool)
        if i not in chosen
    )
    return Selection(tuple(_selected(pool, pick) for pick in picks), rest)


def _selected(pool: Sequence[Candidate], pick: Pick) -> Selected:
    nearest = None if pick.nearest is None else pool[pick.nearest]
    return Selected(pool[pick.index], relevance=pick.relevance, nearest=nearest)


def pin(longlist: Selection, candidates: Sequence[Candidate], pinned: frozenset[str]) -> Selection:
    """Appends the pinned candidates that are not on the longlist."""
    known = {paper.candidate.paper.id for paper in longlist.selected}
    extra = (Selected(c, relevance=c.similarity) for c in candidates if c.paper.id in pinned - known)
    left_out = tuple(out for out in longlist.left_out if out.candidate.paper.id not in pinned)
    return Selection((*longlist.selected, *extra), left_out)


def cover_strands(
    found: SearchResult,
    fit: Matrix,
    count: int,
    options: Options,
    pinned: frozenset[str] = frozenset(),
    excluded: frozenset[str] = frozenset(),
) -> Selection:
    """Selects `count` papers so that every strand is covered, and groups them by strand. Pinned papers are
    chosen first. `fit`: shape [strands, candidates], see `selection.fits`."""
    pool, barred = choose_pool(found.candidates, len(found.candidates), excluded)
    kept = [Selected(c, relevance=c.similarity) for c in found.candidates if c.paper.id in pinned]
    rest = [c for c in pool if c.paper.id not in pinned]
    row = {c.paper.id: number for number, c in enumerate(found.candidates)}
    fit = fit[:, [row[c.paper.id] for c in rest]]
    picks = cover(rest, fit, vectors_of(rest), max(count - len(kept), 0), options.diversity) if rest else []
    chosen = {pick.index: rest[pick.index] for pick in picks}
    best = fit.max(axis=0) if len(fit) else np.zeros(len(rest))
    left = (
        LeftOut(c, _why_not(c, float(best[i]), list(chosen.values())))
        for i, c in enumerate(rest)
        if i not in chosen
    )
    left_out = tuple(item for item in (*barred, *left) if item.candidate.paper.id not in pinned)
    return Selection(_by_strand([*kept, *(_selected(rest, pick) for pick in picks)], found), left_out)


def _why_not(candidate: Candidate, fit: float, chosen: Sequence[Candidate]) -> str:
    if fit <= 0:
        return "It fits no part of what your draft stands on."
    same = [c for c in chosen if candidate.strands and c.strands[:1] == candidate.strands[:1]][:2]
    if not same:
        return f"Number {candidate.rank} in the search results; the section has no room for it."
    titles = " and ".join(f"“{c.paper.title}”" for c in same)
    return f"For {candidate.strands[0]}, {titles} {'was' if len(same) == 1 else 'were'} preferred."


def _by_strand(papers: list[Selected], found: SearchResult) -> tuple[Selected, ...]:
    """Groups the papers by strand, in the order of the strands; within a strand in the order of selection."""
    place = {strand.name: number for number, strand in enumerate(found.strands)}
    last = len(place)
    return tuple(sorted(papers, key=lambda p: place.get(next(iter(p.candidate.strands), ""), last)))
