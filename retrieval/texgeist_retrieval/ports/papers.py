"""Where papers and their passages are found: vectors, indexes, sources of what an index lacks, and the search of full
papers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ..types import Candidate, Evidence, Filters, Matrix, Paper, Usage, Vector
from .monitor import Monitor


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


@runtime_checkable
class IdIndex(Protocol):
    """An index that tells which of these ids it holds."""

    def get(self, ids: Sequence[str]) -> dict[str, tuple[Paper, Vector]]:
        """Papers and vectors by id; what is not there is absent."""
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
