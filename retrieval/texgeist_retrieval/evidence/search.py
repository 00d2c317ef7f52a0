"""Searches the passages of full papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..errors import ModelMissing
from ..index.snapshot import Snapshot
from ..ports import Embedder, EvidenceResults, Monitor
from ..types import Evidence, Usage
from .methods import TEXGEIST, GatheringMethod
from .ordering import Nearness, RankedPassage, order
from .weighing import ModelWeigher

NOTHING = (
    "No passage of a full paper in the library supports this. Papers with only an abstract were not searched."
)

BY_WORDS_ALONE = "The passages were searched by words alone."
EMBED = "`texgeist index embed` embeds them."


@dataclass(frozen=True)
class PassageSearch:
    """Implements `EvidenceSearch`. Without a `weigher`, passages are ordered by vector, words and section
    type. Without an `embedder`, and for passages that are not embedded yet, only words are used, and a note
    says so."""

    snapshot: Snapshot
    embedder: Embedder | None
    weigher: ModelWeigher | None = None
    notes: tuple[str, ...] = ()
    method: GatheringMethod = TEXGEIST

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceResults:
        """See `EvidenceSearch`."""
        monitor.check()
        near, notes = self._nearness(query)
        wanted = max(self.method.rated, top) if self.weigher else top
        found = order(self.snapshot, query, near, wanted, leave_out, self.method.per_paper)
        notes += self._unembedded(found)
        evidence = tuple(self._evidence(number, one, query) for number, one in enumerate(found, 1))
        papers = {p.id: p for p in (self.snapshot.papers[self.snapshot.paper[f.row]] for f in found)}
        usage = Usage()
        if self.weigher and evidence:
            weighed = self.weigher.weigh(query, evidence, papers, monitor)
            evidence, usage, notes = weighed.evidence, weighed.usage, (*notes, *weighed.notes)
        evidence = tuple(replace(one, id=str(number)) for number, one in enumerate(evidence[:top], 1))
        kept = {one.passage.paper_id: papers[one.passage.paper_id] for one in evidence}
        return EvidenceResults(evidence, kept, usage, notes if evidence else (*notes, NOTHING))

    def _nearness(self, query: str) -> tuple[Nearness, tuple[str, ...]]:
        if self.embedder is None:
            return Nearness.of(self.snapshot, "", None), self.notes
        try:
            vector = self.embedder.embed_query(query)
        except ModelMissing as error:  # for example, the embedding server does not answer
            return Nearness.of(self.snapshot, "", None), (*self.notes, f"{BY_WORDS_ALONE} {error.sentence()}")
        return Nearness.of(self.snapshot, self.embedder.name, vector), self.notes

    def _unembedded(self, found: Sequence[RankedPassage]) -> tuple[str, ...]:
        """Records that the papers of these passages should be embedded next. Returns a note on the number of
        passages that are not embedded, () if all are."""
        if self.embedder is None:
            return ()
        held = self.snapshot.vectors_by(self.embedder.name)
        done = int(held.done.sum()) if held else 0
        if done == (total := len(self.snapshot.paper)):
            return ()
        if held and (missing := held.missing([one.row for one in found])):
            held.wanted[np.unique(self.snapshot.paper[missing])] += 1
        return (f"{done:,} of {total:,} passages are embedded; the others were searched by words. {EMBED}",)

    def _evidence(self, number: int, found: RankedPassage, query: str) -> Evidence:
        passage = self.snapshot.passage(found.row)
        return Evidence(str(number), passage, found.cosine, found.score, query=query)
