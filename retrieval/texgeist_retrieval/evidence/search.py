"""`search_evidence` over the passages of full papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from ..index.snapshot import Snapshot
from ..ports import Embedder, EvidenceFound, Monitor
from ..types import Evidence, Paper, Usage
from .ordering import RankedPassage, order

LONGLIST = 20  # passages that a model rates
NOTHING = (
    "No passage of a full paper in the library supports this. Papers with only an abstract were not searched."
)


@dataclass(frozen=True, slots=True)
class WeighedEvidence:
    evidence: tuple[Evidence, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class EvidenceWeigher(Protocol):
    """Gives each passage a summary, a relevance and the score that follows from it."""

    def weigh(
        self, query: str, evidence: Sequence[Evidence], papers: Mapping[str, Paper], monitor: Monitor
    ) -> WeighedEvidence: ...


@dataclass(frozen=True)
class PassageSearch:
    """Implements `EvidenceSearch`. Without a `weigher`, passages are ordered by vector, words and section
    type."""

    snapshot: Snapshot
    embedder: Embedder
    weigher: EvidenceWeigher | None = None
    notes: tuple[str, ...] = ()
    longlist: int = LONGLIST  # passages of a search that the weigher gets

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound:
        """See `EvidenceSearch`."""
        monitor.check()
        wanted = self.longlist if self.weigher else top
        vector = self.embedder.embed_query(query)
        found = order(self.snapshot, query, vector, max(wanted, top), leave_out)
        evidence = tuple(self._evidence(number, one, query) for number, one in enumerate(found, 1))
        papers = {p.id: p for p in (self.snapshot.papers[self.snapshot.paper[f.row]] for f in found)}
        usage, notes = Usage(), self.notes
        if self.weigher and evidence:
            weighed = self.weigher.weigh(query, evidence, papers, monitor)
            evidence, usage, notes = weighed.evidence, weighed.usage, (*notes, *weighed.notes)
        evidence = tuple(replace(one, id=str(number)) for number, one in enumerate(evidence[:top], 1))
        kept = {one.passage.paper_id: papers[one.passage.paper_id] for one in evidence}
        return EvidenceFound(evidence, kept, usage, notes if evidence else (*notes, NOTHING))

    def first_look(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound | None:
        """See `EvidenceSearch`."""
        if self.weigher is None:
            return None
        return replace(self, weigher=None).search(query, monitor, top=top, leave_out=leave_out)

    def _evidence(self, number: int, found: RankedPassage, query: str) -> Evidence:
        passage = self.snapshot.passage(found.row)
        return Evidence(str(number), passage, found.cosine, found.score, query=query)
