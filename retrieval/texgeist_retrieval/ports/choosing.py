"""Ports that decide which papers are searched for, how they are ordered, and which are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ..monitor import Monitor
from ..types import Candidate, Matrix, Query, Strand, Usage, Vector


class Ranker(Protocol):
    """Orders the candidates, and sets the named parts of the score in `Candidate.scores`."""

    def search_rows(self, query: Vector) -> Matrix:
        """Returns further vectors to search with, so that the papers the ranker prefers are among the
        candidates. Shape [rows, dimension], unit rows; no rows for an embedding model that the ranker was not
        trained on."""
        ...

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Returns the candidates in the ranker's order. `asked`: unit vector of the subject of the query.
        Candidates that the draft already cites are included and marked, as examples of relevant papers."""
        ...


class Expander(Protocol):
    """Produces further texts to search with (UR3WG, section 4.2)."""

    def preview(self, query: Query) -> str:
        """Returns the exact text that `expand` would send, "" for none."""
        ...

    def expand(self, query: Query, monitor: Monitor) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Stranded:
    """The strands of a draft, the most important first, and the cost of finding them."""

    strands: tuple[Strand, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class StrandFinder(Protocol):
    """Divides a draft into strands. Raises nothing but `Cancelled`."""

    def find(self, query: Query, monitor: Monitor) -> Stranded: ...

    def preview(self, query: Query) -> str:
        """Returns the exact text that `find` would send, "" for none."""
        ...


@dataclass(frozen=True, slots=True)
class Picked:
    """The candidates shown to a model, in the given order, with those that it chose marked."""

    candidates: tuple[Candidate, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class Picker(Protocol):
    """Selects the search results that belong in the section. Raises nothing but `Cancelled`."""

    def pick(
        self, query: Query, strands: Sequence[Strand], candidates: Sequence[Candidate], monitor: Monitor
    ) -> Picked: ...
