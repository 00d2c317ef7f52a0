"""A search that the worker keeps for the review page: papers, vectors and passages.

A new choice for other numbers, pins or exclusions repeats the pipeline from the longlist on
(`texgeist_retrieval.pipeline`). It uses only data in memory, without a model or the network, and takes some
milliseconds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from uuid import uuid4

from texgeist_retrieval.types import Passage, Strand

from ..adapters import Setup, build_services, prepare_model
from ..errors import SearchGone
from ..index_places import named
from ..references import reference_of
from ..sections.requests import (
    Choice,
    ChooseRequest,
    ReviewedPaper,
    ReviewedPapers,
    ReviewRequest,
    WriteChosenRequest,
)
from ..sections.runs import options_of

if TYPE_CHECKING:
    from texgeist_retrieval.pipeline import SearchResult
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.services import Services
    from texgeist_retrieval.types import Candidate, Query, Result, Selected

MOST = 120  # papers on the page
_LONGEST = 1200  # characters of a passage
_KEPT = 4  # searches in memory


@dataclass(frozen=True)
class Held:
    """A kept search. `coordinates`: places on the map, by paper id."""

    found: SearchResult
    services: Services
    setup: Setup
    coordinates: Mapping[str, tuple[float, float]]
    id: str = field(default_factory=lambda: uuid4().hex[:8])


_searches: dict[str, Held] = {}  # the most recent, by id


def search(request: ReviewRequest, setup: Setup, monitor: Monitor) -> ReviewedPapers:
    """Searches, keeps the search, and returns its papers with the choice."""
    held = hold(request.query, setup, request.first, monitor)
    _searches[held.id] = held
    while len(_searches) > _KEPT:
        del _searches[next(iter(_searches))]
    return as_shown(held, request.choice)


def choose(request: ChooseRequest, setup: Setup, monitor: Monitor) -> ReviewedPapers:
    """Chooses from a kept search. Raises `SearchGone`."""
    return as_shown(_held(request.search), request.choice)


def _held(search: str) -> Held:
    if (held := _searches.get(search)) is None:
        raise SearchGone("The search is not in memory any more.", "Go back to the page, which repeats it.")
    return held


def hold(query: Query, setup: Setup, choice: Choice, monitor: Monitor) -> Held:
    """Searches, and reads the papers that `texgeist related-work` would read for these numbers, because a
    ranker's order depends on the number of papers. So the page first shows the choice of that command."""
    from texgeist_retrieval.pipeline import gather

    services = build_services(setup, query.project, discover=True)
    prepare_model(services)
    try:
        found = gather(query, services, options_of(setup, choice), monitor)
    finally:
        services.index.close()
    return Held(found, services, setup, coordinates(found.candidates[:MOST]))


def chosen_of(held: Held, choice: Choice) -> Result:
    """The chosen papers for this choice, and the papers that were left out, each with the reason."""
    from texgeist_retrieval import pipeline

    return pipeline.choose(
        held.found,
        options_of(held.setup, choice),
        pinned=frozenset(choice.pinned),
        excluded=frozenset(choice.excluded),
    )


def as_shown(held: Held, choice: Choice) -> ReviewedPapers:
    """The papers and the choice in the form that the page shows."""
    from texgeist_retrieval.pipeline.missing import missing_note
    from texgeist_retrieval.pipeline.reasons import explain_left_out
    from texgeist_retrieval.pipeline.selection import LIKELY

    chosen = chosen_of(held, choice)
    left_out = explain_left_out(chosen.left_out, chosen.selected, held.found.draft)
    reasons = {c.paper.id: (c.left_out, c.added) for c in left_out}
    by_id = {item.candidate.paper.id: item for item in chosen.selected}
    candidates = [item.candidate for item in chosen.selected]
    shown = (c for place, c in enumerate(held.found.candidates) if place < MOST or c.paper.id in by_id)
    taken = held.services.writer.estimate(held.found.query, chosen.selected)
    return ReviewedPapers(
        search=held.id,
        breadth=choice.breadth or len(chosen.selected) or LIKELY,
        papers=tuple(_paper(held, c, by_id.get(c.paper.id), reasons, candidates) for c in shown),
        chosen=tuple(by_id),
        notes=(*held.found.notes, *missing_note(held.found.candidates, frozenset(by_id))),
        takes=taken.sentence() if taken else "",
    )


