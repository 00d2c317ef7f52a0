"""What is written, and all that it stands on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .found import Candidate, EvidenceRun, LeftOut, Selected, Usage
from .queries import Query, Strand
from .vectors import STAYS


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with the evidence of its own; its citation stands at its end."""

    text: str
    evidence: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # the author's own passages that this part stands on


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
