"""Types for a LaTeX project that was read, and for edits of it.

Positions are code-point offsets into the decoded text of a file (CRLF kept); line numbers start at 1. Paths
are absolute; messages show them relative to the root document's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from .diagnostic_codes import CODES, Severity
from .disk.gate import CLOSED, Gate


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end]` of `file`."""

    file: Path
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A decoded file. `encoding` and `bom` (a byte-order mark was present) are used to write it back."""

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    newline: str = "\n"  # the most frequent line break


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the project, reported to its author. `code` is declared in `diagnostic_codes`. `fix`: the text that
    probably belongs at `span`; "" if it is unknown."""

    code: str
    message: str
    span: Span
    fix: str = ""

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Inclusion:
    r"""An `\input` or similar command. `target` is None if the file does not exist."""

    command: str
    name: str
    span: Span
    target: Path | None


@dataclass(frozen=True, slots=True)
class Heading:
    title: str  # plain text
    level: int  # part -1, chapter 0, section 1, subsection 2, …
    starred: bool
    span: Span  # of the command with its argument
    line: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A key in a citation command; a command with three keys gives three citations."""

    key: str
    command: str  # with its star, without the backslash: citep, citet*, parencite
    span: Span  # of the key
    command_span: Span
    line: int


@dataclass(frozen=True, slots=True)
class TextPage:
    """Plain text of a part of the body: a paragraph, or for embedding a page of at most 384 word pieces.
    `heading`: the index of its heading among all headings of the project, with appendices; -1 before the
    first."""

    text: str
    file: Path
    line: int
    heading: int = field(default=-1, compare=False)


@dataclass(frozen=True, slots=True)
class BibEntry:
    """A bibliography entry. Names in `fields` are in lower case, values have no outer braces or quotes, and
    strings are expanded. Existing entries are not written back: a `.bib` is only appended to."""

    key: str
    type: str  # lower case: article, misc, online, bibitem
    fields: dict[str, str]
    span: Span
    line: int


@dataclass(frozen=True, slots=True)
class Bibliography:
    """A `.bib` file, or a `thebibliography` environment (`kind`); its `path` is the text that contains it."""

    path: Path
    entries: tuple[BibEntry, ...]
    kind: Literal["bib", "thebibliography"] = "bib"
    exists: bool = True
    problems: tuple[Problem, ...] = ()
    strings: Mapping[str, str] = field(default_factory=dict, repr=False)  # defined here, by lower-case name
    unknown: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Names of strings that the bibliography uses but does not define. After an incremental parse, names that
    are no longer used may remain."""
    comments: tuple[Span, ...] = ()
    """The first `%` in each entry that has a `%` between its fields: biber skips the rest of the line, BibTeX
    the rest of the entry."""


@dataclass(frozen=True, slots=True)
class CitationStyle:
    r"""The commands with which the document cites: `\citep{…}` in parentheses, `\citet{…}` in the sentence.
    If there is no textual command, both are `cite` and `package` is "plain". `biber`: biber, not BibTeX,
    reads the bibliographies."""

    package: Literal["plain", "natbib", "biblatex", "apacite"]
    parenthetical: str
    textual: str
    biber: bool = False


@dataclass(frozen=True, slots=True)
class Insertion:
    """The place for a related-work section: the empty span `span`."""

    span: Span
    line: int
    reason: str  # for messages: "after the introduction"
    level: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """The content under a heading, up to the next heading of any level. `pieces`: the spans of the content in
    reading order, with floats and comments; `paragraphs`: the prose in it."""

    heading: Heading
    paragraphs: tuple[TextPage, ...]
    pieces: tuple[Span, ...]
    place: Span  # empty span: where text may be added, before the first subsection


