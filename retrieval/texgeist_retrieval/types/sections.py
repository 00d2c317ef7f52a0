"""The written section and the result of a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .papers import STAYS
from .queries import Query, Strand
from .results import Candidate, EvidenceRun, LeftOut, Selected, Usage


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a sentence with its evidence; the citation is put at its end."""

    text: str
    evidence: tuple[str, ...] = ()
    own: tuple[str, ...] = ()  # ids of the author's passages that support this part


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
    clauses: tuple[Clause, ...] = ()  # empty, or at least two
    own: tuple[str, ...] = ()  # ids of the author's passages that support it
    aside: Literal["", "needs", "note", "heading"] = ""
    """If not "", the text is not a sentence of the section. It is a statement that still needs a source
    ("needs") or a note on evidence ("note"), both only for the author, or the run-in heading of a paragraph
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
    left_out: tuple[LeftOut, ...] = ()
    candidates: tuple[Candidate, ...] = field(default=(), metadata=STAYS)  # all results of the search
    found: int = 0  # the number of candidates
    strands: tuple[Strand, ...] = ()  # the strands that the draft was divided into
    notes: tuple[str, ...] = ()  # each degradation, in sentences for the user
    usage: Usage = Usage()
    writer: str = ""  # "extractive", or provider and model
    index: str = ""  # the address of the index that was searched, for the user; contains no token
    model: str = ""  # the embedding model
    run: EvidenceRun | None = None  # the run that gathered the evidence, if there was one
