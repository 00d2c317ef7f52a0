"""Where the line of steps meets the world: small protocols, adapters elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from .conversation import Said, Tool, Turn
from .costs import Estimate, Price
from .types import (
    Candidate,
    Evidence,
    Filters,
    Matrix,
    Paper,
    Query,
    Section,
    Selected,
    Strand,
    Usage,
    Vector,
)


class Monitor(Protocol):
    """Progress and cancel of one job. Safe to call from any thread."""

    def report(self, message: str, done: int | None = None, total: int | None = None) -> None: ...

    def check(self) -> None:
        """Raises `Cancelled` once the user has asked to stop."""
        ...


class Embedder(Protocol):
    """Texts to unit vectors. Queries and documents are separate methods: models differ there."""

    @property
    def name(self) -> str:
        """The model's name, which an index remembers ("all-mpnet-base-v2")."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix: ...


@dataclass(frozen=True, slots=True)
class IndexStatus:
    location: str  # for people, without a token
    papers: int
    model: str  # "" when the index does not say
    dimension: int
    metadata: bool  # False: ids and vectors only, as the hosted collection
    sparse: str = ""  # the encoder of the sparse vectors that it keeps too, "" for none


class PaperIndex(Protocol):
    """A collection of abstracts by vector. Every call is bounded in time."""

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        """One list a query vector, best first, ranks from 1, vectors of the papers included.

        A hosted index gives papers with an id alone: `PaperSource.metadata` completes them."""
        ...

    def upsert(self, papers: Sequence[Paper], vectors: Matrix) -> None: ...

    def delete(self, ids: Iterable[str]) -> None: ...

    def papers(self) -> Iterator[Paper]: ...

    def status(self) -> IndexStatus: ...

    def close(self) -> None: ...


@runtime_checkable
class TextIndex(Protocol):
    """An index that can also be searched by words."""

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        """One list a text, best first, empty where the index keeps no sparse vectors. `similarity` is the
        inner product of the sparse vectors, on a scale of its own."""
        ...


@runtime_checkable
class BareIndex(Protocol):
    """An index that may lack what limits need, or answer many rows slowly."""

    @property
    def rows_at_once(self) -> int:
        """How many query rows one call should have, so that it is answered within its time."""
        ...

    def unapplied(self, filters: Filters) -> Filters:
        """Those limits that `search` leaves to others, for it holds neither dates nor categories."""
        ...


class PaperSource(Protocol):
    """Metadata and full text of papers. Waiting (for a gate, for a server) ends when `monitor` is cancelled."""

    def metadata(self, ids: Sequence[str], monitor: Monitor | None = None) -> dict[str, Paper]:
        """What is known, by id; unknown ids are absent. One batched request."""
        ...

    def pages(self, paper: Paper, monitor: Monitor | None = None) -> list[str]:
        """Body text page by page, references, appendix and acknowledgements left out.

        A page without body text is an empty string, so that the page number is the index plus one.
        Raises `PaperUnreadable`, with a reason for people, when there is no text to be had."""
        ...


@runtime_checkable
class TitleSource(Protocol):
    """A source that can be asked which papers have these titles."""

    def titled(self, titles: Sequence[str], monitor: Monitor | None = None) -> list[Paper]:
        """Papers whose titles hold the words of one of these, in one request. Raises `SourceUnavailable`."""
        ...


@runtime_checkable
class IdIndex(Protocol):
    """An index that tells which of these ids it holds."""

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """Papers and vectors by id; what is not there is absent."""
        ...


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's answer, already checked against the evidence that it was given."""

    section: Section
    usage: Usage = Usage()
    summaries: tuple[tuple[str, str], ...] = ()  # (paper id, summary in the light of the draft)
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()  # (paper id, reason it is not cited)
    weights: tuple[tuple[str, float], ...] = ()  # (evidence id, 0.4 vector + 0.6 model), where weighed


class Writer(Protocol):
    """Words from evidence. May cite only ids of the evidence that it is given."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """True when no text leaves the machine."""
        ...

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written: ...

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """The exact text that `write` would send from this machine, "" for none."""
        ...

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate | None:
        """What `write` would take of a model, None where none is asked."""
        ...


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

    @property
    def price(self) -> Price | None:
        """None where it is not known."""
        ...

    def prepare(self) -> None:
        """Loads what the first call would have to load. May be called from another thread."""
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


class ToolModel(LanguageModel, Protocol):
    """A language model that can be given tools. Raises as `complete_json`, and `ToolsUnknown` where the
    server has none."""

    def complete_with_tools(
        self, system: str, turns: Sequence[Turn], tools: Sequence[Tool], *, max_tokens: int, monitor: Monitor
    ) -> tuple[Said, Usage]:
        """The next turn. Which tool is called, if any, is the model's choice: current ones refuse to be told."""
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

    def preview(self, query: Query, strands: Sequence[Strand], candidates: Sequence[Candidate]) -> str:
        """The exact text that `pick` would send, "" for nothing."""
        ...


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
