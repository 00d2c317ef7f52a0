"""Selects the candidates to read: by Equation 1 over their abstracts, or, if a model named the strands of the
draft, so that each strand is covered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..ranking.mmr import Pick, select
from ..services import Options
from ..strands.selection import cover
from ..types import Candidate, Evidence, LeftOut, Matrix, Vector
from .search import SearchResult, vectors_of

FAR = 0.35  # papers whose cosine is lower than the closest paper's by more than this have another subject


@dataclass(frozen=True, slots=True)
class Listed:
    """A candidate chosen for reading, with its terms in Equation 1 and the scores of its pages."""

    candidate: Candidate
    relevance: float  # s_i of Equation 1
    redundancy: float = 0.0  # largest similarity to a paper chosen earlier
    nearest: Candidate | None = None  # the most similar paper chosen earlier
    pages: tuple[Evidence, ...] = ()  # the kept pages, best first; empty for a paper read by its abstract
    score: float = 0.0  # mean similarity of the pages, or an estimate if there are none
    note: str = ""  # why it could not be read, for people


@dataclass(frozen=True, slots=True)
class Longlist:
    """The papers to read, in the order of selection, and why the others were left out."""

    papers: tuple[Listed, ...]
    left_out: tuple[LeftOut, ...] = ()


def choose_pool(
    candidates: Sequence[Candidate], count: int, include_cited: bool, excluded: frozenset[str] = frozenset()
) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """The best `count` candidates that may be cited, and the others with reasons: already cited, excluded, or
    ranked too low."""
    barred = [LeftOut(c, reason) for c in candidates if (reason := _barred(c, include_cited, excluded))]
    out = {item.candidate.paper.id for item in barred}
    fresh = [c for c in candidates if c.paper.id not in out]
    below = (LeftOut(c, f"Number {c.rank} of the search: too far down.") for c in fresh[count:])
    return fresh[:count], (*barred, *below)


def _barred(candidate: Candidate, include_cited: bool, excluded: frozenset[str]) -> str:
    if candidate.paper.id in excluded:
        return "You left it out."
    return "Your draft cites it already." if candidate.already_cited and not include_cited else ""


def relevances(pool: Sequence[Candidate], ranked: bool) -> Vector:
    """s_i of Equation 1, shape [n]: the scores, if these are similarities.

    A ranker's scores are on another scale, which Equation 1 could not compare with cosines. Only its order is
    used: the best-ranked paper gets the highest similarity of the pool, and so on."""
    if not ranked:
        return np.array([c.score for c in pool], dtype=np.float32)
    return np.sort(np.array([c.similarity for c in pool], dtype=np.float32))[::-1]


def near_first(pool: Sequence[Candidate]) -> list[Candidate]:
    """Moves papers far from the query to the end of the pool, whatever their rank.

    A ranker favours papers that are often cited, and ranks some of other subjects high. On 100 dev queries
    the share of cited papers among the first ten is 0.456 with this limit and 0.460 without it (0.355 by
    similarity alone), and the lowest similarity among them rises from 0.50 to 0.54."""
    limit = max((c.similarity for c in pool), default=0.0) - FAR
    near = [c for c in pool if c.similarity >= limit]
    return near + [c for c in pool if c.similarity < limit]


def choose_longlist(
    pool: Sequence[Candidate], count: int, diversity: float, ranked: bool = False
) -> Longlist:
    """Citegeist's longlist, by Equation 1."""
    if not pool:
        return Longlist(())
    pool = near_first(pool) if ranked else pool
    picks = select(relevances(pool, ranked), vectors_of(pool), count, diversity)
    chosen = {pick.index for pick in picks}
    rest = tuple(_not_listed(c, len(picks)) for i, c in enumerate(pool) if i not in chosen)
    return Longlist(tuple(_listed(pool, pick) for pick in picks), rest)


def _listed(pool: Sequence[Candidate], pick: Pick) -> Listed:
    nearest = None if pick.nearest is None else pool[pick.nearest]
    return Listed(pool[pick.index], pick.relevance, pick.redundancy, nearest)


def _not_listed(candidate: Candidate, read: int) -> LeftOut:
    return LeftOut(
        candidate, f"Number {candidate.rank} in the search results; {read} other papers were preferred."
    )


def pin(longlist: Longlist, candidates: Sequence[Candidate], pinned: frozenset[str]) -> Longlist:
    """Appends the pinned papers that Equation 1 did not choose."""
    known = {listed.candidate.paper.id for listed in longlist.papers}
    extra = (Listed(c, c.similarity) for c in candidates if c.paper.id in pinned - known)
    left_out = tuple(out for out in longlist.left_out if out.candidate.paper.id not in pinned)
    return Longlist((*longlist.papers, *extra), left_out)


def covered(
    found: SearchResult,
    fit: Matrix,
    count: int,
    options: Options,
    pinned: frozenset[str] = frozenset(),
    excluded: frozenset[str] = frozenset(),
) -> Longlist:
    """Returns `count` papers, grouped by strand, so that every strand is covered. Pinned papers are chosen
    first. `fit`: shape [strands, candidates], see `selection.fits`."""
    pool, barred = choose_pool(found.candidates, len(found.candidates), options.include_cited, excluded)
    held = [c for c in found.candidates if c.paper.id in pinned]
    rest = [c for c in pool if c.paper.id not in pinned]
    row = {c.paper.id: number for number, c in enumerate(found.candidates)}
    fit = fit[:, [row[c.paper.id] for c in rest]]
    picks = cover(rest, fit, vectors_of(rest), max(count - len(held), 0), options.diversity) if rest else []
    listed = [*(Listed(c, c.similarity) for c in held), *(_listed(rest, pick) for pick in picks)]
    chosen = {pick.index for pick in picks}
    best = fit.max(axis=0) if len(fit) else np.zeros(len(rest))
    kept = [rest[pick.index] for pick in picks]
    left = tuple(LeftOut(c, _why_not(c, float(best[i]), kept)) for i, c in enumerate(rest) if i not in chosen)
    left_out = tuple(item for item in (*barred, *left) if item.candidate.paper.id not in pinned)
    return Longlist(tuple(_by_strand(listed, found)), left_out)


def _why_not(candidate: Candidate, fit: float, chosen: Sequence[Candidate]) -> str:
    if fit <= 0:
        return "It fits no part of what your draft stands on."
    same = [c for c in chosen if candidate.strands and c.strands[:1] == candidate.strands[:1]][:2]
    if not same:
        return f"Number {candidate.rank} of the search; there was no place left for it."
    titles = " and ".join(f"“{c.paper.title}”" for c in same)
    return f"For {candidate.strands[0]}, {titles} {'was' if len(same) == 1 else 'were'} preferred."


def _by_strand(listed: list[Listed], found: SearchResult) -> list[Listed]:
    """Groups the papers by strand, in the order of the strands; within a strand in the order of selection."""
    place = {strand.name: number for number, strand in enumerate(found.strands)}
    return sorted(listed, key=lambda one: place.get(next(iter(one.candidate.strands), ""), len(place)))
