"""What a draft has and is searched with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .papers import SectionType

QueryKind = Literal["abstract", "draft", "sentence", "question", "section"]


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

    @property
    def by_introduction(self) -> bool:
        """Whether the draft's introduction stands for an abstract that it has not."""
        return self.kind == "abstract" and self.parts[0].label == "introduction"


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on the search; empty means no limit. Dates are ISO and inclusive."""

    since: str = ""
    until: str = ""
    categories: tuple[str, ...] = ()  # cs.CL, or an archive such as cs
    topics: tuple[str, ...] = ()
