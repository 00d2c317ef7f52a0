"""Which of the candidates are read: Equation 1 over their abstracts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..selection import Pick, select
from ..types import Candidate, LeftOut, Vector
from .searching import vectors_of


@dataclass(frozen=True, slots=True)
class Listed:
    """A candidate that was chosen, and how Equation 1 came to it."""

    candidate: Candidate
    pick: Pick
    nearest: Candidate | None = None  # the paper, chosen before, that it resembles most


def choose_pool(
    candidates: Sequence[Candidate], count: int, include_cited: bool
) -> tuple[list[Candidate], tuple[LeftOut, ...]]:
    """The `count` best that may be cited anew, and those that the draft cites already."""
    cited = [] if include_cited else [c for c in candidates if c.already_cited]
    fresh = [c for c in candidates if include_cited or not c.already_cited]
    return fresh[:count], tuple(LeftOut(c, "The draft cites it already.") for c in cited)


def relevances(pool: Sequence[Candidate], ranked: bool) -> Vector:
    """s_i of Equation 1, shape [n]: scores by similarity as they are.

    A ranker's scores have a scale of their own, which Equation 1 would weigh against cosines. Its *order*
    is kept instead: the best-ranked paper gets the highest similarity of the pool, and so on.
    """
    if not ranked:
        return np.array([c.score for c in pool], dtype=np.float32)
    return np.sort(np.array([c.similarity for c in pool], dtype=np.float32))[::-1]


def choose_longlist(
    pool: Sequence[Candidate], count: int, diversity: float, ranked: bool = False
) -> tuple[list[Listed], tuple[LeftOut, ...]]:
    """Citegeist's longlist, in the order of the choice, and why the others are not on it."""
    if not pool:
        return [], ()
    picks = select(relevances(pool, ranked), vectors_of(pool), count, diversity)
    listed = [
        Listed(pool[pick.index], pick, None if pick.nearest is None else pool[pick.nearest]) for pick in picks
    ]
    chosen = {pick.index for pick in picks}
    rest = tuple(_not_listed(c, len(picks)) for i, c in enumerate(pool) if i not in chosen)
    return listed, rest


def _not_listed(candidate: Candidate, read: int) -> LeftOut:
    return LeftOut(candidate, f"Number {candidate.rank} of the search; {read} others were preferred.")
