"""What can be asked for, a class each: commands and the editor make these values, and the worker is sent them as they are.

`Request[A]` is answered by an `A`. Settings and keys are not part of a request: they are those of the moment in which
it is run. Nothing heavy is imported here, since the language server speaks of these values.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args, get_origin

from texgeist_retrieval.defaults import Numbers
from texgeist_retrieval.types import EvidenceRun, Passage, Query, Reasons, Result, Sides, Strand

A = TypeVar("A", covariant=True)
MOST_JUDGED = 12  # passages for and against a statement


class Request(Generic[A]):
    __slots__ = ()


def answer_type(kind: type[Request[Any]]) -> Any:
    """The `A` of a class of requests."""
    [base] = (base for base in kind.__orig_bases__ if get_origin(base) is Request)  # type: ignore[attr-defined]
    return get_args(base)[0]


@dataclass(frozen=True, slots=True)
class RelatedWorkRequest(Request[Result]):
    """A related-work section."""

    query: Query


@dataclass(frozen=True, slots=True)
class QuestionRequest(Request[Result]):
    """An answer to a question, from passages of full papers where the index has any."""

    query: Query
    abstracts: bool = False  # from abstracts, whatever else the index has


@dataclass(frozen=True, slots=True)
class CitationRequest(Request[Result]):
    """A few papers that support a sentence, each with its passage; more of them to be picked from, if `offered`.
    `nearest`: the nearest ones, even if none supports it."""

    query: Query
    offered: bool = False
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class SectionRequest(Request[Result]):
    """Any section of the draft, from passages of full papers and from the author's own text."""

    query: Query
    run: EvidenceRun | None = None  # evidence that was gathered for it before; None: it is gathered first


@dataclass(frozen=True, slots=True)
class EvidenceRequest(Request[EvidenceRun]):
    """Evidence for a section, which is not written."""

    query: Query


@dataclass(frozen=True, slots=True)
class StatementRequest(Request[Sides]):
    """Passages for and against a statement."""

    statement: str
    most: int = MOST_JUDGED


@dataclass(frozen=True, slots=True)
class Choice:
    """What the author chose on the review page. `pinned` papers are cited whatever the numbers say, `excluded` ones
    never; both hold ids."""

    numbers: Numbers = Numbers(breadth=None)
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedPaper:
    """A paper as the review page shows it. `x` and `y` lie in [-1, 1], the draft at (0, 0); `score` and `reasons` are
    None for papers that are not chosen, `left_out` and `added` empty for those that are."""

    id: str
    title: str
    authors: tuple[str, ...]
    year: int | None
    url: str
    rank: int
    similarity: float
    x: float
    y: float
    cited: bool
    strands: tuple[Strand, ...]
    why: str
    reasons: Reasons | None
    left_out: str
    added: str
    score: float | None
    redundancy: float | None  # cosine to the nearest other paper that is chosen
    evidence: Passage | None


@dataclass(frozen=True, slots=True)
class ReviewedPapers:
    """The papers of a search that is held for review, and those that are chosen (ids)."""

    search: str  # id of the search
    breadth: int
    papers: tuple[ReviewedPaper, ...]
    chosen: tuple[str, ...]
    notes: tuple[str, ...]
    takes: str  # what a model would take to write from these papers, in words; "" without a model


@dataclass(frozen=True, slots=True)
class ReviewRequest(Request[ReviewedPapers]):
    """A search for review: the papers that `first` finds and reads, chosen by `choice`."""

    query: Query
    first: Choice = field(default_factory=Choice)
    choice: Choice = field(default_factory=Choice)


@dataclass(frozen=True, slots=True)
class ChooseRequest(Request[ReviewedPapers]):
    """Another choice from the search with this id."""

    search: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class WriteChosenRequest(Request[Result]):
    """The section from what is chosen of the search with this id."""

    search: str
    choice: Choice


WriteRequest = RelatedWorkRequest | QuestionRequest | CitationRequest | SectionRequest
