"""Reads content other than prose: captions, numbers in tables, and the author's notes to texgeist (`%
texgeist: findings: dense beats sparse by 3 points`)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate

from texgeist_latex.tex.plaintext import plain
from texgeist_latex.tex.scan import Item, Scan, scan, without_comments
from texgeist_latex.types import SourceFile, Span


class Places:
    """Looks up the commands of a text by their place. The cost of a lookup depends on the number of results,
    not on the file's length."""

    def __init__(self, text: str) -> None:
        self.scan = scan(text)
        self.dead = covering(self.scan.dead)
        self._starts = [item.start for item in self.scan.items]

    def items(self, start: int, end: int | None = None) -> Iterator[Item]:
        """The items that start at or after `start` and before `end`, in order."""
        items = self.scan.items
        last = len(items) if end is None else bisect_left(self._starts, end)
        return (items[n] for n in range(bisect_left(self._starts, start), last))

    def others(self, names: Iterable[str], span: Span) -> list[int]:
        """The positions in `span` of commands that the scan records only by name."""
        found: list[int] = []
        for name in names:
            every = self.scan.others.get(name, [])
            found += every[bisect_left(every, span.start) : bisect_left(every, span.end)]
        return sorted(found)


def covering(spans: Iterable[tuple[int, int]]) -> Callable[[int], bool]:
    """Returns a function that says whether a place lies in one of the spans. It uses binary search, because
    there may be 100,000 spans."""
    ordered = sorted(spans)
    starts = [low for low, _ in ordered]
    ends = list(accumulate((high for _, high in ordered), max))

    def covers(place: int) -> bool:
        before = bisect_right(starts, place)
        return before > 0 and place < ends[before - 1]

    return covers


MOST_ROWS = 40  # of a table
_LONGEST_CELL = 60  # characters
_NOTE = re.compile(
    r"(?<!\\)%+[ \t]*texgeist:[ \t]+(?P<text>\S[^\r\n]*?)[ \t]*\r?$", re.MULTILINE | re.IGNORECASE
)
_OURS = re.compile(r"needs\b", re.IGNORECASE)  # a note that texgeist wrote for the author
_TABULARS = ("tabular", "tabular*", "tabularx", "tabulary", "longtable", "tblr", "array")
_RULE = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|cline|cmidrule|specialrule|addlinespace|endhead|endfoot|endfirsthead"
    r"|endlastfoot)\b(?:\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\})*"
)
_ROW_END = re.compile(r"\\\\(?:\[[^\[\]]*\])?|\\tabularnewline\b")
_CELL_END = re.compile(r"(?<!\\)&")
_SPAN = re.compile(r"\\multi(?:column|row)\s*(?:\[[^\]]*\])?\{[^{}]*\}(?:\[[^\]]*\])?\{[^{}]*\}")


@dataclass(frozen=True, slots=True)
class NoteComment:
    """A comment by the author for texgeist. `kind`: the word before the first colon, if it is in `KINDS`."""

    kind: str
    text: str


ReadTexts = Callable[[SourceFile, Span, Places | None], list[str]]  # the type of `captions` and `tables`
RESULTS = "results"  # the text of such a note is the name of a file
KINDS = ("hypothesis", "plan", "findings", "finding", "question", "method", "limitation", RESULTS)


def notes(source: SourceFile, span: Span) -> list[NoteComment]:
    """The author's notes in `span`, each in a single line, without texgeist's own comments."""
    text = source.text
    found = []
    for match in _NOTE.finditer(text, span.start, span.end):
        if _OURS.match(match["text"]):
            continue
        first, colon, rest = match["text"].partition(":")
        kind = first.strip().lower() if colon and first.strip().lower() in KINDS else ""
        found.append(NoteComment(kind, rest.strip() if kind else match["text"]))
    return found


def captions(source: SourceFile, span: Span, places: Places | None = None) -> list[str]:
    """The captions of figures and tables as plain text. Pass `places` when reading many spans of a file."""
    places = places or Places(source.text)
    begun = places.others(("caption", "captionof", "subcaption"), span)
    found = (_argument(places.scan, at) for at in begun if not places.dead(at))
    return [text for latex in found if (text := " ".join(plain(latex).split()))]


def tables(source: SourceFile, span: Span, places: Places | None = None) -> list[str]:
    """Each table as lines of cells, `a | b | c`, from which the author's numbers are read."""
    places = places or Places(source.text)
    opened: list[int] = []
    found = []
    for item in places.items(span.start):
        begins = item.kind == "begin" and item.name in _TABULARS
        if item.start >= span.end and (begins or not opened):  # the next table starts
            break
        if begins and not places.dead(item.start):
            opened.append(item.end)
        elif item.kind == "end" and item.name in _TABULARS and opened:
            begun = opened.pop()
            if not opened and (lines := list(_rows(source.text[begun : item.start]))):
                found.append("\n".join(lines))
    return found


def _rows(body: str) -> Iterator[str]:
    body = re.sub(
        r"^\s*(?:\[[^\]]*\])?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*)*", "", body
    )  # the column specification
    for row in _ROW_END.split(_SPAN.sub("", _RULE.sub("", without_comments(body))))[:MOST_ROWS]:
        cells = [" ".join(plain(cell).split())[:_LONGEST_CELL] for cell in _CELL_END.split(row)]
        if any(cells):
            yield " | ".join(cells)


def _argument(scanned: Scan, at: int) -> str:
    """The last argument of the command at `at`."""
    start, found = at, ""
    for _ in range(3):
        match = re.compile(r"(?:\\[A-Za-z]+\*?)?\s*(?:\[[^\[\]]*\])?\s*(?=\{)").match(scanned.text, start)
        if match is None or match.end() not in scanned.braces:
            break
        end = scanned.braces[match.end()]
        found, start = scanned.text[match.end() + 1 : end], end + 1
    return found
