"""The search query and the parts of the draft that it is made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .papers import Paper, SectionType

QueryKind = Literal["abstract", "draft", "sentence", "question", "section"]


@dataclass(frozen=True, slots=True)
class QueryPart:
    """One text of a query: the abstract, or one page of the draft."""

    text: str
    label: str  # the source of the text, for the user: "abstract", "intro.tex:12", "the selected sentence"


@dataclass(frozen=True, slots=True)
class Work:
    """A work named in a text; at least one of `title` and `name` is given."""

    title: str = ""
    name: str = ""  # the name of its system, method or data set: "DPO"
    year: int | None = None


@dataclass(frozen=True, slots=True)
class Strand:
    """One topic that the draft builds on: a problem, a method, data, or a competing approach."""

    name: str  # for the user, in the form for the middle of a sentence
    query: str  # the text to search with
    why: str = ""  # the part of the draft that needs this strand, for the user
    works: tuple[Work, ...] = ()  # works to look up by name; works that are not in the index are not used


@dataclass(frozen=True, slots=True)
class Note:
    """A note that the author left for the writer. `kind` is "hypothesis", "plan", "findings", … or ""."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class SectionBrief:
    """A section of the draft to write, and the author's material for this section, as plain text. Text that
    texgeist generated is not part of it."""

    section: SectionType
    heading: str  # as printed in the draft
    neighbours: tuple[tuple[str, str], ...] = ()  # (heading, text) of the other sections, nearest first
    captions: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()  # lines of cells, `a | b | c`
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    kind: QueryKind
    parts: tuple[QueryPart, ...]  # never empty
    abstract: str = ""  # the draft's abstract; the relevance of papers is judged by it
    title: str = ""  # the draft's title, also for recognising the draft in search results
    authors: tuple[str, ...] = ()
    cited_ids: frozenset[str] = frozenset()  # arXiv ids and `doi:…` of papers that the draft cites already
    # Without ids, as the bibliography describes them: title, first author, year.
    cited_works: tuple[Paper, ...] = ()
    titles: frozenset[str] = frozenset()  # titles of all entries of the bibliography, cited or not
    discussed: tuple[Paper, ...] = ()  # the works that the author's own text on related work cites, with ids
    again: bool = False  # works that the draft cites elsewhere may be cited again in the section
    cited_sentences: tuple[str, ...] = ()  # sentences of the draft with most citations, as plain text
    project: str = ""  # path of the draft's root document, for its library of discovered papers; "" for none
    references: str = ""  # the draft's list of references as text, if it is a PDF without a bibliography
    text: str = ""  # for the kinds "question" and "sentence": the question or sentence
    introduction: str = ""  # the draft's introduction, for strands that the abstract does not name
    written: str = ""  # the text of the section that the author has written, to be continued
    words: int = 0  # greatest length of the section, from the draft's other sections; 0 if not known
    brief: SectionBrief | None = None  # for kind "section": the section to be written
    year: int = 0  # the year in which the draft is written; 0 if not known
    # Works that a model named and that are not in the index; the writer must not name them.
    missing: tuple[str, ...] = ()
    far: bool = False  # the index holds little on the subject; the section says so
    # Sentences that would lack cited authors' names as plain text, so they are not quoted.
    unquotable: tuple[str, ...] = ()

    @property
    def by_introduction(self) -> bool:
        """Whether the draft has no abstract, so that its introduction is the query."""
        return self.kind == "abstract" and self.parts[0].label == "introduction"


@dataclass(frozen=True, slots=True)
class Filters:
    """Limits on the search; an empty field means no limit. `since` and `until` are ISO dates and
    inclusive."""

    since: str = ""
    until: str = ""
    categories: tuple[str, ...] = ()  # cs.CL, or an archive such as cs
    topics: tuple[str, ...] = ()
