"""Named works in an index of bare ids: arXiv is asked for their titles once, the index for the ids."""

from __future__ import annotations

from ..ports import IdIndex, Monitor, TitleSource
from ..services import Services
from ..types import Candidate, Vector
from .searching import Hits


def asked_by_title(hits: Hits, about: Vector, services: Services, monitor: Monitor) -> list[Candidate]:
    """The works that arXiv knows by title and the index holds, none for an index with titles of its own.

    Only titles that a model named are asked for. Raises `SourceUnavailable`
    and the `SearchError`s."""
    source, index = services.source, services.index
    bare = any(not c.paper.title for found in hits.lists for c in found)
    if not (bare and isinstance(source, TitleSource) and isinstance(index, IdIndex)):
        return []
    titles = [wanted.work.title for wanted in hits.wanted if wanted.work.title]
    if not titles:
        return []
    monitor.report("Asking arXiv for the works that were named")
    papers = {paper.id: paper for paper in source.titled(titles, monitor)}
    held = index.get(list(papers)) if papers else {}
    return [
        Candidate(papers[id], float(vector @ about), rank, vector=vector)
        for rank, (id, (_, vector)) in enumerate(held.items(), start=1)
    ]
