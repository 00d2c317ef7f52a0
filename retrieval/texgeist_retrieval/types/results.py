"""Search results, the reasons for keeping them, the written section, and the result of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..defaults import LEAST_CHANCE, LIKELY
from .papers import STAYS, Paper, SectionType, Vector
from .queries import Query, Strand


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a search found."""

    paper: Paper
    similarity: float  # cosine of the abstract and the closest query part (`found_by`)
    rank: int = 0  # place among the results of the whole search, from 1; 0 until these are ordered
    found_by: int = 0  # index into Query.parts
    score: float = 0.0  # the score that the order is based on, after fusion or reranking
    scores: Mapping[str, float] = field(default_factory=dict)  # named parts of `score`
    chance: float | None = None  # that it fits a sentence or question, 0 to 1; None for other queries
    already_cited: bool = False
    again: bool = False  # the draft cites it outside its related work, and the section may cite it too
    strands: tuple[str, ...] = ()  # names of the strands that it belongs to, the closest first
    named: bool = False  # it is a work that a model named
    picked: bool = False  # a model chose it by its title
    discovered: str = ""  # how discovery found it, a sentence for the user; "" if it was in the user's index
    left_out: str = ""  # why it is not cited, for the user
    added: str = ""  # for a paper that was left out: what it would have added to the section, for the user
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)  # of the abstract

    @property
    def fit(self) -> str:
        """How likely it fits the sentence or question, for the user, to whom a percentage would claim more than is
        known; "" if this was not estimated."""
        if self.chance is None:
            return ""
        return "likely" if self.likely else "possible" if self.possible else "unlikely"

    @property
    def likely(self) -> bool:
        """Whether the paper may be cited for the sentence."""
        return self.chance is None or self.chance >= LIKELY

    @property
    def possible(self) -> bool:
        """Whether the paper may be quoted as an answer."""
        return self.chance is None or self.chance >= LEAST_CHANCE


@dataclass(frozen=True, slots=True)
class Passage:
    """An abstract, or a page or chunk of a paper's text. `page` is None for an abstract and for a text
    without page numbers."""

    paper_id: str
    page: int | None
    text: str
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)
    section: SectionType | Literal[""] = ""  # "" for a whole page
    heading: str = ""  # as printed in the paper
    place: int = 0  # number of the chunk in its paper, from 1; 0 for a whole page

    @property
    def is_abstract(self) -> bool:
        """Whether the passage is the abstract, and not a page or chunk of the text."""
        return self.page is None and not self.place


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage with its scores and a summary of its relevance. `id` is unique within a run: "1", "2", …"""

    id: str
    passage: Passage
    similarity: float  # cosine to the draft's abstract (or question)
    score: float = 0.0  # for ranking; if a model rated the passage, 0.4 * similarity + 0.6 * relevance
    summary: str = ""  # a model's explanation of its relevance, "" without a model
    relevance: float | None = None  # 0 to 1, rated by a model that saw query, summary, title and authors
    query: str = ""  # the search that returned it, if there were several


@dataclass(frozen=True, slots=True)
class Usage:
    """Number of calls to a model, and their tokens."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """A query of an evidence run, and its results."""

    text: str
    by: Literal["default", "model"]
    why: str = ""  # for the user: the part of the draft that it comes from, or the model's reason for it
    # Ids of all evidence that it returned, also if another query returned it first.
    found: tuple[str, ...] = ()
    refused: str = ""  # why the query was not run, for the user; "" if it was run


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """The queries of a section, the evidence that they returned, and why the run stopped."""

    queries: tuple[AskedQuery, ...]
    evidence: tuple[Evidence, ...]  # best first
    papers: tuple[Paper, ...]  # the papers of the evidence
    stopped: str  # why the run stopped, a sentence for the user
    searches: int = 0  # searches by the model, beyond the default queries
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # each degradation, in sentences for the user
    model: str = ""  # the model that chose the further queries, "" if there was none
    failed: bool = False  # an error stopped the run, so another run may find more


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a paper was chosen, in sentences for the user. A field is "" if the texts give no reason."""

    yours: str = ""  # the sentence of the draft that the paper is relevant to
    theirs: str = ""  # the sentence of the paper that is relevant to `yours`
    page: int | None = None  # the page of `theirs`; None for the abstract, or if it is unknown
    heading: str = ""  # the heading of the section with `theirs`, if it is known
    relation: str = ""  # the paper's relation to the draft, such as "uses its data" or "competes with it"
    against: str = ""  # the paper that it was preferred to, and why
    numbers: str = ""  # one line with its rank and similarity, shown last
    discovered: str = ""  # how discovery found it (see `Candidate`)


