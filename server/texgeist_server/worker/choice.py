"""A search that is held for review, in the worker: papers, vectors and what was read of them.

Choosing anew for other numbers, pins or exclusions is Citegeist's line of steps from the longlist on
(`texgeist_retrieval.pipeline`), over what is in memory: no model, no network, some milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from texgeist_retrieval.codec import to_plain

from ..references import reference_of
from ..sections.runs import named, options_of

if TYPE_CHECKING:
    from texgeist_retrieval.pipeline import Chosen, Gathered
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.services import Options, Services
    from texgeist_retrieval.types import Candidate, Query, Result, Selected

    from ..config.settings import Settings

MOST = 120  # papers that are shown
_KEPT = 4  # searches in memory

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the page asks for. `pinned` are chosen whatever happens, `excluded` never."""

    breadth: int | None = None  # None: as many as the draft needs
    depth: int = 2
    diversity: float = 0.0
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """One search. `coordinates` are of the map, by paper id."""

    gathered: Gathered
    services: Services
    settings: Settings
    coordinates: dict[str, tuple[float, float]]
    id: str = field(default_factory=lambda: uuid4().hex[:8])


class Shelf:
    """The last few searches, by id."""

    def __init__(self) -> None:
        self._held: dict[str, Held] = {}

    def put(self, held: Held) -> None:
        self._held[held.id] = held
        while len(self._held) > _KEPT:
            del self._held[next(iter(self._held))]

    def get(self, id: str) -> Held | None:
        return self._held.get(id)


def hold(query: Query, services: Services, settings: Settings, wanted: Wanted, monitor: Monitor) -> Held:
    """Searches, and reads the papers that these numbers would read: so the page shows, to begin with, just
    what the command would choose. A ranker's order depends on how many papers it is given."""
    from texgeist_retrieval.pipeline import gather

    gathered = gather(query, services, numbers_of(settings, wanted), monitor)
    places = coordinates(gathered.found.candidates[:MOST])
    return Held(gathered, services, settings, places)


def chosen_of(held: Held, wanted: Wanted) -> Chosen:
    """The shortlist for these numbers, and the papers that are not on it, each with the reason."""
    from texgeist_retrieval import pipeline

    return pipeline.choose(
        held.gathered,
        numbers_of(held.settings, wanted),
        pinned=frozenset(wanted.pinned),
        excluded=frozenset(wanted.excluded),
    )


def numbers_of(settings: Settings, wanted: Wanted) -> Options:
    given = {"breadth": wanted.breadth, "depth": wanted.depth, "diversity": wanted.diversity}
    return options_of(settings, given)


def as_shown(held: Held, wanted: Wanted) -> Plain:
    """The papers and the choice as the page gets them."""
    from texgeist_retrieval.pipeline.numbers import LIKELY
    from texgeist_retrieval.pipeline.reasons import with_added

    choice = chosen_of(held, wanted)
    left_out = with_added(choice.left_out, choice.selected, held.gathered.yours)
    reasons = {one.candidate.paper.id: (one.reason, one.added) for one in left_out}
    by_id = {one.candidate.paper.id: one for one in choice.selected}
    strands = {one.name: one.why for one in held.gathered.found.strands}
    chosen = [one.candidate for one in choice.selected]
    papers = [
        _paper(held, candidate, by_id.get(candidate.paper.id), reasons, chosen, strands)
        for candidate in _shown(held, by_id)
    ]
    return {
        "search": held.id,
        "breadth": wanted.breadth or len(choice.selected) or LIKELY,
        "papers": papers,
        "chosen": list(by_id),
        "notes": list(held.gathered.notes),
        "takes": _takes(held, choice.selected),
    }


def _takes(held: Held, selected: Sequence[Selected]) -> str:
    """What a model would take to write from these papers, in words; "" without a model."""
    taken = held.services.writer.estimate(held.gathered.query, selected)
    return taken.sentence() if taken else ""


def write_chosen(held: Held, wanted: Wanted, monitor: Monitor) -> Result:
    """Has the section written from the papers chosen."""
    from texgeist_retrieval.pipeline import compose

    result = compose(held.gathered, chosen_of(held, wanted), held.services, monitor)
    return replace(result, index=named(result.index))


def coordinates(candidates: Sequence[Candidate]) -> dict[str, tuple[float, float]]:
    """Places on the map, in [-1, 1], the draft in the middle.

    The distance from the middle is the dissimilarity to the draft, scaled so that the farthest paper lies
    on the rim; the angle is that of the first two principal components of the vectors."""
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


def _shown(held: Held, chosen: Plain) -> list[Candidate]:
    candidates = held.gathered.found.candidates
    return [c for place, c in enumerate(candidates) if place < MOST or c.paper.id in chosen]


def _paper(
    held: Held,
    candidate: Candidate,
    selected: Selected | None,
    reasons: dict[str, tuple[str, str]],
    chosen: Sequence[Candidate],
    strands: dict[str, str],
) -> Plain:
    import numpy as np

    paper = candidate.paper
    left_out, added = reasons.get(paper.id, ("Others were preferred.", ""))
    x, y = held.coordinates.get(paper.id, (0.0, 1.0))
    others = [c.vector for c in chosen if c.vector is not None and c.paper.id != paper.id]
    redundancy = None
    if candidate.vector is not None and others:
        redundancy = round(float((np.stack(others) @ candidate.vector).max()), 4)
    return {
        "id": paper.id,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "url": reference_of(paper).url,
        "rank": candidate.rank,
        "similarity": round(float(candidate.similarity), 4),
        "x": round(x, 4),
        "y": round(y, 4),
        "cited": candidate.already_cited,
        "strands": [{"name": name, "why": strands.get(name, "")} for name in candidate.strands],
        "why": selected.why if selected else "",
        "reasons": to_plain(selected.reasons) if selected else None,
        "left_out": "" if selected else left_out,
        "added": "" if selected else added,
        "score": round(float(selected.score), 4) if selected else None,
        "redundancy": redundancy,
        "evidence": _evidence(held, candidate, selected),
    }


def _evidence(held: Held, candidate: Candidate, selected: Selected | None) -> Plain | None:
    """The best passage of a chosen paper, the abstract of another."""
    if selected and selected.evidence:
        pages = [e for e in selected.evidence if e.passage.page is not None]
        best = max(pages or selected.evidence, key=lambda e: e.similarity)
        return {"text": best.passage.text[:1200], "page": best.passage.page}
    return {"text": candidate.paper.abstract[:1200], "page": None} if candidate.paper.abstract else None
