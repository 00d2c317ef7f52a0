"""A project as a text to be searched: what stands under each heading, with displayed equations, tables and code whole.

Other than a `Part`'s prose, which is what an author writes in sentences, this keeps what a reader would look up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..tex.macros import Definitions
from ..tex.plaintext import EMPTY, plain
from ..tex.scan import scan
from ..types import Draft, Span
from .contents import captions, tables

EQUATIONS = (
    "equation",
    "align",
    "alignat",
    "gather",
    "multline",
    "eqnarray",
    "flalign",
    "displaymath",
    "math",
    "dmath",
)
CODE = ("algorithm", "algorithmic", "algorithm2e")
FLOATS = (
    "table",
    "figure",
    "wraptable",
    "wrapfigure",
    "sidewaystable",
    "longtable",
    "tabular",
    "tabularx",
    "tabulary",
    "tblr",
)
_BLOCKS = {
    name: kind
    for kind, names in (("equation", EQUATIONS), ("code", CODE), ("float", FLOATS))
    for name in names
}
_BRACKETS = re.compile(
    r"(?<!\\)\\\[(?P<a>.{1,20000}?)(?<!\\)\\\]|(?<!\\)\$\$(?P<b>.{1,20000}?)(?<!\\)\$\$", re.DOTALL
)
_VERBATIM = re.compile(
    r"^(?P<before>[^%\n]*)\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted)\}(?P<body>.*?)\\end\{(?P=name)\}",
    re.DOTALL | re.MULTILINE,
)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_LABEL = re.compile(r"\\(?:label|nonumber|notag)\b(?:\{[^{}]*\})?")
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class Piece:
    """A paragraph of prose, or what is never cut (`whole`): an equation as it is written, a table as rows, code."""

    text: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextPart:
    heading: str
    pieces: tuple[Piece, ...]


def full_text(draft: Draft, definitions: Definitions = EMPTY) -> tuple[TextPart, ...]:
    """The abstract first, then what stands under each heading, in reading order; empty ones are left out."""
    found = [TextPart("Abstract", (Piece(draft.abstract),))] if draft.abstract else []
    for part in draft.parts:
        pieces = tuple(piece for span in part.pieces for piece in _pieces(draft, span, definitions))
        if pieces:
            found.append(TextPart(part.heading.title, pieces))
    if not draft.parts:
        found.append(TextPart("", tuple(Piece(page.text) for page in draft.pages)))
    return tuple(part for part in found if part.pieces)


def _pieces(draft: Draft, span: Span, definitions: Definitions) -> Iterator[Piece]:
    source = draft.sources[span.file]
    at = span.start
    for start, end, kind in _places(source.text, span):
        yield from _prose(source.text[at:start], definitions)
        inside = Span(span.file, start, end)
        if kind == "float":
            for table in tables(source, inside):
                yield Piece(table, whole=True)
            for caption in captions(source, inside):
                yield Piece(caption)
        elif body := _bare(source.text[start:end], keep_lines=kind == "code"):
            yield Piece(body, whole=True)
        at = end
    yield from _prose(source.text[at : span.end], definitions)


def _places(text: str, span: Span) -> list[tuple[int, int, str]]:
    """What is whole in `span`: start, end and kind, in order, the outermost alone."""
    scanned = scan(text)
    found: list[tuple[int, int, str]] = []
    opened: list[tuple[str, int]] = []
    for match in _VERBATIM.finditer(text, span.start, span.end):
        start = match.end("before")
        if not any(low < start < high for low, high in scanned.dead):  # in \\iffalse
            found.append((start, match.end(), "code"))
    for item in scanned.items:
        name = item.name.rstrip("*")
        if name not in _BLOCKS or not span.start <= item.start < span.end:
            continue
        if item.kind == "begin":
            opened.append((name, item.start))
        elif item.kind == "end" and any(one == name for one, _ in opened):
            while opened:
                begun, start = opened.pop()
                if begun == name:
                    break
            if not opened:
                found.append((start, item.end, _BLOCKS[name]))
    for match in _BRACKETS.finditer(text, span.start, span.end):
        dead = any(low <= match.start() < high for low, high in scanned.dead)
        if not dead and not any(low <= match.start() < high for low, high, _ in found):
            found.append((match.start(), match.end(), "equation"))
    return sorted(found)


def _prose(latex: str, definitions: Definitions) -> Iterator[Piece]:
    for paragraph in _PARAGRAPH.split(_COMMENT.sub("", latex)):
        if any(c.isalnum() for c in paragraph) and (text := " ".join(plain(paragraph, definitions).split())):
            yield Piece(text)


def _bare(latex: str, keep_lines: bool) -> str:
    """What stands between `\\begin` and `\\end`, without labels."""
    body = re.sub(r"\A\\begin[ \t]*\{[^{}]*\}(?:\[[^\[\]]*\])?|\\end[ \t]*\{[^{}]*\}\Z", "", latex)
    body = re.sub(r"\A(?:\\\[|\$\$)|(?:\\\]|\$\$)\Z", "", body)
    if keep_lines:
        return body.strip("\n").rstrip()
    return " ".join(_LABEL.sub("", _COMMENT.sub("", body)).split())


def figures(draft: Draft) -> frozenset[Path]:
    """The pictures that the project includes, without their suffixes: a PDF among them is no paper."""
    found = set()
    for path in draft.files:
        text = draft.sources[path].text
        for match in re.finditer(
            r"\\(?:includegraphics|includepdf|includesvg)\*?\s*(?:\[[^\]]*\])?\s*\{([^{}]{1,300})\}", text
        ):
            for folder in (draft.root.parent, path.parent):
                found.add((folder / match[1].strip()).with_suffix(""))
    return frozenset(found)
