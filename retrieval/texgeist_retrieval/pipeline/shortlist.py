"""The shortlist as the writers get it: papers with numbered evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from ..types import Evidence, LeftOut, Passage, Query, Selected
from .reasons import why_not_shortlisted, why_selected
from .weighing import Weighed


def choose_shortlist(
    weighed: Sequence[Weighed], breadth: int, query: Query, found: int, diversity: float, ranked: bool = False
) -> tuple[tuple[Selected, ...], tuple[LeftOut, ...]]:
    """The `breadth` best with their evidence, and the others with the reason."""
    chosen = weighed[: max(breadth, 0)]
    numbers = count(1)
    selected = tuple(
        Selected(
            candidate=paper.listed.candidate,
            evidence=tuple(evidence_of(paper, numbers)),
            score=paper.score,
            why=why_selected(paper, query, found, diversity, ranked),
            full_text=bool(paper.pages),
            note=paper.note,
        )
        for paper in chosen
    )
    rest = tuple(
        LeftOut(paper.listed.candidate, why_not_shortlisted(paper, chosen))
        for paper in weighed[len(chosen) :]
    )
    return selected, rest


def evidence_of(paper: Weighed, numbers: Iterator[int]) -> Iterator[Evidence]:
    """The abstract, then the kept pages, best first. The ids are unique within the run."""
    candidate = paper.listed.candidate
    about = candidate.paper
    passage = Passage(about.id, None, about.abstract or about.title, candidate.vector)
    yield Evidence(str(next(numbers)), passage, candidate.similarity, candidate.score)
    for page in paper.pages:
        yield Evidence(str(next(numbers)), page.passage, page.similarity, page.similarity)
