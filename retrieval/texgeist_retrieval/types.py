"""The values that flow along texgeist's one line of steps.

    Query -> [Candidate] -> longlist -> [Passage] -> [Evidence] -> shortlist -> Section

All are frozen; steps return new ones. Vectors are float32, one row a text, L2-normalised, so that an
inner product is a cosine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # shape [dimension]
    Matrix = NDArray[np.float32]  # shape [rows, dimension]
else:  # the language server speaks of these values too, and needs no numpy for it
    Vector = Matrix = Any

STAYS = {"travels": False}  # what is left behind when a value goes to another process (`codec`)

QueryKind = Literal["abstract", "draft", "sentence", "question", "section"]

# What a part of a paper is, by its heading; "other" where the heading tells nothing.
SectionType = Literal[
    "abstract",
    "introduction",
    "related work",
    "methods",
    "results",
    "discussion",
    "conclusion",
    "other",
]


@dataclass(frozen=True, slots=True)
class Paper:
    """What is known of a paper. `id` is the arXiv id without version, old-style ids whole
    (`hep-th/9901001`); a paper without one has `doi:…` or `bib:<citation key>`."""

    id: str
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    year: int | None = None
    published: str = ""  # ISO date of the first version, "" when unknown
    updated: str = ""  # ISO date of the version that is described
    version: int | None = None  # arXiv version that is described
    primary: str = ""  # arXiv primary class, such as cs.CL
    categories: tuple[str, ...] = ()
    doi: str = ""
    venue: str = ""  # journal or proceedings of the published version, where known
    url: str = ""
    topic: str = ""
    files: tuple[str, ...] = ()  # the user's own PDFs of it


@dataclass(frozen=True, slots=True)
class Block:
    """A sentence, or what is never cut: an equation, a table, code (`whole`). `page` from 1, None where no
    pages are known."""

    text: str
    page: int | None = None
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextSection:
    """A part of a paper's full text under its heading, as the paper has it."""

    heading: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One text that is searched with: the abstract, or one page of the draft."""

    text: str
    label: str  # for people: "abstract", "intro.tex:12", "the selected sentence"


@dataclass(frozen=True, slots=True)
class CitedWork:
    """What a bibliography says of a paper that the draft cites."""

    title: str
    author: str = ""  # the first one's name
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A work that somebody names: at least one of its usual title and its short name."""

    title: str = ""
    name: str = ""  # of the system, method or data set: "DPO"
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Strand:
    """One part of what the draft stands on: a problem, a method that it builds on, data, a competing answer."""

    name: str  # for people, as it reads in mid-sentence
    query: str  # what is searched with for it
    why: str = ""  # where in the draft it comes from, for people
    works: tuple[Work, ...] = ()  # looked up by name; those that no index holds vanish


@dataclass(frozen=True, slots=True)
class Note:
    """What the author wrote down for the writer: `kind` "hypothesis", "plan", "findings", … or ""."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class SectionBrief:
    """A section of the draft that is to be written, and what the draft has for it. All is the author's own,
    as plain text; what was generated is not among it."""

    section: SectionType
    heading: str  # as the draft has it
    neighbours: tuple[tuple[str, str], ...] = ()  # (heading, text) of the other sections, the nearest first
    captions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # lines of cells, `a | b | c`
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    kind: QueryKind
    parts: tuple[QueryPart, ...]  # never empty
    abstract: str = ""  # the draft's abstract, in whose light papers are read
    title: str = ""  # the draft's own title: it is never cited itself
    authors: tuple[str, ...] = ()
    cited_ids: frozenset[str] = frozenset()  # arXiv ids and `doi:…` that the draft cites already
    cited_works: tuple[CitedWork, ...] = ()
    text: str = ""  # the words of the question or sentence, for those kinds
    introduction: str = ""  # the draft's, where strands are found that its abstract does not name
    written: str = ""  # what the author has written in the section already, to be continued
    words: int = 0  # how long the section may be, by the draft's own habits; 0: not known
    brief: SectionBrief | None = None  # of the section that is to be written, for kind "section"
    far: bool = False  # from all that the index holds: the writer is told so, and its text says so


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on the search; empty means no limit. Dates are ISO and inclusive."""

    since: str = ""
    until: str = ""
    categories: tuple[str, ...] = ()  # cs.CL, or an archive such as cs
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a search found."""

    paper: Paper
    similarity: float  # cosine of the query part that found it and the abstract: how close it is, everywhere
    rank: int  # from 1, by similarity, among all that the search found
    found_by: int = 0  # index into Query.parts
    score: float = 0.0  # what the order was made by, after fusion or reranking
    scores: Mapping[str, float] = field(default_factory=dict)  # named parts of `score`
    already_cited: bool = False
    strands: tuple[str, ...] = ()  # names of those that it belongs to, the closest first
    named: bool = False  # looked up by its name
    picked: bool = False  # chosen by a model that saw the titles
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)  # of the abstract


@dataclass(frozen=True, slots=True)
class Passage:
    """A page or chunk of a paper's text; `page` is None for the abstract and where no pages are known."""

    paper_id: str
    page: int | None
    text: str
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)
    section: SectionType | Literal[""] = ""  # "" for a whole page
    heading: str = ""  # as the paper has it
    place: int = 0  # of a chunk in its paper, from 1; 0 for a whole page


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage, why it matters and its scores. `id` is unique within one run: "1", "2", …"""

    id: str
    passage: Passage
    similarity: float  # cosine to the draft's abstract (or question)
    score: float = 0.0  # what it was kept by; 0.4 vector + 0.6 model once a model has weighed it
    summary: str = ""  # a model's words on why it matters, "" without a model
    relevance: float | None = None  # a model's, 0 to 1, given query, summary, title and authors
    query: str = ""  # the search that found it, where there were several


@dataclass(frozen=True, slots=True)
class Usage:
    """What a model call cost. `price` in US dollars, None where it is not known."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    price: float | None = None


