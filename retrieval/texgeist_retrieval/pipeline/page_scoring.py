"""From pages to the shortlist: the best pages of each paper, then the papers with the best pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from ..ranking.mmr import select
from ..types import Matrix, Passage
from .aggregate import aggregate
from .longlist import Listed
from .reading import Reading


@dataclass(frozen=True, slots=True)
class KeptPage:
    passage: Passage
    similarity: float


@dataclass(frozen=True, slots=True)
class Weighed:
    """A read paper. `score` is the mean similarity of its kept pages, or an estimate without any."""

    listed: Listed
    pages: tuple[KeptPage, ...]
    score: float
    note: str = ""


def choose_pages(
    passages: Sequence[Passage], queries: Matrix, depth: int, diversity: float, anchor: int | None = None
) -> tuple[KeptPage, ...]:
    """The `depth` pages of one paper by Equation 1, best first; all of them when there are fewer."""
    if not passages:
        return ()
    vectors = np.stack([p.vector for p in passages if p.vector is not None])
    similarities = aggregate(queries @ vectors.T, anchor)
    picks = select(similarities, vectors, depth, diversity)
    return tuple(KeptPage(passages[pick.index], pick.relevance) for pick in picks)


def weigh(
    longlist: Sequence[Listed],
    readings: Mapping[str, Reading],
    queries: Matrix,
    depth: int,
    diversity: float,
    ranked: bool = False,
    anchor: int | None = None,
) -> list[Weighed]:
    """The longlist, best first by the mean similarity of the kept pages (Citegeist, section 3.1).

    An abstract is written to be found and lies nearer to another abstract than any page does. So a paper
    without full text is placed by its abstract's similarity less what the papers that *were* read lost
    from abstract to pages (the median): a failed download is no advantage. Where nothing was read, the
    longlist's own order stands. With `ranked`, the ranker's judgement counts as much as the pages.
    """
    passages = [_passages_of(listed, readings) for listed in longlist]
    kept = [choose_pages(held, queries, depth, diversity, anchor) for held in passages]
    lost = [
        listed.pick.relevance - _mean(pages) for listed, pages in zip(longlist, kept, strict=True) if pages
    ]
    shift = median(lost) if lost else 0.0
    weighed = [
        Weighed(listed, pages, _score(listed, pages, shift, ranked), _note(listed, readings))
        for listed, pages in zip(longlist, kept, strict=True)
    ]
    return sorted(weighed, key=lambda paper: -paper.score) if lost else weighed


def _passages_of(listed: Listed, readings: Mapping[str, Reading]) -> tuple[Passage, ...]:
    reading = readings.get(listed.candidate.paper.id)
    return reading.passages if reading else ()


def _score(listed: Listed, pages: Sequence[KeptPage], shift: float, ranked: bool) -> float:
    estimate = listed.pick.relevance - shift
    if not pages:
        return estimate
    return (_mean(pages) + estimate) / 2 if ranked else _mean(pages)


def _mean(pages: Sequence[KeptPage]) -> float:
    return sum(page.similarity for page in pages) / len(pages)


def _note(listed: Listed, readings: Mapping[str, Reading]) -> str:
    reading = readings.get(listed.candidate.paper.id)
    return reading.note if reading else ""
