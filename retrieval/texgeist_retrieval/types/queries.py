"""The search query and the parts of the draft that it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .papers import SectionType

QueryKind = Literal["abstract", "draft", "sentence", "question", "section"]


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One text of a query: the abstract, or one page of the draft."""

    text: str
    label: str  # for people: "abstract", "intro.tex:12", "the selected sentence"


@dataclass(frozen=True, slots=True)
class CitedWork:
    """A paper that the draft cites, as its bibliography entry describes it."""

    title: str
    authors: tuple[str, ...] = ()
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Work:
    """A work named in a text; at least one of `title` and `name` is given."""

    title: str = ""
    name: str = ""  # of the system, method or data set: "DPO"
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Strand:
    """One topic that the draft builds on: a problem, a method, data, or a competing approach."""

    name: str  # for people, in the form that it has in mid-sentence
    query: str  # the text to search with
    why: str = ""  # the part of the draft it comes from, for people
    works: tuple[Work, ...] = ()  # looked up by name; works that are not in the index are dropped


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the author left for the writer. `kind` is "hypothesis", "plan", "findings", … or ""."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class SectionBrief:
    """A section of the draft that is to be written, and the author's material for it as plain text, without
    generated text."""

    section: SectionType
    heading: str  # as printed in the draft
    neighbours: tuple[tuple[str, str], ...] = ()  # (heading, text) of the other sections, the nearest first
    captions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # lines of cells, `a | b | c`
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    kind: QueryKind
    parts: tuple[QueryPart, ...]  # never empty
    abstract: str = ""  # the draft's abstract, in whose light papers are read
    title: str = ""  # the draft's title: the draft never cites itself
    authors: tuple[str, ...] = ()
    cited_ids: frozenset[str] = frozenset()  # arXiv ids and `doi:…` that the draft cites already
    cited_works: tuple[CitedWork, ...] = ()
    references: str = ""  # the draft's list of references as text, if it is a PDF without a bibliography
    text: str = ""  # the question or sentence, for these kinds
    introduction: str = ""  # the draft's, for strands that its abstract does not name
    written: str = ""  # the author's own text of the section, to be continued
    words: int = 0  # how long the section may be, by the length of the draft's other sections; 0: not known
    brief: SectionBrief | None = None  # for kind "section": the section to be written
    year: int = 0  # when the draft is written; 0: not known
    missing: tuple[
        str, ...
    ] = ()  # works that a model named and the index lacks: the writer does not name them
    far: bool = False  # the index holds little on the subject; the writer and the text say so
    unquotable: tuple[
        str, ...
    ] = ()  # sentences of the draft whose plain text lacks the names of cited authors

    @property
    def by_introduction(self) -> bool:
        """Whether the draft has no abstract, so that its introduction is the query."""
        return self.kind == "abstract" and self.parts[0].label == "introduction"


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on the search; empty means no limit. Dates are ISO and inclusive."""

    since: str = ""
    until: str = ""
    categories: tuple[str, ...] = ()  # cs.CL, or an archive such as cs
    topics: tuple[str, ...] = ()