def write_chosen(request: WriteChosenRequest, setup: Setup, monitor: Monitor) -> Result:
    """Writes the section from the chosen papers. Raises `SearchGone`."""
    from texgeist_retrieval.pipeline import compose

    held = _held(request.search)
    result = compose(held.found, chosen_of(held, request.choice), held.services, monitor)
    return replace(result, index=named(result.index))


def coordinates(candidates: Sequence[Candidate]) -> dict[str, tuple[float, float]]:
    """Places on the map, in [-1, 1], with the draft at the origin.

    The distance from the origin is the dissimilarity to the draft, scaled so that the farthest paper is at
    distance 1. The angle is that of the first two principal components of the vectors.
    """
    import numpy as np

    known = [c for c in candidates if c.vector is not None]
    if not known:
        return {}
    vectors = np.stack([c.vector for c in known if c.vector is not None])
    centred = vectors - vectors.mean(axis=0)
    axes = np.linalg.svd(centred, full_matrices=False)[2][:2]
    plane = centred @ axes.T
    if plane.shape[1] < 2:
        plane = np.hstack([plane, np.zeros((len(plane), 2 - plane.shape[1]), dtype=plane.dtype)])
    far = 1.0 - np.array([c.similarity for c in known])
    radius = far / max(float(far.max()), 1e-6)
    length = np.maximum(np.linalg.norm(plane, axis=1), 1e-6)
    places = plane / length[:, None] * radius[:, None]
    return {c.paper.id: (float(x), float(y)) for c, (x, y) in zip(known, places, strict=True)}


def _paper(
    held: Held,
    candidate: Candidate,
    selected: Selected | None,
    reasons: Mapping[str, tuple[str, str]],
    chosen: Sequence[Candidate],
) -> ReviewedPaper:
    paper = candidate.paper
    left_out, added = reasons.get(paper.id, ("Other papers were preferred.", ""))
    x, y = held.coordinates.get(paper.id, (0.0, 1.0))
    known = {strand.name: strand for strand in held.found.strands}
    return ReviewedPaper(
        id=paper.id,
        title=paper.title,
        authors=paper.authors,
        year=paper.year,
        url=reference_of(paper).url,
        rank=candidate.rank,
        similarity=round(float(candidate.similarity), 4),
        x=round(x, 4),
        y=round(y, 4),
        cited=candidate.already_cited,
        strands=tuple(known.get(name) or Strand(name, "") for name in candidate.strands),
        why=selected.reasons.numbers if selected else "",
        reasons=selected.reasons if selected else None,
        left_out="" if selected else left_out,
        added="" if selected else added,
        score=round(float(selected.score), 4) if selected else None,
        discovered=candidate.discovered,
        redundancy=_redundancy(candidate, chosen),
        evidence=_evidence(candidate, selected),
    )


def _redundancy(candidate: Candidate, chosen: Sequence[Candidate]) -> float | None:
    import numpy as np

    others = [c.vector for c in chosen if c.vector is not None and c.paper.id != candidate.paper.id]
    if candidate.vector is None or not others:
        return None
    return round(float((np.stack(others) @ candidate.vector).max()), 4)


def _evidence(candidate: Candidate, selected: Selected | None) -> Passage | None:
    """The best passage of a chosen paper, preferably with a page; else the abstract."""
    paper = candidate.paper
    if selected and selected.evidence:
        pages = [e for e in selected.evidence if not e.passage.is_abstract]
        best = max(pages or selected.evidence, key=lambda e: e.similarity).passage
        return replace(best, text=best.text[:_LONGEST])
    return Passage(paper.id, None, paper.abstract[:_LONGEST]) if paper.abstract else None
