"""Ports for papers and passages: embedding models, indexes, sources of metadata and full text, and evidence
search."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..monitor import Monitor
from ..types import Candidate, Evidence, Filters, Matrix, Paper, Usage, Vector


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
    location: str  # for people, contains no token
    papers: int
    model: str  # "" if unknown
    dimension: int
    metadata: bool  # False: ids and vectors only, as in the hosted collection
    sparse: str = ""  # the encoder of its sparse vectors, "" if it stores none


class PaperIndex(Protocol):
    """A collection of abstracts, searched by vector. Every call has a time limit."""

    def search(self, vectors: Matrix, top: int, filters: Filters = Filters()) -> list[list[Candidate]]:
        """Returns one list for each query vector, best first, with ranks from 1 and the papers' vectors.

        A hosted index returns papers with an id only: `PaperSource.metadata` completes them."""
        ...

    def upsert(self, papers: Sequence[Paper], vectors: Matrix) -> None: ...

    def delete(self, ids: Iterable[str]) -> None: ...

    def papers(self) -> Iterator[Paper]: ...

    def status(self) -> IndexStatus: ...

    def close(self) -> None: ...


@runtime_checkable
class TextIndex(Protocol):
    """An index that also supports sparse search."""

    def search_text(
        self, texts: Sequence[str], top: int, filters: Filters = Filters()
    ) -> list[list[Candidate]]:
        """Returns one list for each text, best first; empty lists if the index stores no sparse vectors.
        `similarity` is the inner product of the sparse vectors, which is not on the scale of a cosine."""
        ...


@runtime_checkable
class BareIndex(Protocol):
    """An index that may lack the fields for some limits, or that answers many query rows slowly."""

    @property
    def rows_at_once(self) -> int:
        """The number of query rows in one call, so that it stays within its time limit."""
        ...

    def unapplied(self, filters: Filters) -> Filters:
        """Returns the limits that `search` cannot apply, because the index stores neither dates nor
        categories."""
        ...


@runtime_checkable
class IdIndex(Protocol):
    """An index that looks up papers by id."""

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """Returns papers and vectors by id; unknown ids are absent."""
        ...


class PaperSource(Protocol):
    """Metadata and full text of papers. Waiting (for rate limits, for a server) ends if `monitor` is
    cancelled."""

    def metadata(self, ids: Sequence[str], monitor: Monitor | None = None) -> dict[str, Paper]:
        """Returns metadata by id; unknown ids are absent. Sends one batched request."""
        ...

    def pages(self, paper: Paper, monitor: Monitor | None = None) -> list[str]:
        """Returns the body text page by page, without references, appendix and acknowledgements.

        A page without body text is an empty string, so that the page number is the index plus one. Raises
        `PaperUnreadable`, with a reason for people, if no text is available."""
        ...


@runtime_checkable
class TitleSource(Protocol):
    """A source that looks up papers by title."""

    def titled(self, titles: Sequence[str], monitor: Monitor | None = None) -> list[Paper]:
        """Returns papers whose titles contain the words of one of these titles; one request. Raises
        `SourceUnavailable`."""
        ...


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """The results of one search of full papers, best first."""

    evidence: tuple[Evidence, ...]
    papers: Mapping[str, Paper]  # by id, for all of the evidence
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # each degradation, in sentences for people


class EvidenceSearch(Protocol):
    """`search_evidence`: searches full papers for passages relevant to a query (PaperQA2's evidence
    gathering)."""

    def search(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound:
        """Returns at most `top` passages above the threshold, at most one chunk per paper and section.
        `leave_out`: ids of papers. Raises `SourceUnavailable` if the index does not answer."""
        ...

    def first_look(
        self, query: str, monitor: Monitor, *, top: int = 8, leave_out: frozenset[str] = frozenset()
    ) -> EvidenceFound | None:
        """Returns the results before a model rates them, within milliseconds; None if no model rates them."""
        ...
