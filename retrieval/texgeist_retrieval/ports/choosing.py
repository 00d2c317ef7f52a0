"""What decides which papers are looked for, in which order, and which of them stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..types import Candidate, Matrix, Query, Strand, Usage, Vector
from .monitor import Monitor


class Ranker(Protocol):
    """The order of the candidates, and its parts by name in `Candidate.scores`."""

    def search_rows(self, query: Vector) -> Matrix:
        """Further rows to search with, so that what it would put first is among the candidates; unit rows,
        none at all for vectors that it was not made for."""
        ...

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """`asked`: unit vector of what the query is about. Candidates that the draft cites already are
        among them, marked: examples of what it wants."""
        ...


class Expander(Protocol):
    """Further texts to search with (UR3WG, section 4.2)."""

    def preview(self, query: Query) -> str:
        """The exact text that would be sent for them, "" for none."""
        ...

    def expand(self, query: Query, monitor: Monitor) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Stranded:
    """What a draft stands on, the most important first, and what it cost to find out."""

    strands: tuple[Strand, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class StrandFinder(Protocol):
    """What a draft stands on, part by part. Never fails but by `Cancelled`."""

    def find(self, query: Query, monitor: Monitor) -> Stranded: ...

    def preview(self, query: Query) -> str:
        """The exact text that `find` would send, "" for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Picked:
    """The candidates that a model was shown, in the order given, the ones that it chose marked."""

    candidates: tuple[Candidate, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class Picker(Protocol):
    """Which of the papers found belong into the section. Never fails but by `Cancelled`."""

    def pick(
        self, query: Query, strands: Sequence[Strand], candidates: Sequence[Candidate], monitor: Monitor
    ) -> Picked: ...
