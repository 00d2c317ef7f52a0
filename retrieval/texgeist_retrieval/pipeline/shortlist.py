"""The shortlist as the writers get it: papers with numbered evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from ..services import Options
from ..types import Evidence, LeftOut, Passage, Query, Reasons, Selected, Strand
from .page_scoring import Weighed
from .rank_line import numbers_of, why_not_shortlisted, why_selected


def choose_shortlist(
    weighed: Sequence[Weighed],
    options: Options,
    query: Query,
    found: int,
    *,
    ranked: bool = False,
    pinned: frozenset[str] = frozenset(),
    strands: Sequence[Strand] = (),
) -> tuple[tuple[Selected, ...], tuple[LeftOut, ...]]:
    """The `breadth` best with their evidence, and the others with the reason. Pinned papers take their
    places first; the order is that of `weighed`. `found`: how many papers the ranks are out of."""
    chosen = _best(weighed, options.breadth or len(weighed), pinned)
    ids = {paper.listed.candidate.paper.id for paper in chosen}
    numbers, read = count(1), any(paper.pages for paper in weighed)
    selected = tuple(
        Selected(
            candidate=paper.listed.candidate,
            evidence=tuple(evidence_of(paper, numbers)),
            score=paper.score,
            why=why_selected(paper, query, found, options.diversity, ranked, read, strands),
            full_text=bool(paper.pages),
            note=paper.note,
            reasons=Reasons(numbers=numbers_of(paper, query, found, ranked, read)),
        )
        for paper in chosen
    )
    others = [paper for paper in weighed if paper.listed.candidate.paper.id not in ids]
    return selected, tuple(LeftOut(p.listed.candidate, why_not_shortlisted(p, chosen)) for p in others)


def _best(weighed: Sequence[Weighed], breadth: int, pinned: frozenset[str]) -> list[Weighed]:
    free = max(breadth - sum(1 for paper in weighed if paper.listed.candidate.paper.id in pinned), 0)
    chosen: list[Weighed] = []
    for paper in weighed:
        held = paper.listed.candidate.paper.id in pinned
        if held or free > 0:
            chosen.append(paper)
            free -= 0 if held else 1
    return chosen


def evidence_of(paper: Weighed, numbers: Iterator[int]) -> Iterator[Evidence]:
    """The abstract, then the kept pages, best first. The ids are unique within the run."""
    candidate = paper.listed.candidate
    about = candidate.paper
    passage = Passage(about.id, None, about.abstract or about.title, candidate.vector)
    yield Evidence(str(next(numbers)), passage, candidate.similarity, candidate.score)
    for page in paper.pages:
        yield Evidence(str(next(numbers)), page.passage, page.similarity, page.similarity)
