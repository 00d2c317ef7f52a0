"""A search that is held for review, in the worker: papers, vectors and what was read of them.

Choosing anew for other numbers, pins or exclusions is Citegeist's line of steps from the longlist on
(`texgeist_retrieval.pipeline`), over what is in memory: no model, no network, some milliseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from ..outcome import Ask, Outcome
from ..recipes import options_of, outcome_of, query_of, reference_of

if TYPE_CHECKING:
    from texgeist_retrieval.pipeline.reading import Reading
    from texgeist_retrieval.pipeline.searching import Found
    from texgeist_retrieval.ports import Monitor
    from texgeist_retrieval.services import Options, Services
    from texgeist_retrieval.types import Candidate, LeftOut, Query, Selected

    from ..settings import Settings

MOST = 120  # papers that are shown
_KEPT = 4  # searches in memory

Plain = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the page asks for. `pinned` are chosen whatever happens, `excluded` never."""

    breadth: int = 10
    depth: int = 2
    diversity: float = 0.0
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True)
class Held:
    """One search. `coordinates` are of the map, by paper id."""

    ask: Ask
    query: Query
    found: Found
    readings: dict[str, Reading]
    services: Services
    options: Options
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


def hold(ask: Ask, services: Services, settings: Settings, wanted: Wanted, monitor: Monitor) -> Held:
    """Searches, and reads the papers that these numbers would read."""
    from texgeist_retrieval.pipeline.longlist import choose_longlist, choose_pool
    from texgeist_retrieval.pipeline.reading import read_papers
    from texgeist_retrieval.pipeline.recipes import LISTED, SEARCHED
    from texgeist_retrieval.pipeline.searching import find

    query, options = query_of(ask), _options(settings, wanted)
    found = find(query, services, max(SEARCHED * wanted.breadth, MOST), options.filters, monitor)
    pool, _ = choose_pool(found.candidates, SEARCHED * wanted.breadth, options.include_cited)
    ranked = services.ranker is not None
    longlist, _ = choose_longlist(pool, LISTED * wanted.breadth, wanted.diversity, ranked)
    papers = [listed.candidate.paper for listed in longlist]
    monitor.report(f"{len(found.candidates)} papers found, reading {len(papers)}")
    readings: dict[str, Reading] = {}
    if options.full_text and papers:
        readings = read_papers(papers, services.source, services.embedder, monitor)
    shown = found.candidates[:MOST]
    return Held(ask, query, found, readings, services, options, coordinates(shown))


def choose(held: Held, wanted: Wanted) -> tuple[tuple[Selected, ...], tuple[LeftOut, ...]]:
    """The shortlist for these numbers, with reasons, and the papers that are not on it, with theirs.

    Pinned papers take the places of the weakest others, so that there are still `breadth` papers."""
    from texgeist_retrieval.pipeline.longlist import choose_longlist, choose_pool
    from texgeist_retrieval.pipeline.recipes import LISTED, SEARCHED
    from texgeist_retrieval.pipeline.shortlist import choose_shortlist
    from texgeist_retrieval.pipeline.weighing import weigh
    from texgeist_retrieval.types import LeftOut

    ranked = held.services.ranker is not None
    asked_for = [c for c in held.found.candidates if c.paper.id not in wanted.excluded]
    marked = [
        replace(c, already_cited=c.already_cited and c.paper.id not in wanted.pinned) for c in asked_for
    ]
    pool, cited = choose_pool(marked, SEARCHED * wanted.breadth, held.options.include_cited)
    pooled = {c.paper.id for c in pool}
    pool += [c for c in marked if c.paper.id in wanted.pinned and c.paper.id not in pooled]
    longlist, unlisted = choose_longlist(pool, LISTED * wanted.breadth, wanted.diversity, ranked)
    pinned, _ = choose_longlist([c for c in pool if c.paper.id in wanted.pinned], len(pool), 0.0)
    listed_ids = {listed.candidate.paper.id for listed in longlist}
    longlist += [listed for listed in pinned if listed.candidate.paper.id not in listed_ids]
    vectors, depth = held.found.vectors, wanted.depth
    weighed = weigh(longlist, held.readings, vectors, depth, wanted.diversity, ranked)
    first = [w for w in weighed if w.listed.candidate.paper.id in wanted.pinned]
    rest = [w for w in weighed if w.listed.candidate.paper.id not in wanted.pinned]
    keep = max(wanted.breadth, len(first))
    kept = {id(w) for w in first + rest[: keep - len(first)]}
    ordered = [w for w in weighed if id(w) in kept] + [w for w in weighed if id(w) not in kept]
    selected, unread = choose_shortlist(ordered, keep, held.query, len(pool), wanted.diversity, ranked)
    chosen = {s.candidate.paper.id for s in selected}
    excluded = [
        LeftOut(c, "You left it out.") for c in held.found.candidates if c.paper.id in wanted.excluded
    ]
    left = [*excluded, *cited, *unlisted, *unread, *held.found.left_out]
    return selected, tuple(one for one in left if one.candidate.paper.id not in chosen)


def described(held: Held, wanted: Wanted) -> Plain:
    """The papers and the choice as the page gets them."""
    selected, left = choose(held, wanted)
    reasons = {one.candidate.paper.id: one.reason for one in left}
    by_id = {one.candidate.paper.id: one for one in selected}
    chosen = [one.candidate for one in selected]
    papers = [
        _paper(held, candidate, by_id.get(candidate.paper.id), reasons, chosen)
        for candidate in _shown(held, by_id)
    ]
    return {"search": held.id, "papers": papers, "chosen": list(by_id), "notes": list(held.found.notes)}


def write(held: Held, wanted: Wanted, monitor: Monitor) -> Outcome:
    """Has the section written from the papers chosen."""
    from texgeist_retrieval.pipeline.writing import keep_used
    from texgeist_retrieval.pipeline.writing import write as have_written
    from texgeist_retrieval.types import Result

    selected, left = choose(held, wanted)
    written, writer = have_written(held.query, selected, held.services, monitor)
    used, unused = keep_used(selected, written)
    result = Result(
        query=held.query,
        section=written.section,
        selected=used,
        left_out=(*left, *unused),
        candidates=held.found.candidates,
        notes=(*held.services.notes, *held.found.notes, *written.notes),
        usage=written.usage,
        writer=writer,
        index=held.found.index,
        model=held.services.embedder.name,
    )
    return outcome_of(held.ask, result)


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
    candidates = held.found.candidates
    return [c for place, c in enumerate(candidates) if place < MOST or c.paper.id in chosen]


def _paper(
    held: Held,
    candidate: Candidate,
    selected: Selected | None,
    reasons: dict[str, str],
    chosen: Sequence[Candidate],
) -> Plain:
    import numpy as np

    paper = candidate.paper
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
        "why": selected.why if selected else "",
        "left_out": "" if selected else reasons.get(paper.id, "Others were preferred."),
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


def _options(settings: Settings, wanted: Wanted) -> Options:
    values = asdict(wanted)
    return options_of(settings, {name: values[name] for name in ("breadth", "depth", "diversity")})
