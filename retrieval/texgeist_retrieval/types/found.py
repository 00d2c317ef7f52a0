"""Search results, and the reasons for keeping them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from .papers import STAYS, Paper, SectionType, Vector


@dataclass(frozen=True, slots=True)
class Candidate:
    """A paper that a search found."""

    paper: Paper
    similarity: float  # cosine of the abstract and the closest query part (`found_by`)
    rank: int  # place in the current order, from 1: of an index query, then of the whole search after ranking
    found_by: int = 0  # index into Query.parts
    score: float = 0.0  # the score that the order is based on, after fusion or reranking
    scores: Mapping[str, float] = field(default_factory=dict)  # named parts of `score`
    already_cited: bool = False
    strands: tuple[str, ...] = ()  # names of the strands that it belongs to, the closest first
    named: bool = False  # looked up by the name of its system or method
    picked: bool = False  # chosen by a model that saw the titles
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)  # of the abstract


@dataclass(frozen=True, slots=True)
class Passage:
    """A page or chunk of a paper's text. `page` is None for an abstract and for a text without page numbers."""

    paper_id: str
    page: int | None
    text: str
    vector: Vector | None = field(default=None, compare=False, repr=False, metadata=STAYS)
    section: SectionType | Literal[""] = ""  # "" for a whole page
    heading: str = ""  # as printed in the paper
    place: int = 0  # number of the chunk in its paper, from 1; 0 for a whole page

    @property
    def is_abstract(self) -> bool:
        """Whether this is the abstract, not a page or chunk of the text."""
        return self.page is None and not self.place


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage with its scores and a summary of its relevance. `id` is unique within a run: "1", "2", …"""

    id: str
    passage: Passage
    similarity: float  # cosine to the draft's abstract (or question)
    score: float = 0.0  # the score that it was ranked by: 0.4 vector + 0.6 model if a model has rated it
    summary: str = ""  # a model's explanation of its relevance, "" without a model
    relevance: float | None = None  # rated by a model, 0 to 1, given query, summary, title and authors
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
    why: str = ""  # for people: the part of the draft it comes from, or what the model looks for with it
    found: tuple[
        str, ...
    ] = ()  # ids of all evidence of the run that it returned, also if another query returned it first
    refused: str = ""  # why it was not run, for people; "" if it was


@dataclass(frozen=True, slots=True)
class EvidenceRun:
    """The queries of a section, the evidence that they returned, and why the run stopped."""

    queries: tuple[AskedQuery, ...]
    evidence: tuple[Evidence, ...]  # best first
    papers: tuple[Paper, ...]  # the papers of the evidence
    stopped: str  # a sentence for people
    searches: int = 0  # searches by the model, beyond the default queries
    usage: Usage = Usage()
    notes: tuple[str, ...] = ()  # each degradation, in sentences for people
    model: str = ""  # the model that chose the further queries, "" if there was none
    failed: bool = False  # stopped by an error: another run may find more


@dataclass(frozen=True, slots=True)
class Description:
    """A sentence of another paper about this paper; `by` names the other paper: "Lewis et al. 2021"."""

    text: str
    by: str
    heading: str
    page: int | None


@dataclass(frozen=True, slots=True)
class Reasons:
    """Why a paper was chosen, in sentences for people; "" if the texts give no reason."""

    yours: str = ""  # the sentence of the draft that the paper is relevant to
    theirs: str = ""  # the sentence of the paper that is relevant to it
    page: int | None = None  # the page of `theirs`; None for the abstract, or if it is unknown
    heading: str = ""  # of the section of `theirs`, if it is known
    relation: str = ""  # its relation to the draft: same problem, a method in use, data, a competing approach
    against: str = ""  # the paper before which it was chosen, and why
    numbers: str = ""  # one line with its rank and similarity, shown last


@dataclass(frozen=True, slots=True)
class Selected:
    """A paper that was chosen: to be read (the longlist), then to be cited (the shortlist)."""

    candidate: Candidate
    evidence: tuple[Evidence, ...] = ()  # on the longlist: the kept pages, best first, without ids
    score: float = (
        0.0  # mean similarity of the kept pages, or an estimate without pages; orders the shortlist
    )
    relevance: float = field(default=0.0, metadata=STAYS)  # s_i of Equation 1
    nearest: Candidate | None = field(default=None, metadata=STAYS)  # most similar paper chosen earlier
    summary: str = ""  # of the paper with regard to the draft, "" without a model
    full_text: bool = False  # False: only the abstract was read
    note: str = ""  # why its full text could not be read, for people
    reasons: Reasons = Reasons()


@dataclass(frozen=True, slots=True)
class LeftOut:
    candidate: Candidate
    reason: str
    added: str = ""  # what it would have added to the section, for people


Label = Literal["SUPPORT", "REFUTE", "NEI", "ABSTAIN"]
SIDES: Mapping[Label, str] = {
    "SUPPORT": "supports",
    "REFUTE": "contradicts",
    "NEI": "neither",
    "ABSTAIN": "not judged",
}


@dataclass(frozen=True, slots=True)
class Support:
    """A judge's verdict on a sentence and a passage. `score`, from 0 to 1, is the judge's confidence in
    `label`; for ABSTAIN, in the label that was withheld."""

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
    """Passages for and against a statement. In `found` the supporting passages come first, then the
    contradicting, then the rest; within each group the confidence decreases."""

    statement: str
    found: tuple[JudgedPassage, ...]
    papers: tuple[Paper, ...]
    queries: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def of(self, side: str) -> tuple[JudgedPassage, ...]:
        return tuple(passage for passage in self.found if passage.side == side)
