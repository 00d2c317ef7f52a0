"""What a stretch of a document holds beside its prose: captions, the numbers in its tables, and the author's notes
to texgeist (`% texgeist: findings: dense beats sparse by 3 points`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..tex.plaintext import plain
from ..tex.scan import Scan, scan
from ..types import SourceFile, Span

MOST_ROWS = 40  # of one table
_LONGEST_CELL = 60  # characters
_NOTE = re.compile(
    r"(?<!\\)%+[ \t]*texgeist:[ \t]+(?P<text>\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_OURS = re.compile(r"needs\b", re.IGNORECASE)  # a note of texgeist's own, to the author
_TABULARS = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "tblr", "array")
_RULE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cline|cmidrule|specialrule|addlinespace|endhead|endfoot|endfirsthead"
    r"|endlastfoot)\b(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})*"
)
_ROW_END = re.compile(r"\\\\(?:\[[^\[\]]*\])?|\\tabularnewline\b")
_CELL_END = re.compile(r"(?<!\\)&")
_SPAN = re.compile(r"\\multi(?:column|row)\s*(?:\[[^\]]*\])?\{[^{}]*\}(?:\[[^\]]*\])?\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class Note:
    """What the author wrote for texgeist alone. `kind` is the word before its first colon, if that is one of
    `KINDS`."""

    kind: str
    text: str
    line: int


Reader = Callable[[SourceFile, Span], list[str]]  # `captions` and `tables`
KINDS = ("hypothesis", "plan", "findings", "finding", "question", "method", "limitation")


def notes(source: SourceFile, span: Span) -> list[Note]:
    """The author's notes in `span`, each one line; texgeist's own marks are none."""
    text = source.text
    found = []
    for match in _NOTE.finditer(text, span.start, span.end):
        if _OURS.match(match["text"]):
            continue
        first, colon, rest = match["text"].partition(":")
        kind = first.strip().lower() if colon and first.strip().lower() in KINDS else ""
        line = text.count("\n", 0, match.start("text")) + 1
        found.append(Note(kind, rest.strip() if kind else match["text"], line))
    return found


def captions(source: SourceFile, span: Span) -> list[str]:
    """What stands under the figures and tables, as plain text."""
    scanned = scan(source.text)
    places = sorted(
        at for name in ("caption", "captionof", "subcaption") for at in scanned.others.get(name, ())
    )
    found = (_argument(scanned, at) for at in places if _inside(scanned, at, span))
    return [text for latex in found if (text := " ".join(plain(latex).split()))]


def tables(source: SourceFile, span: Span) -> list[str]:
    """Each table as lines of cells, `a | b | c`: what the author's own figures are read from."""
    scanned = scan(source.text)
    opened: list[int] = []
    found = []
    for item in scanned.items:
        if item.kind == "begin" and item.name in _TABULARS and _inside(scanned, item.start, span):
            opened.append(item.end)
        elif item.kind == "end" and item.name in _TABULARS and opened:
            begun = opened.pop()
            if not opened and (lines := list(_rows(source.text[begun : item.start]))):
                found.append("\n".join(lines))
    return found


def _rows(body: str) -> Iterator[str]:
    body = re.sub(r"^\s*(?:\[[^\]]*\])?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)*", "", body)  # the columns' form
    body = re.sub(r"(?<!\\)%[^\n]*", "", body)
    for row in _ROW_END.split(_SPAN.sub("", _RULE.sub("", body)))[:MOST_ROWS]:
        cells = [" ".join(plain(cell).split())[:_LONGEST_CELL] for cell in _CELL_END.split(row)]
        if any(cells):
            yield " | ".join(cells)


def _argument(scanned: Scan, at: int) -> str:
    """The last group that follows the command at `at`."""
    start, found = at, ""
    for _ in range(3):
        match = re.compile(r"(?:\\[A-Za-z]+\*?)?\s*(?:\[[^\[\]]*\])?\s*(?=\{)").match(scanned.text, start)
        if match is None or match.end() not in scanned.braces:
            break
        end = scanned.braces[match.end()]
        found, start = scanned.text[match.end() + 1 : end], end + 1
    return found


def _inside(scanned: Scan, at: int, span: Span) -> bool:
    return span.start <= at < span.end and not any(low <= at < high for low, high in scanned.dead)
