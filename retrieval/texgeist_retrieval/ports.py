"""The ports of retrieval: small protocols for papers, searches, models and writers. Their adapters are in
other modules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from .costs import Estimate
from .monitor import SILENT
from .monitor import Monitor as Monitor
from .types import (
    Candidate,
    CitationGraph,
    Evidence,
    Filters,
    Matrix,
    Paper,
    Passage,
    Query,
    Section,
    Selected,
    Strand,
    Usage,
    Vector,
)


class Embedder(Protocol):
    """Maps texts to unit vectors. Queries and documents have separate methods, because some models treat them
    differently."""

    @property
    def name(self) -> str:
        """The model's name, which is stored in the index ("all-mpnet-base-v2")."""
        ...

    @property
    def dimension(self) -> int: ...

    def embed_query(self, text: str) -> Vector: ...

    def embed_documents(self, texts: Sequence[str]) -> Matrix: ...


@dataclass(frozen=True, slots=True)
class IndexStatus:
    location: str  # for messages, without token
    papers: int
    model: str  # "" if unknown
    dimension: int
    metadata: bool  # False: ids and vectors only, as in the hosted collection
    sparse: str = ""  # the encoder of its sparse vectors, "" if it stores none


class PaperIndex(Protocol):
    """A collection of abstracts, searched by vector. Every call has a time limit. An index need not implement
    the methods that have a result here."""

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        """Returns a list of candidates for each query vector, best first, with the papers' vectors. Papers of a
        hosted index have only an id; `PaperSource.metadata` completes them."""
        ...

    def papers(self) -> Iterator[Paper]: ...

    def status(self) -> IndexStatus: ...

    def close(self) -> None: ...

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        """Returns a list of candidates for each text, best first; empty lists if the index stores no sparse
        vectors. `Candidate.similarity` is their inner product, not a cosine."""
        return [[] for _ in texts]

    @property
    def rows_at_once(self) -> int:
        """The largest number of query rows in a call that stays within its time limit."""
        return 1000

    def unapplied(self, filters: Filters) -> Filters:
        """Returns the filters that `search` cannot apply, because the index has no field for them."""
        return Filters()

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """Returns papers and vectors by id; unknown ids are absent."""
        return {}

    def graph(self) -> CitationGraph:
        """The citations around the draft that the index knows."""
        return CitationGraph()


class FullPapers(Protocol):
    """The full papers that the index holds, as passages."""

    def passages(self, ids: Sequence[str], text: str, embedder: Embedder) -> dict[str, tuple[Passage, ...]]:
        """Returns passages by paper id, with vectors of this embedder; papers without full text are absent.
        Raises `ModelMissing`."""
        ...


class PaperSource(Protocol):
    """Metadata and full text of papers. Waiting (for rate limits, for a server) ends if `monitor` is
    cancelled."""

    def metadata(self, ids: Sequence[str], monitor: Monitor = SILENT) -> dict[str, Paper]:
        """Returns metadata by id; unknown ids are absent. Sends one batched request."""
        ...

    def pages(self, paper: Paper, monitor: Monitor = SILENT) -> list[str]:
        """Returns the body text page by page, without references, appendix and acknowledgements; "" for a page
        without body text. Raises `PaperUnreadable`, with a reason for the user, if no text is available."""
        ...

    def titled(self, titles: Sequence[str], monitor: Monitor = SILENT) -> list[Paper]:
        """Returns papers whose titles contain all words of one of these titles; empty for a source that cannot
        look up titles. Sends one request. Raises `SourceUnavailable`."""
        return []


@dataclass(frozen=True, slots=True)
class EvidenceResults:
    """The results of a search of full papers. `evidence`: best first."""

    evidence: tuple[Evidence, ...]
    papers: Mapping[str, Paper]  # by id, for all of the evidence
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # sentences for the user on each limitation of the results


class EvidenceSearch(Protocol):
    """Searches full papers for passages relevant to a query (PaperQA2's evidence gathering)."""

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceResults:
        """Returns at most `top` passages above the threshold, at most one for each paper and type of section.
        `leave_out`: ids of papers to ignore. Raises `SourceUnavailable` if the index does not answer."""
        ...