@dataclass(frozen=True, slots=True)
class Selected:
    """A chosen paper: first chosen to be read (the longlist), then to be cited (the shortlist)."""

    candidate: Candidate
    evidence: tuple[Evidence, ...] = ()  # on the longlist: the kept pages, best first, without ids
    # Mean similarity of the kept pages, or an estimate without pages; orders the shortlist.
    score: float = 0.0
    relevance: float = field(default=0.0, metadata=STAYS)  # s_i of Equation 1
    nearest: Candidate | None = field(default=None, metadata=STAYS)  # most similar paper chosen earlier
    summary: str = ""  # the paper's relevance to the draft, summarised by a model; "" without a model
    reasons: Reasons = Reasons()


Label = Literal["SUPPORT", "REFUTE", "NEI", "ABSTAIN"]
SIDES: Mapping[Label, str] = {
    "SUPPORT": "supports",
    "REFUTE": "contradicts",
    "NEI": "neither",
    "ABSTAIN": "not judged",
}


@dataclass(frozen=True, slots=True)
class Support:
    """A judge's verdict on whether a passage supports a sentence. `score`, from 0 to 1: the judge's
    confidence in `label`; for ABSTAIN, its confidence in the withheld label, which was too low."""

    label: Label
    score: float
    missing: str = ""  # the part of the sentence that the passage does not support, in the judge's words


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    evidence: Evidence
    support: Support

    @property
    def side(self) -> str:
        return SIDES[self.support.label]


@dataclass(frozen=True, slots=True)
class Sides:
    """Passages for and against a statement. In `found`, the supporting passages come first, then the
    contradicting passages, then the others. Each group is sorted by confidence, highest first."""

    statement: str
    found: tuple[JudgedPassage, ...]
    papers: tuple[Paper, ...]
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def of(self, side: str) -> tuple[JudgedPassage, ...]:
        return tuple(passage for passage in self.found if passage.side == side)


@dataclass(frozen=True, slots=True)
class Sentence:
    r"""One sentence of plain text, never LaTeX, and the ids of the Evidence that supports it.

    How it becomes LaTeX (the planner escapes `lead` and `text`):
    - without evidence: the sentence is `text`;
    - `textual` false: the citation is put in parentheses before the final full stop. Text "Dense retrieval
      maps texts to vectors." -> `Dense retrieval maps texts to vectors~\\citep{k}.`;
    - `textual` true: the authors of the cited paper are the subject. `lead` stands before their names, `text`
      after them. Usually `text` begins with a verb in the right number (one author "proposes", several
      "propose"). Lead "More recently,", text "propose a retriever." ->
      `More recently, \\citet{k} propose a retriever.`
      `lead` is empty unless `textual`, and has no space at its ends. `text` ends with its full stop.
    - with `clauses`: the sentence cites several papers, each at the end of its clause. `text` is the joined
      text of the clauses, `evidence` the evidence of all clauses. With `textual`, the authors of the paper
      that the first clause cites are the subject."""

    text: str
    evidence: tuple[str, ...] = ()
    textual: bool = False
    lead: str = ""
    clauses: tuple[Sentence, ...] = ()  # empty, or at least two; each has text, evidence and `own` alone
    own: tuple[str, ...] = ()  # ids of the author's passages that support it
    aside: Literal["", "needs", "note", "heading"] = ""
    """If not "", the text is not a sentence of the section: a statement that still needs a source ("needs")
    or a note on evidence ("note"), both only for the author, or the run-in heading of a paragraph
    ("heading")."""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    paragraphs: tuple[tuple[Sentence, ...], ...]

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of all paragraphs."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph)


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a recipe: the text, its evidence, and the papers that were left out."""

    query: Query
    section: Section
    selected: tuple[Selected, ...]
    left_out: tuple[Candidate, ...] = ()
    candidates: tuple[Candidate, ...] = field(default=(), metadata=STAYS)  # all results of the search
    found: int = 0  # the number of candidates
    strands: tuple[Strand, ...] = ()  # the strands that the draft was divided into
    notes: tuple[str, ...] = ()  # each degradation, in sentences for the user
    usage: Usage = Usage()
    writer: str = ""  # "extractive", or provider and model
    index: str = ""  # the address of the index that was searched, for the user; contains no token
    model: str = ""  # the embedding model
    run: EvidenceRun | None = None  # the run that gathered the evidence, if there was one
