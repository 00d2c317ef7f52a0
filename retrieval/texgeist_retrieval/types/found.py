"""What a search finds, and why it is kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .papers import Paper, SectionType
from .vectors import STAYS, Vector


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
    """What model calls took."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0


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
class CitedPaper:
    """A paper that somebody cites, as its entry has it."""

    title: str
    authors: tuple[str, ...]
    year: int | None


@dataclass(frozen=True, slots=True)
class Description:
    """A sentence of another paper on it; `by` is who says it: "Lewis et al. 2021"."""

    text: str
    by: str
    heading: str
    page: int | None


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


Label = Literal["SUPPORT", "REFUTE", "NEI", "ABSTAIN"]
SIDES: Mapping[Label, str] = {
    "SUPPORT": "supports",
    "REFUTE": "contradicts",
    "NEI": "neither",
    "ABSTAIN": "not judged",
}


@dataclass(frozen=True, slots=True)
class Support:
    """A judge's verdict on a sentence and a passage. `score` from 0 to 1: how sure the judge is of `label`, of the
    label that was withheld for ABSTAIN."""

    label: Label
    score: float
    missing: str = ""  # what the passage does not say, in the judge's words, for people


@dataclass(frozen=True, slots=True)
class JudgedPassage:
    evidence: Evidence
    support: Support

    @property
    def side(self) -> str:
        return SIDES[self.support.label]


@dataclass(frozen=True, slots=True)
class Sides:
    """Passages for and against a statement. `found`: those that support it first, then those that contradict it, each
    side the surest first; then the rest."""

    statement: str
    found: tuple[JudgedPassage, ...]
    papers: tuple[Paper, ...]
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def of(self, side: str) -> tuple[JudgedPassage, ...]:
        return tuple(passage for passage in self.found if passage.side == side)