class Ranker(Protocol):
    """Orders the candidates, and sets the named parts of the score in `Candidate.scores`."""

    def search_rows(self, query: Vector) -> Matrix:
        """Returns further vectors to search with, so that the papers the ranker prefers are among the
        candidates. Shape [rows, dimension], unit rows. By default, and for an embedding model that the ranker
        was not trained on, there are none."""
        return np.empty((0, query.size), dtype=np.float32)

    def rank(
        self,
        query: Query,
        asked: Vector,
        candidates: Sequence[Candidate],
        graph: CitationGraph = CitationGraph(),
    ) -> list[Candidate]:
        """Returns the candidates in the ranker's order. `asked`: unit vector of the query's subject.
        Candidates that the draft already cites are included and marked, as examples of relevant papers.
        `graph`: citations around the draft, if literature services returned them."""
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


class Discoverer(Protocol):
    """Finds papers for a draft in literature services."""

    def discover(
        self, query: Query, strands: Sequence[Strand], until: str, monitor: Monitor
    ) -> tuple[str, ...]:
        """Adds the papers found to the index that is searched, unless this draft was asked about before.
        `strands`: what a model named, empty without a model. `until`: ISO date, "" for no limit. Returns notes
        for the user. Raises `Cancelled`, and `SourceUnavailable` if nothing was found because services failed."""
        ...


@dataclass(frozen=True, slots=True)
class Picked:
    """The candidates that were shown to a model, in the given order, with the chosen candidates marked; after
    them, the candidates that the model chose from its searches."""

    candidates: tuple[Candidate, ...]
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()


class Picker(Protocol):
    """Selects the search results that belong in the section; may call `search` for further papers.
    Raises nothing but `Cancelled`."""

    def pick(
        self,
        query: Query,
        strands: Sequence[Strand],
        candidates: Sequence[Candidate],
        monitor: Monitor,
        search: Callable[[Sequence[str]], Sequence[Candidate]] | None = None,
    ) -> Picked: ...


@dataclass(frozen=True, slots=True)
class Written:
    """A writer's answer, already checked against the given evidence."""

    section: Section
    usage: Usage = Usage()
    summaries: tuple[tuple[str, str], ...] = ()  # (paper id, summary of the paper for the draft)
    notes: tuple[str, ...] = ()
    unused: tuple[tuple[str, str], ...] = ()  # (paper id, reason why it is not cited)
    weights: tuple[tuple[str, float], ...] = ()  # (evidence id, evidence score) of rated evidence
    supports: tuple[tuple[str, str], ...] = ()  # (evidence id, its sentences that the text quotes or retells)
    by: str = ""  # the writer of this text, if not the writer that was asked


class Writer(Protocol):
    """Writes text from evidence. It may cite only ids of the given evidence."""

    @property
    def name(self) -> str: ...

    @property
    def local(self) -> bool:
        """True if no text leaves the machine."""
        ...

    def write(self, query: Query, selected: Sequence[Selected], monitor: Monitor) -> Written: ...

    def preview(self, query: Query, selected: Sequence[Selected]) -> str:
        """Returns the exact text that `write` would send from this machine, "" for none."""
        ...

    def estimate(self, query: Query, selected: Sequence[Selected]) -> Estimate | None:
        """Returns the calls and tokens that `write` would need; None if it calls no model."""
        ...


class LanguageModel(Protocol):
    """A chat model that answers in JSON by a schema. It checks only that the answer is JSON; callers check
    the schema. Raises `WriterError`s."""

    @property
    def name(self) -> str:
        """Provider and model, for messages: "anthropic claude-…"."""
        ...

    @property
    def local(self) -> bool:
        """True if the server runs on this machine."""
        ...

    def prepare(self) -> None:
        """Loads what the first call needs. May be called from another thread."""
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
        """`cached_prefix` precedes `user` and is the same for several calls, for prompt caching."""
        ...
