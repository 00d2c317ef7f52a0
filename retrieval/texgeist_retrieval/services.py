"""What a recipe runs with: the ports, filled, and the numbers that the user may turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from .defaults import BREADTH, DEPTH, DIVERSITY
from .ports import Embedder, Monitor, PaperIndex, PaperSource, Writer
from .types import Candidate, Filters, Matrix, Query, Strand, Usage, Vector


class LanguageModel(Protocol):
    """A chat model that answers in a JSON schema. Raises the `WriterError`s; checks nothing but JSON."""

    @property
    def name(self) -> str:
        """Provider and model, for people: "anthropic claude-…"."""
        ...

    @property
    def local(self) -> bool:
        """True when the address is this machine's own."""
        ...

    def complete_json(
        self,
        system: str,
        user: str,
        schema: Mapping[str, Any],
        *,
        max_tokens: int,
        monitor: Monitor,
        cached_prefix: str = "",
    ) -> tuple[Any, Usage]:
        """`cached_prefix` stands before `user` and repeats between calls, for prompt caching."""
        ...


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

    def expand(self, query: Query, monitor: Monitor) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True)
class Stranded:
    """What a draft stands on, the most important first, and what it cost to find out."""

    strands: tuple[Strand, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()
    known: bool = (
        False  # its works are a model's knowledge, not the draft's words, and may be asked for outside
    )


class StrandFinder(Protocol):
    """What a draft stands on, part by part. Never fails but by `Cancelled`."""

    def find(self, query: Query, monitor: Monitor) -> Stranded: ...

    def preview(self, query: Query) -> str:
        """The exact text that `find` would send, "" for nothing."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    embedder: Embedder
    index: PaperIndex
    source: PaperSource
    writer: Writer
    model: LanguageModel | None = None  # for summaries, expansion and questions; None: no model
    ranker: Ranker | None = None  # for abstracts and drafts; None: by similarity alone
    short_ranker: Ranker | None = None  # for sentences and questions, the same
    expander: Expander | None = None
    strands: StrandFinder | None = None  # None: the draft is one thing, searched as a whole
    fallback_index: Callable[[], PaperIndex] | None = None  # opened only when `index` fails
    fallback_writer: Writer | None = None  # writes when `writer` fails
    notes: tuple[str, ...] = ()  # what could not be had, in sentences: goes into the result


Choice = Literal["strands", "similarity"]  # every strand covered, or Equation 1 over the draft as a whole


@dataclass(frozen=True, slots=True)
class Options:
    """The numbers of Citegeist (section 3.1). `diversity` is w in Equation 1, from 0 to 1."""

    breadth: int | None = BREADTH  # None: as many as the strands need
    depth: int = DEPTH
    diversity: float = DIVERSITY
    full_text: bool = True  # False: read the abstracts alone
    include_cited: bool = False
    choice: Choice = "strands"
    filters: Filters = Filters()
    instructions: str = ""  # the user's words on style
