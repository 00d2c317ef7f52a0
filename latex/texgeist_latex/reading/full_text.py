"""A project as searchable text: the content under each heading, with displayed equations, tables and code
kept whole. Unlike the prose of a `Part`, this text includes everything that a reader may look up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ..tex.command_names import DISPLAYED_FORMULAS
from ..tex.macros import Definitions
from ..tex.plaintext import EMPTY, plain
from ..types import Draft, SourceFile, Span
from .contents import Places, captions, covering, tables

_CODE = "algorithm algorithmic algorithm2e".split()
_FLOATS = "table figure wraptable wrapfigure sidewaystable longtable tabular tabularx tabulary tblr".split()
_BLOCKS = {
    **dict.fromkeys(DISPLAYED_FORMULAS, "equation"),
    **dict.fromkeys(_CODE, "code"),
    **dict.fromkeys(_FLOATS, "float"),
}
_DISPLAY = re.compile(r"(?<!\\)(?:\\\[|\\\]|\$\$)")
_LONGEST_DISPLAY = 20_000  # characters
_VERBATIM = re.compile(
    r"^[^%\n]*?(?P<begin>\\begin\{(?P<name>verbatim\*?|Verbatim|lstlisting|minted)\})", re.MULTILINE
)
_COMMENT = re.compile(r"(?<!\\)%[^\n]*\n?[ \t]*")
_LABEL = re.compile(r"\\(?:label|nonumber|notag)\b(?:\{[^{}]*\})?")
_PICTURES = (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".ps", ".svg")  # `fig1.2` has no suffix
_PARAGRAPH = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph of prose or, if `whole`, a block that is never split: an equation as LaTeX, a table as
    rows, code."""

    text: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextPart:
    heading: str
    pieces: tuple[TextBlock, ...]


def full_text(draft: Draft, definitions: Definitions = EMPTY) -> tuple[TextPart, ...]:
    """The abstract, then the content under each heading, in reading order. Empty parts are left out."""
    found = [TextPart("Abstract", (TextBlock(draft.abstract),))] if draft.abstract else []
    places: dict[Path, Places] = {}  # each file is scanned once
    for part in draft.parts:
        pieces: list[TextBlock] = []
        for span in part.pieces:
            source = draft.sources[span.file]
            known = places.get(span.file) or places.setdefault(span.file, Places(source.text))
            pieces += _pieces(source, span, definitions, known)
        if pieces:
            found.append(TextPart(part.heading.title, tuple(pieces)))
    if not draft.parts:
        found.append(TextPart("", tuple(TextBlock(page.text) for page in draft.pages)))
    return tuple(part for part in found if part.pieces)


def _pieces(source: SourceFile, span: Span, definitions: Definitions, places: Places) -> Iterator[TextBlock]:
    at = span.start
    for start, end, kind in _whole(source.text, span, places):
        yield from _prose(source.text[at:start], definitions)
        inside = Span(span.file, start, end)
        if kind == "float":
            for table in tables(source, inside, places):
                yield TextBlock(table, whole=True)
            for caption in captions(source, inside, places):
                yield TextBlock(caption)
        elif body := _bare(source.text[start:end], keep_lines=kind == "code"):
            yield TextBlock(body, whole=True)
        at = end
    yield from _prose(source.text[at : span.end], definitions)


def _whole(text: str, span: Span, places: Places) -> list[tuple[int, int, str]]:
    """Start, end and kind of each outermost block in `span` that is never split, in order."""
    found: list[tuple[int, int, str]] = []
    opened: list[tuple[str, int]] = []
    dead = places.dead
    for start, end in _verbatim(text, span):
        if not (dead(start - 1) and dead(start)):  # not inside \iffalse; verbatim text itself is dead too
            found.append((start, end, "code"))
    for item in places.items(span.start, span.end):
        name = item.name.rstrip("*")
        if name not in _BLOCKS:
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
    taken = covering((low, high) for low, high, _ in found)
    for start, end in _displayed(text, span):
        if not dead(start) and not taken(start):
            found.append((start, end, "equation"))
    return sorted(found)


def _verbatim(text: str, span: Span) -> Iterator[tuple[int, int]]:
    """The spans of verbatim environments. Linear time, even with many unclosed environments."""
    at, endless = span.start, set[str]()
    while match := _VERBATIM.search(text, at, span.end):
        close = f"\\end{{{match['name']}}}"
        end = -1 if close in endless else text.find(close, match.end(), span.end)
        if end < 0:
            endless.add(close)
            at = match.end()
        else:
            at = end + len(close)
            yield match.start("begin"), at


def _displayed(text: str, span: Span) -> Iterator[tuple[int, int]]:
    r"""The spans from `\[` to the next `\]`, and from `$$` to the next `$$`, in a single pass."""
    begun, sign = -1, ""
    for match in _DISPLAY.finditer(text, span.start, span.end):
        if begun >= 0 and match.end() - begun > _LONGEST_DISPLAY:
            begun = -1
        closes = match[0] == ("\\]" if sign == "\\[" else sign)
        if begun >= 0 and closes:
            yield begun, match.end()
            begun = -1
        elif begun < 0 and match[0] != "\\]":
            begun, sign = match.start(), match[0]


def _prose(latex: str, definitions: Definitions) -> Iterator[TextBlock]:
    for paragraph in _PARAGRAPH.split(_COMMENT.sub("", latex)):
        if any(c.isalnum() for c in paragraph) and (text := " ".join(plain(paragraph, definitions).split())):
            yield TextBlock(text)


def _bare(latex: str, keep_lines: bool) -> str:
    r"""The text between `\begin` and `\end`, without labels."""
    body = re.sub(r"\A\\begin[ \t]*\{[^{}]*\}(?:\[[^\[\]]*\])?|\\end[ \t]*\{[^{}]*\}\Z", "", latex)
    body = re.sub(r"\A(?:\\\[|\$\$)|(?:\\\]|\$\$)\Z", "", body)
    if keep_lines:
        return body.strip("\n").rstrip()
    return " ".join(_LABEL.sub("", _COMMENT.sub("", body)).split())


def figures(draft: Draft) -> frozenset[Path]:
    """Paths of the included pictures, without suffixes. Used to leave out PDFs that are figures, not
    papers."""
    found = set()
    for path in draft.files:
        text = draft.sources[path].text
        for match in re.finditer(
            r"\\(?:includegraphics|includepdf|includesvg)\*?\s{0,9}(?:\[[^\]]{0,500}\])?\s{0,9}\{([^{}]{1,300})\}",
            text,
        ):
            for folder in (draft.root.parent, path.parent):
                picture = folder / match[1].strip()
                found.add(picture.with_suffix("") if picture.suffix.lower() in _PICTURES else picture)
    return frozenset(found)
