"""The requests, a class for each kind. Commands and the editor create them, and the worker receives them
unchanged.

A `Request[A]` is answered by an `A`. Settings and keys are not part of a request: a request runs with the
settings and keys of that moment. Nothing heavy is imported here, because the language server imports these
types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args, get_origin

from texgeist_retrieval.defaults import DEPTH, DIVERSITY
from texgeist_retrieval.types import EvidenceRun, Passage, Query, Reasons, Result, Sides, Strand

A = TypeVar("A", covariant=True)
MOST_JUDGED = 12  # passages for and against a statement


class Request(Generic[A]):
    __slots__ = ()


def answer_type(kind: type[Request[Any]]) -> Any:
    """The answer type `A` of a request class."""
    [base] = (base for base in kind.__orig_bases__ if get_origin(base) is Request)  # type: ignore[attr-defined]
    return get_args(base)[0]


@dataclass(frozen=True, slots=True)
class RelatedWorkRequest(Request[Result]):
    """A related-work section."""

    query: Query


@dataclass(frozen=True, slots=True)
class QuestionRequest(Request[Result]):
    """An answer to a question, from passages of full papers if the index has any, else from abstracts."""

    query: Query
    abstracts: bool = False  # from abstracts, even if the index has passages


@dataclass(frozen=True, slots=True)
class CitationRequest(Request[Result]):
    """A few papers that support a sentence, each with its passage. `offered`: return more, from which the
    user picks. `nearest`: return the nearest papers even if none supports the sentence."""

    query: Query
    offered: bool = False
    nearest: bool = False


@dataclass(frozen=True, slots=True)
class SectionRequest(Request[Result]):
    """Any section of the draft, from passages of full papers and the author's own text."""

    query: Query
    run: EvidenceRun | None = None  # evidence gathered before; None: gather it first


@dataclass(frozen=True, slots=True)
class MissingRequest(Request[Result]):
    """Works that the draft does not cite and a reviewer may miss. `sentences`: those of the draft."""

    query: Query
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EvidenceRequest(Request[EvidenceRun]):
    """Evidence for a section, without writing it."""

    query: Query


@dataclass(frozen=True, slots=True)
class StatementRequest(Request[Sides]):
    """Passages for and against a statement."""

    statement: str
    most: int = MOST_JUDGED


@dataclass(frozen=True, slots=True)
class Choice:
    """The author's choice on the review page: the numbers (see `Options`), and as paper ids, `pinned` papers, which
    are always cited, and `excluded` papers, which never are."""

    breadth: int | None = None
    depth: int = DEPTH
    diversity: float = DIVERSITY
    pinned: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReviewedPaper:
    """A paper on the review page. `x` and `y` are in [-1, 1], with the draft at (0, 0). `score` and `reasons`
    are None for papers that are not chosen; `left_out` and `added` are empty for chosen papers."""

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
    discovered: str  # see `Candidate`
    redundancy: float | None  # cosine similarity to the nearest other chosen paper
    evidence: Passage | None


@dataclass(frozen=True, slots=True)
class ReviewedPapers:
    """The papers of a search kept for review, and the ids of the chosen papers."""

    search: str  # id of the search
    breadth: int
    papers: tuple[ReviewedPaper, ...]
    chosen: tuple[str, ...]
    notes: tuple[str, ...]
    takes: str  # the expected cost of writing from these papers, in words; "" without a model


@dataclass(frozen=True, slots=True)
class ReviewRequest(Request[ReviewedPapers]):
    """A search for review. `first` sets which papers are retrieved and read, `choice` which of them are
    chosen."""

    query: Query
    first: Choice = field(default_factory=Choice)
    choice: Choice = field(default_factory=Choice)


@dataclass(frozen=True, slots=True)
class ChooseRequest(Request[ReviewedPapers]):
    """Chooses again from the papers of an earlier search."""

    search: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class WriteChosenRequest(Request[Result]):
    """Writes the section from the papers chosen of an earlier search."""

    search: str
    choice: Choice


WriteRequest = RelatedWorkRequest | QuestionRequest | CitationRequest | SectionRequest | MissingRequest
