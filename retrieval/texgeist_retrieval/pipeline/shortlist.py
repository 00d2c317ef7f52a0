"""From pages to the shortlist: the best pages of each paper, then the papers with the best pages, and their
numbered evidence for the writers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from statistics import median

import numpy as np

from ..ranking.mmr import select
from ..services import Options
from ..types import Evidence, LeftOut, Matrix, Passage, Query, Reasons, Selected, Strand
from .longlist import Listed
from .rank_line import numbers_of, why_not_shortlisted, why_selected
from .reading import Reading
from .search import aggregate


def choose_pages(
    passages: Sequence[Passage], queries: Matrix, depth: int, diversity: float, anchor: int | None = None
) -> tuple[Evidence, ...]:
    """Returns the `depth` best pages of one paper by Equation 1, best first; all pages if there are fewer."""
    if not passages:
        return ()
    vectors = np.stack([p.vector for p in passages if p.vector is not None])
    similarities = aggregate(queries @ vectors.T, anchor)
    picks = select(similarities, vectors, depth, diversity)
    return tuple(Evidence("", passages[pick.index], pick.relevance, pick.relevance) for pick in picks)


def weigh(
    longlist: Sequence[Listed],
    readings: Mapping[str, Reading],
    queries: Matrix,
    depth: int,
    diversity: float,
    ranked: bool = False,
    anchor: int | None = None,
) -> list[Listed]:
    """Orders the longlist by the mean similarity of the kept pages (Citegeist, section 3.1).

    An abstract is usually more similar to another abstract than any page is. A paper without full text is
    therefore scored by its abstract's similarity minus the median difference between abstract and pages of
    the papers that were read, so that a failed download is no advantage. If no paper was read, the order of
    the longlist stays. With `ranked`, the relevance by the ranker counts as much as the pages."""
    passages = [_passages_of(listed, readings) for listed in longlist]
    kept = [choose_pages(held, queries, depth, diversity, anchor) for held in passages]
    lost = [listed.relevance - _mean(pages) for listed, pages in zip(longlist, kept, strict=True) if pages]
    shift = median(lost) if lost else 0.0
    weighed = [
        replace(listed, pages=pages, score=_score(listed, pages, shift, ranked), note=_note(listed, readings))
        for listed, pages in zip(longlist, kept, strict=True)
    ]
    return sorted(weighed, key=lambda paper: -paper.score) if lost else weighed


def _passages_of(listed: Listed, readings: Mapping[str, Reading]) -> tuple[Passage, ...]:
    reading = readings.get(listed.candidate.paper.id)
    return reading.passages if reading else ()


def _score(listed: Listed, pages: Sequence[Evidence], shift: float, ranked: bool) -> float:
    estimate = listed.relevance - shift
    if not pages:
        return estimate
    return (_mean(pages) + estimate) / 2 if ranked else _mean(pages)


def _mean(pages: Sequence[Evidence]) -> float:
    return sum(page.similarity for page in pages) / len(pages)


def _note(listed: Listed, readings: Mapping[str, Reading]) -> str:
    reading = readings.get(listed.candidate.paper.id)
    return reading.note if reading else ""


def choose_shortlist(
    weighed: Sequence[Listed],
    options: Options,
    query: Query,
    found: int,
    *,
    ranked: bool = False,
    pinned: frozenset[str] = frozenset(),
    strands: Sequence[Strand] = (),
) -> tuple[tuple[Selected, ...], tuple[LeftOut, ...]]:
    """Returns the `breadth` best papers with their evidence, and the others with reasons. Pinned papers are
    chosen first; the order is that of `weighed`. `found`: the number of search results, which the ranks refer
    to."""
    chosen = _best(weighed, options.breadth or len(weighed), pinned)
    ids = {paper.candidate.paper.id for paper in chosen}
    numbers, read = count(1), any(paper.pages for paper in weighed)
    selected = tuple(
        Selected(
            candidate=paper.candidate,
            evidence=tuple(evidence_of(paper, numbers)),
            score=paper.score,
            why=why_selected(paper, query, found, options.diversity, ranked, read, strands),
            full_text=bool(paper.pages),
            note=paper.note,
            reasons=Reasons(numbers=numbers_of(paper, query, found, ranked, read)),
        )
        for paper in chosen
    )
    others = [paper for paper in weighed if paper.candidate.paper.id not in ids]
    return selected, tuple(LeftOut(p.candidate, why_not_shortlisted(p, chosen)) for p in others)


def _best(weighed: Sequence[Listed], breadth: int, pinned: frozenset[str]) -> list[Listed]:
    free = max(breadth - sum(1 for paper in weighed if paper.candidate.paper.id in pinned), 0)
    chosen: list[Listed] = []
    for paper in weighed:
        held = paper.candidate.paper.id in pinned
        if held or free > 0:
            chosen.append(paper)
            free -= 0 if held else 1
    return chosen


def evidence_of(paper: Listed, numbers: Iterator[int]) -> Iterator[Evidence]:
    """Yields the abstract, then the kept pages, best first. The ids are unique within the run."""
    candidate = paper.candidate
    about = candidate.paper
    passage = Passage(about.id, None, about.abstract or about.title, candidate.vector)
    yield Evidence(str(next(numbers)), passage, candidate.similarity, candidate.score)
    for page in paper.pages:
        yield replace(page, id=str(next(numbers)))
