"""A LaTeX project as read, and the edits that go back into it.

Positions are code-point offsets into a file's text as it was decoded (CRLF kept), lines count from 1.
Paths are absolute in here; what people see is made relative to the root document's folder.
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
    """One decoded file. `encoding` writes it back, `bom` tells whether one stood before it."""

    path: Path
    text: str
    encoding: str = "utf-8"
    bom: bool = False
    newline: str = "\n"  # the one that prevails


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of the project, for its author. `code` is declared in `diagnostic_codes`."""

    code: str
    message: str
    span: Span

    @property
    def severity(self) -> Severity:
        return CODES[self.code].severity


@dataclass(frozen=True, slots=True)
class Inclusion:
    """An `\\input` or one of its kin; `target` is None when the file is not there."""

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
    """One key in one citation command; a command with three keys gives three."""

    key: str
    command: str  # with its star, without the backslash: citep, citet*, parencite
    span: Span  # of the key
    command_span: Span
    line: int
    optional: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextPage:
    """A piece of the body as plain text, at most 384 word pieces, for embedding."""

    text: str
    file: Path
    line: int


@dataclass(frozen=True, slots=True)
class BibEntry:
    """One bibliography entry; `fields` in lower case, values without their outer braces or quotes,
    strings expanded. Never written out again: a `.bib` is only appended to."""

    key: str
    type: str  # lower case: article, misc, online, bibitem
    fields: dict[str, str]
    span: Span
    line: int


@dataclass(frozen=True, slots=True)
class Bibliography:
    """One `.bib` file, a `thebibliography` or a `filecontents` environment (`kind`); of the last two
    `path` is the text that they stand in."""

    path: Path
    entries: tuple[BibEntry, ...]
    kind: Literal["bib", "thebibliography", "filecontents"] = "bib"
    exists: bool = True
    problems: tuple[Problem, ...] = ()
    strings: Mapping[str, str] = field(
        default_factory=dict, repr=False
    )  # that it defines, by lower-case name
    unknown: frozenset[str] = field(default=frozenset(), repr=False, compare=False)
    """Names that it takes for strings and does not define; after typing in it, maybe some more."""
    comments: tuple[Span, ...] = ()
    """The first `%` between the fields of an entry: biber skips the rest of that line, BibTeX that of the entry."""


@dataclass(frozen=True, slots=True)
class CitationStyle:
    """The commands that the document cites with: `\\citep{…}` in parentheses, `\\citet{…}` in the
    sentence. Where a package has no textual command both are `cite` and `package` is "plain". `biber`: it reads the
    bibliographies, and not BibTeX."""

    package: Literal["plain", "natbib", "biblatex", "apacite"]
    parenthetical: str
    textual: str
    biber: bool = False


@dataclass(frozen=True, slots=True)
class Insertion:
    """Where a related-work section goes: at `span` (empty to insert, else what it replaces)."""

    span: Span
    line: int
    reason: str  # for people: "after the introduction"
    replaces: bool = False
    level: int = 1


@dataclass(frozen=True, slots=True)
class Part:
    """What stands under a heading, up to the next heading of any rank. `pieces` are its stretches of the
    files in reading order, floats and comments and all; `paragraphs` the prose in them."""

    heading: Heading
    paragraphs: tuple[TextPage, ...]
    pieces: tuple[Span, ...]
    place: Span  # empty: where more text of this section may go, before its first subsection


def no_neighbours(bibliography: Path) -> tuple[Draft, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class Draft:
    """The project as read. `files` are in reading order, the root first."""

    root: Path
    files: tuple[Path, ...]
    missing: tuple[str, ...]
    title: str
    authors: tuple[str, ...]
    abstract: str  # plain text; "" when there is none
    abstract_span: Span | None
    introduction: str  # plain text, offered where there is no abstract
    headings: tuple[Heading, ...]
    citations: tuple[Citation, ...]
    bibliographies: tuple[Bibliography, ...]
    pages: tuple[TextPage, ...]
    style: CitationStyle
    related_work: Heading | None
    insertion: Insertion | None
    words: int
    language: str = "en"
    problems: tuple[Problem, ...] = ()
    sources: dict[Path, SourceFile] = field(default_factory=dict, repr=False)
    inclusions: tuple[Inclusion, ...] = ()
    gate: Gate = Gate(CLOSED)  # what of it may be written
    doubt: str = ""  # why it is not certain that this document is meant; "" when it is
    note: str = ""  # which other documents the folder holds that was named instead of a file
    parts: tuple[Part, ...] = ()  # one a heading, in their order
    neighbours: Callable[[Path], tuple[Draft, ...]] = field(default=no_neighbours, repr=False, compare=False)
    """The other documents of the project that read this `.bib` file, as they are when they are asked for."""

    @property
    def texts(self) -> tuple[SourceFile, ...]:
        """The documents that were read, without the bibliographies."""
        return tuple(self.sources[file] for file in self.files if file in self.sources)


@dataclass(frozen=True, slots=True)
class Reference:
    """A paper to be cited, as a bibliography needs it: what the server hands over from retrieval."""

    id: str  # the caller's own; sentences name it
    title: str
    authors: tuple[str, ...]  # "First von Last" or "Last, First"
    year: int | None
    arxiv_id: str = ""
    primary_class: str = ""
    doi: str = ""
    venue: str = ""  # of the published version
    kind: Literal["preprint", "article", "inproceedings"] = "preprint"
    url: str = ""


@dataclass(frozen=True, slots=True)
class ProseSentence:
    """Plain text (escaped by the planner) and the references that it stands on. Parenthetical: the
    citation goes before the final full stop. Textual: `lead` (may be empty), the citation as the
    subject, then `text`: lead "More recently,", text "propose a retriever." gives
    `More recently, \\citet{k} propose a retriever.`

    With `clauses`, (text, references) each, every one is cited at its own end; joined they are `text`."""

    text: str
    references: tuple[str, ...] = ()  # ids of Reference
    textual: bool = False
    lead: str = ""
    clauses: tuple[tuple[str, tuple[str, ...]], ...] = ()
    aside: Literal["", "needs", "note"] = ""  # a comment to the author, not a sentence to the reader


@dataclass(frozen=True, slots=True)
class ProseSection:
    title: str
    paragraphs: tuple[tuple[ProseSentence, ...], ...]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace `text[start:end]` of `file`; a file that does not exist yet is made from `text`."""

    file: Path
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A newly written sentence, offered in place of the author's version, which stays in the document; both as LaTeX
    on one line."""

    stands: str
    new: str
    papers: tuple[tuple[str, str], ...] = ()  # its citation keys, each with the Reference.id


@dataclass(frozen=True, slots=True)
class EditPlan:
    """All edits of one action, bibliography last, none overlapping. `keys` maps Reference.id to the
    citation key in the document, `reused` are those that the bibliography held already."""

    edits: tuple[Edit, ...]
    latex: str  # the section as inserted
    entries: str  # the new entries as appended
    keys: dict[str, str]
    reused: frozenset[str] = frozenset()
    new_files: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()
    section_id: str = ""  # of the texgeist:begin comment
    sentence_latex: tuple[str, ...] = ()  # one a sentence, in order
    written: str = ""  # the new section before it was merged with the author's changes
    offers: tuple[Offer, ...] = ()
    gone: tuple[str, ...] = ()  # sentences that the author took out of the section, LaTeX on one line each
    founded: bool = False  # stands on the author's own text, so that it need cite no paper
