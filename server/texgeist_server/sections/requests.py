"""The requests, a class for each kind. Commands and the editor create them, and the worker receives them
unchanged: requests to write, then those about the library and about a project on disk.

A `Request[A]` is answered by an `A`. Settings and keys are not part of a request: a request runs with the
settings and keys of that moment. Nothing heavy is imported here, because the language server imports these
types.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar, get_args, get_origin

from texgeist_latex.types import FieldCorrection
from texgeist_retrieval.defaults import DEPTH, DIVERSITY
from texgeist_retrieval.types import EvidenceRun, Passage, Query, Reasons, Result, Sides, Strand

from ..bibliography_checks.places import Find, Identified

A = TypeVar("A", covariant=True)
MOST_JUDGED = 12  # passages for and against a statement


class Request(Generic[A]):
    __slots__ = ()


def answer_type(kind: type[Request[Any]]) -> Any:
    """The answer type `A` of a request class."""
    [base] = (base for base in vars(kind)["__orig_bases__"] if get_origin(base) is Request)
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
    """A few papers that support a sentence, each with its passage. `offered`: return more, also papers that
    probably do not fit, from which the user picks."""

    query: Query
    offered: bool = False


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


@dataclass(frozen=True, slots=True)
class SavedProject:
    """A project on disk: its root document, and the workspace folder ("" if none)."""

    root: str
    folder: str = ""


@dataclass(frozen=True, slots=True)
class EntryChecks(Request[tuple[Find, ...]]):
    """The findings of `texgeist verify` for the project."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class VerifiedProject:
    """`report`: as Markdown; `summary`: the number of entries with each verdict; `corrections`: by entry key."""

    report: str
    summary: str
    corrections: dict[str, tuple[FieldCorrection, ...]]


@dataclass(frozen=True, slots=True)
class ProjectReport(Request[VerifiedProject]):
    """The report of `texgeist verify` on the project."""

    project: SavedProject


@dataclass(frozen=True, slots=True)
class SentenceChecks(Request[tuple[Find, ...]]):
    """Sentences that the user's model judges unsupported by the papers they cite."""

    project: SavedProject
    generated_alone: bool = False


@dataclass(frozen=True, slots=True)
class WeakerSentence(Request[str]):
    """The sentence `text` of `file` as LaTeX, reworded by the model so that it claims no more than its
    sources."""

    project: SavedProject
    file: str
    text: str


@dataclass(frozen=True, slots=True)
class Abstracts(Request[dict[str, str]]):
    """Abstracts of papers in the local index, and of discovered papers, by name: an id, or title and first
    author (`title_name`)."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ListedPaper:
    id: str
    title: str
    authors: str  # in the format of a BibTeX author field
    year: str


@dataclass(frozen=True, slots=True)
class PaperList(Request[tuple[ListedPaper, ...]]):
    """The papers of the local index, unless they are too many to list while the user types; and discovered
    papers."""


@dataclass(frozen=True, slots=True)
class PaperById(Request[Identified]):
    """The paper with this DOI, arXiv id or address."""

    text: str


@dataclass(frozen=True, slots=True)
class FetchModel(Request[str]):
    """Downloads the embedding model. Returns its folder."""


@dataclass(frozen=True, slots=True)
class SyncLibrary(Request[str]):
    """Updates the library. Returns a message about what was done."""

    categories: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AddToLibrary(Request[str]):
    """Adds the papers of these files to the user's library. Returns a message about what was done."""

    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DiscoverPapers(Request[str]):
    """Discovers papers for a draft; the user has agreed to what is sent. Returns a message about what was
    done."""

    query: Query


@dataclass(frozen=True, slots=True)
class EmbedPassages(Request[str]):
    """Embeds the passages that have no vector yet. Returns a message about what was done, "" if the embedding
    model is missing."""


@dataclass(frozen=True, slots=True)
class Ping(Request[int]):
    """Returns the worker's process id."""
