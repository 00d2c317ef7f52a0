"""How passages of full papers are searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from ..types import Evidence, Paper, Usage
from .monitor import Monitor


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """What one search of full papers brought, the best first."""

    evidence: tuple[Evidence, ...]
    papers: Mapping[str, Paper]  # by id, of all that the evidence is from
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # every degradation, in sentences for people


class EvidenceSearch(Protocol):
    """`search_evidence`: passages of full papers that matter to a query (PaperQA2's gathering of evidence)."""

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound:
        """At most `top`, at most one chunk of a paper and section, none below the floor. `leave_out`: ids
        of papers. Raises `SourceUnavailable` when the index does not answer."""
        ...

    def first_look(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound | None:
        """What there is before a model has weighed it, in milliseconds; None where nobody weighs."""
        ...