def no_neighbours(bibliography: Path) -> tuple[Draft, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A project that was read. `files` are in reading order, with the root first."""

    root: Path
    files: tuple[Path, ...] = ()
    missing: tuple[str, ...] = ()
    title: str = ""
    authors: tuple[str, ...] = ()
    abstract: str = ""  # plain text; "" if there is none
    abstract_span: Span | None = None
    introduction: str = ""  # plain text, used if there is no abstract
    headings: tuple[Heading, ...] = ()
    citations: tuple[Citation, ...] = ()
    bibliographies: tuple[Bibliography, ...] = ()
    pages: tuple[TextPage, ...] = ()
    style: CitationStyle = CitationStyle("plain", "cite", "cite")
    packages: Mapping[str, str] = field(default_factory=dict)
    """The class and the packages with their options, including packages that the project's own classes and
    packages load."""
    related_work: Heading | None = None
    insertion: Insertion | None = None
    words: int = 0
    language: str = "en"
    problems: tuple[Problem, ...] = ()
    sources: dict[Path, SourceFile] = field(default_factory=dict, repr=False)
    inclusions: tuple[Inclusion, ...] = ()
    gate: Gate = Gate(CLOSED)  # which files may be written
    doubt: str = ""  # why another document may be meant; "" if there is no doubt
    note: str = ""  # other documents in the folder, if a folder was given
    parts: tuple[Part, ...] = ()  # a part for each heading, in order
    neighbours: Callable[[Path], tuple[Draft, ...]] = field(default=no_neighbours, repr=False, compare=False)
    """Reads the other documents of the project that use this `.bib` file, in their current state."""

    @property
    def texts(self) -> tuple[SourceFile, ...]:
        """The text files, without bibliographies."""
        return tuple(self.sources[file] for file in self.files if file in self.sources)


@dataclass(frozen=True, slots=True)
class Reference:
    """A paper to cite, with the fields of a bibliography entry. Made from retrieval's type by the server."""

    id: str  # the caller's id; sentences refer to it
    title: str
    authors: tuple[str, ...]  # "First von Last" or "Last, First"; a final "others": there are more
    year: int | None
    arxiv_id: str = ""
    primary_class: str = ""
    doi: str = ""
    venue: str = ""  # of the published version
    kind: Literal["preprint", "article", "inproceedings"] = "preprint"
    url: str = ""
    entry_type: str = ""  # of the author's entry from which the record came; "" if there is none
    details: tuple[tuple[str, str], ...] = ()  # further fields of that entry, as plain text


@dataclass(frozen=True, slots=True)
class ProseSentence:
    r"""A sentence in plain text, which the planner escapes, with the references that it cites. If `textual` is
    false, the citation goes before the final full stop. If `textual` is true, the sentence begins with `lead`
    (may be empty), followed by the citation as subject and by `text`. For example, lead "More recently," and
    text "propose a retriever." give `More recently, \citet{k} propose a retriever.` `clauses` are (text,
    references) pairs: the references are cited at the end of their clause. The joined clauses equal
    `text`."""

    text: str
    references: tuple[str, ...] = ()  # ids of Reference
    textual: bool = False
    lead: str = ""
    clauses: tuple[tuple[str, tuple[str, ...]], ...] = ()
    aside: Literal["", "needs", "note", "heading"] = ""  # a comment for the author, or a run-in heading


@dataclass(frozen=True, slots=True)
class ProseSection:
    title: str
    paragraphs: tuple[tuple[ProseSentence, ...], ...]


@dataclass(frozen=True, slots=True)
class FieldCorrection:
    """A correction of an entry's field, as plain text: `old` is a part of the field, and `new` is the text
    that a record of the paper has instead."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces `text[start:end]` of `file`. A file that does not exist is created with `text`."""

    file: Path
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class EditPlan:
    """The edits of an action. They do not overlap, and edits of the bibliography come last. `keys` maps
    Reference.id to citation keys; `reused`: the Reference.ids of papers that the bibliography already had."""

    edits: tuple[Edit, ...]
    latex: str  # the section as inserted, or the citation command as it will read
    entries: str  # the new entries as they are appended
    keys: dict[str, str]
    reused: frozenset[str] = frozenset()
    new_files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    section_id: str = ""  # of the texgeist:begin comment
    sentence_latex: tuple[str, ...] = ()  # the LaTeX of each sentence, in order
    written: str = ""  # the new section before it was merged with the author's changes
    gone: tuple[str, ...] = ()  # sentences that the author removed from the section, as single-line LaTeX
    founded: bool = False  # the section is based on the author's own text, so it may cite no paper
