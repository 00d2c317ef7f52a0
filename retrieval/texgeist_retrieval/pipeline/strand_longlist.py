"""The longlist where the draft's strands are known: every strand covered, what fits none left out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ranking.mmr import Pick
from ..services import Options
from ..strands.selection import cover, fits
from ..types import Candidate, LeftOut
from .longlist import Listed, choose_pool
from .search import Found, vectors_of


def covered(
    found: Found, options: Options, count: int, pinned: frozenset[str], excluded: frozenset[str]
) -> tuple[list[Candidate], list[Listed], tuple[LeftOut, ...]]:
    """The pool, `count` papers of it in the order of their strands, and who fell out. Pinned papers take
    their places first."""
    everybody = len(found.candidates)
    pool, barred = choose_pool(found.candidates, everybody, options.include_cited, excluded)
    held = [c for c in found.candidates if c.paper.id in pinned]
    rest = [c for c in pool if c.paper.id not in pinned]
    fit = fits(rest, found.strands, found.strand_rows)
    free = max(count - len(held), 0)
    picks = cover(rest, fit, vectors_of(rest), free, options.diversity) if rest else []
    listed = [Listed(c, Pick(i, c.similarity, 0.0, c.similarity)) for i, c in enumerate(held)]
    listed += [Listed(rest[p.index], p, None if p.nearest is None else rest[p.nearest]) for p in picks]
    chosen = {pick.index for pick in picks}
    best = fit.max(axis=0) if len(fit) else np.zeros(len(rest))
    kept = [rest[pick.index] for pick in picks]
    left = tuple(LeftOut(c, _why_not(c, float(best[i]), kept)) for i, c in enumerate(rest) if i not in chosen)
    out = tuple(item for item in (*barred, *left) if item.candidate.paper.id not in pinned)
    return pool, _by_strand(listed, found), out


def _why_not(candidate: Candidate, fit: float, chosen: Sequence[Candidate]) -> str:
    if fit <= 0:
        return "It fits no part of what your draft stands on."
    same = [c for c in chosen if candidate.strands and c.strands[:1] == candidate.strands[:1]][:2]
    if not same:
        return f"Number {candidate.rank} of the search; there was no place left for it."
    titles = " and ".join(f"“{c.paper.title}”" for c in same)
    return f"For {candidate.strands[0]}, {titles} {'was' if len(same) == 1 else 'were'} preferred."


def _by_strand(listed: list[Listed], found: Found) -> list[Listed]:
    """Papers of one strand stand together, the first strand's first, in the order of the choice."""
    place = {strand.name: number for number, strand in enumerate(found.strands)}
    return sorted(listed, key=lambda one: place.get(next(iter(one.candidate.strands), ""), len(place)))