@dataclass(frozen=True, slots=True)
class AskedQuery:
    """One query of an evidence run, and what became of it."""

    text: str
    by: Literal["default", "model"]
    why: str = ""  # for people: what of the draft it comes from, or what the model looks for with it
    found: tuple[str, ...] = ()  # ids of the evidence of the run that it brought, whoever brought it first
    refused: str = ""  # why it was not run, for people; "" where it was


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """What was asked for a section, what was found, and why it stopped."""

    queries: tuple[AskedQuery, ...]
    evidence: tuple[Evidence, ...]  # the best first
    papers: tuple[Paper, ...]  # that the evidence is from
    stopped: str  # a sentence for people
    searches: int = 0  # that the model spent, beyond the default queries
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # every degradation, in sentences for people
    model: str = ""  # who chose the further queries, "" for nobody
    failed: bool = False  # ended before its time: asked again it may find more


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a paper is there, in sentences for people; "" where the texts do not tell."""

    yours: str = ""  # the sentence of the draft that it answers to
    theirs: str = ""  # what it says to that, in its own words
    page: int | None = None  # that this stands on; None for the abstract
    relation: str = ""  # what it is to the draft: the same problem, a method in use, data, a competing answer
    against: str = ""  # what it was preferred to, and why
    numbers: str = ""  # its place and how close it is, which come last


@dataclass(frozen=True, slots=True)
class Selected:
    """A paper of the shortlist with what it is cited for."""

    candidate: Candidate
    evidence: tuple[Evidence, ...]
    score: float  # mean similarity of its kept pages, the order of the shortlist
    why: str  # one line for people
    summary: str = ""  # of the paper in the light of the draft, "" without a model
    full_text: bool = False  # False: read by its abstract alone
    note: str = ""  # what went wrong in reading it, for people
    reasons: Reasons = Reasons()


@dataclass(frozen=True, slots=True)
class LeftOut:
    candidate: Candidate
    reason: str
    added: str = ""  # what it would have added, for people


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with the evidence of its own; its citation stands at its end."""

    text: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of plain text, never LaTeX, and the ids of the Evidence that it stands on.

    How it becomes LaTeX (the planner escapes `lead` and `text`):
    - without evidence: `text` as it stands;
    - `textual` false: the citation goes in parentheses before the final full stop,
      "Dense retrieval maps texts to vectors." -> `Dense retrieval maps texts to vectors~\\citep{k}.`;
    - `textual` true: the authors are the subject. `text` begins after them, mostly with the verb in the
      number of their count (one author "proposes", several "propose"), and `lead` stands before them:
      lead "More recently,", text "propose a retriever." -> `More recently, \\citet{k} propose a retriever.`
    `lead` is empty unless `textual`, and carries no space at its ends. `text` ends with its full stop.
    - with `clauses`, several papers stand in one sentence, each at its own place: the clauses joined are
      `text`, their evidence together is `evidence`, and a textual subject is that of the first.
    """

    text: str
    evidence: tuple[str, ...] = ()
    textual: bool = False
    lead: str = ""
    clauses: tuple[Clause, ...] = ()  # none, or two and more
    own: tuple[str, ...] = ()  # ids of the author's own passages that it stands on
    aside: Literal["", "needs", "note"] = ""
    """Not for the reader, but for the author: what stands on nothing yet ("needs"), or a note on evidence."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    sentences: tuple[Sentence, ...]
    theme: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """What a recipe gives back: the words, what they stand on, and what was left out."""

    query: Query
    section: Section
    selected: tuple[Selected, ...]
    left_out: tuple[LeftOut, ...] = ()
    candidates: tuple[Candidate, ...] = field(default=(), metadata=STAYS)  # all that the search found
    found: int = 0  # how many those are
    strands: tuple[Strand, ...] = ()  # what the draft was taken to stand on
    notes: tuple[str, ...] = ()  # every degradation, in sentences for people
    usage: Usage = Usage()
    writer: str = ""  # "extractive", or provider and model
    index: str = ""  # where was searched, for people; never with a token in it
    model: str = ""  # the embedding model
    run: EvidenceRun | None = None  # how its evidence was gathered, where an agent did it
