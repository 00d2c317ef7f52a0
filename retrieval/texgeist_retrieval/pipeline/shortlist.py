"""Selects the best pages of each paper, then the papers with the best pages (the shortlist), and numbers
their evidence for the writers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count as counter
from statistics import median

import numpy as np

from ..ranking.mmr import select
from ..services import Options
from ..types import Evidence, LeftOut, Matrix, Passage, Selected
from .candidates import aggregate
from .longlist import Selection
from .reading import Reading


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
    longlist: Sequence[Selected],
    readings: Mapping[str, Reading],
    queries: Matrix,
    options: Options,
    ranked: bool = False,
    anchor: int | None = None,
) -> list[Selected]:
    """Orders the longlist by the mean similarity of the kept pages (Citegeist, section 3.1).

    A paper's abstract is usually more similar to the draft than its pages are. For papers that were read, the
    median of this difference is computed. The score of a paper without full text is the similarity of its
    abstract minus this median, so that a failed download is no advantage. If no paper was read, the order of
    the longlist stays. With `ranked`, the ranker's relevance has the same weight as the pages."""
    with_pages = [_with_pages(paper, readings, queries, options, anchor) for paper in longlist]
    differences = [paper.relevance - _mean(paper.evidence) for paper in with_pages if paper.evidence]
    shift = median(differences) if differences else 0.0
    weighed = [replace(paper, score=_score(paper, shift, ranked)) for paper in with_pages]
    return sorted(weighed, key=lambda paper: -paper.score) if differences else weighed


def _with_pages(
    paper: Selected,
    readings: Mapping[str, Reading],
    queries: Matrix,
    options: Options,
    anchor: int | None,
) -> Selected:
    reading = readings.get(paper.candidate.paper.id)
    if reading is None:
        return paper
    pages = choose_pages(reading.passages, queries, options.depth, options.diversity, anchor)
    return replace(paper, evidence=pages, full_text=bool(pages), note=reading.note)


def _score(paper: Selected, shift: float, ranked: bool) -> float:
    estimate = paper.relevance - shift
    if not paper.evidence:
        return estimate
    return (_mean(paper.evidence) + estimate) / 2 if ranked else _mean(paper.evidence)


def _mean(pages: Sequence[Evidence]) -> float:
    return sum(page.similarity for page in pages) / len(pages)


def choose_shortlist(
    weighed: Sequence[Selected], count: int, pinned: frozenset[str] = frozenset()
) -> Selection:
    """Returns the `count` best papers with numbered evidence, and the others with the reasons for leaving
    them out. All pinned papers are chosen; the order of `weighed` stays."""
    chosen = _best(weighed, count, pinned)
    ids = {paper.candidate.paper.id for paper in chosen}
    numbers = counter(1)
    numbered = tuple(replace(paper, evidence=tuple(evidence_of(paper, numbers))) for paper in chosen)
    others = [paper for paper in weighed if paper.candidate.paper.id not in ids]
    return Selection(numbered, tuple(LeftOut(p.candidate, _why_not(p, chosen)) for p in others))


def _best(weighed: Sequence[Selected], count: int, pinned: frozenset[str]) -> list[Selected]:
    free = max(count - sum(1 for paper in weighed if paper.candidate.paper.id in pinned), 0)
    chosen: list[Selected] = []
    for paper in weighed:
        kept = paper.candidate.paper.id in pinned
        if kept or free > 0:
            chosen.append(paper)
            free -= 0 if kept else 1
    return chosen


def _why_not(paper: Selected, shortlist: Sequence[Selected]) -> str:
    """The reason why the paper is not on the shortlist. It contains no score, because the similarity shown
    next to it is another number."""
    others = sorted(shortlist, key=lambda kept: kept.score)[-2:][::-1]
    titles = " and ".join(f"“{kept.candidate.paper.title}”" for kept in others)
    reason = "their pages are more relevant to your draft" if paper.evidence else "they rank higher"
    return f"{titles if len(others) > 1 else 'Other papers'} were preferred because {reason}."


def evidence_of(paper: Selected, numbers: Iterator[int]) -> Iterator[Evidence]:
    """Yields the evidence of the paper: its abstract, then the kept pages, best first. The ids come from
    `numbers` and are unique within the run."""
    candidate = paper.candidate
    about = candidate.paper
    passage = Passage(about.id, None, about.abstract or about.title, candidate.vector)
    yield Evidence(str(next(numbers)), passage, candidate.similarity, candidate.score)
    for page in paper.evidence:
        yield replace(page, id=str(next(numbers)))
