"""What a recipe gives back to the server: plain values, free of vectors and of numpy.

A recipe runs in the worker process and its outcome travels to the server as JSON, so importing this
module must stay cheap.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_retrieval.costs import in_words

if TYPE_CHECKING:
    from texgeist_retrieval.types import QueryKind


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked for: the fields of retrieval's `Query`, without its vectors' library."""

    kind: QueryKind
    parts: tuple[tuple[str, str], ...]  # (text, label for people), never empty
    abstract: str = ""
    title: str = ""
    authors: tuple[str, ...] = ()
    cited_ids: tuple[str, ...] = ()
    cited_titles: tuple[str, ...] = ()
    text: str = ""
    introduction: str = ""
    written: str = ""
    words: int = 0

    @property
    def label(self) -> str:
        return {
            "abstract": "your abstract",
            "draft": "your whole draft",
            "sentence": "your sentence",
            "question": "your question",
        }.get(self.kind, self.kind)


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage that a citation stands on; `page` is None for the abstract."""

    id: str
    text: str
    page: int | None
    similarity: float
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A paper of the shortlist."""

    reference: Reference
    similarity: float
    rank: int
    score: float
    why: str
    proofs: tuple[Proof, ...] = ()
    summary: str = ""
    full_text: bool = False
    note: str = ""
    found_by: str = ""
    strands: tuple[str, ...] = ()  # what of the draft it is there for
    score_parts: dict[str, float] = field(default_factory=dict)  # the ranker's, by name


@dataclass(frozen=True, slots=True)
class Left:
    """A paper that was found and is not cited."""

    reference: Reference
    similarity: float
    rank: int
    reason: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A recipe's result as the server needs it."""

    ask: Ask
    section: ProseSection
    sentence_proofs: tuple[tuple[str, ...], ...]  # ids of Proof, one tuple a sentence, in order
    chosen: tuple[Chosen, ...]
    left: tuple[Left, ...] = ()
    found: int = 0  # how many papers the search found
    notes: tuple[str, ...] = ()
    usage: dict[str, Any] = field(default_factory=dict)
    writer: str = ""
    index: str = ""
    model: str = ""

    def spent(self) -> str:
        """What the model took, in words; "" without one."""
        calls = int(self.usage.get("calls") or 0)
        sent, written = (int(self.usage.get(name) or 0) for name in ("input_tokens", "output_tokens"))
        return f"The model took {in_words(calls, sent, written, self.usage.get('price'))}." if calls else ""

    def references(self) -> tuple[Reference, ...]:
        return tuple(paper.reference for paper in self.chosen)

    def sentences(self) -> list[ProseSentence]:
        return [sentence for paragraph in self.section.paragraphs for sentence in paragraph]


def to_json(outcome: Outcome) -> dict[str, Any]:
    return asdict(outcome)


def from_json(data: dict[str, Any]) -> Outcome:
    """The outcome that `to_json` took apart (also after a way through `json`)."""
    return Outcome(
        ask=ask_from_json(data["ask"]),
        section=ProseSection(
            data["section"]["title"],
            tuple(tuple(_sentence(s) for s in paragraph) for paragraph in data["section"]["paragraphs"]),
        ),
        sentence_proofs=tuple(tuple(ids) for ids in data["sentence_proofs"]),
        chosen=tuple(_chosen(paper) for paper in data["chosen"]),
        left=tuple(Left(**{**paper, "reference": _reference(paper["reference"])}) for paper in data["left"]),
        found=data["found"],
        notes=tuple(data["notes"]),
        usage=data["usage"],
        writer=data["writer"],
        index=data["index"],
        model=data["model"],
    )


def ask_from_json(data: dict[str, Any]) -> Ask:
    parts = tuple((text, label) for text, label in data["parts"])
    lists = {name: tuple(data.get(name, ())) for name in ("authors", "cited_ids", "cited_titles")}
    return Ask(**{**data, **lists, "parts": parts})


def copy_through_json(outcome: Outcome) -> Outcome:
    return from_json(json.loads(json.dumps(to_json(outcome))))


def _sentence(data: dict[str, Any]) -> ProseSentence:
    clauses = tuple((text, tuple(references)) for text, references in data.get("clauses", ()))
    return ProseSentence(**{**data, "references": tuple(data["references"]), "clauses": clauses})


def _reference(data: dict[str, Any]) -> Reference:
    return Reference(**{**data, "authors": tuple(data["authors"])})


def _chosen(data: dict[str, Any]) -> Chosen:
    proofs = tuple(Proof(**proof) for proof in data["proofs"])
    return Chosen(
        **{
            **data,
            "reference": _reference(data["reference"]),
            "proofs": proofs,
            "strands": tuple(data["strands"]),
        }
    )
