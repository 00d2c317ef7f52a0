"""Reads content other than prose: captions, numbers in tables, and the author's notes to texgeist (`%
texgeist: findings: dense beats sparse by 3 points`)."""

from __future__ import annotations

import csv
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from ..disk.gate import Gate
from ..disk.paths import real, regular
from ..errors import Unreadable
from ..tex.plaintext import plain
from ..tex.scan import Item, Scan, scan, without_comments
from ..types import Draft, SourceFile, Span


class Places:
    """Looks up the commands of a text by their place, in time that depends on the number of results only."""

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
    """Returns a function that says whether a place lies in one of the spans (up to 100,000)."""
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


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A paragraph or caption, or, if `whole`, a table as rows, which is never split."""

    text: str
    whole: bool = False


@dataclass(frozen=True, slots=True)
class TextPart:
    heading: str
    pieces: tuple[TextBlock, ...]


def full_text(draft: Draft) -> tuple[TextPart, ...]:
    """The draft as searchable text: the abstract, then the content under each heading, with captions and tables, in
    reading order. Empty parts are left out."""
    found = [TextPart("Abstract", (TextBlock(draft.abstract),))] if draft.abstract else []
    places = {file: Places(draft.sources[file].text) for file in draft.files}
    for part in draft.parts:
        pieces = [TextBlock(paragraph.text) for paragraph in part.paragraphs]
        for span in part.pieces:
            source = draft.sources[span.file]
            pieces += [TextBlock(caption) for caption in captions(source, span, places[span.file])]
            pieces += [TextBlock(table, whole=True) for table in tables(source, span, places[span.file])]
        found.append(TextPart(part.heading.title, tuple(pieces)))
    if not draft.parts:
        found.append(TextPart("", tuple(TextBlock(page.text) for page in draft.pages)))
    return tuple(part for part in found if part.pieces)


_PICTURES = (".pdf", ".png", ".jpg", ".jpeg", ".eps", ".ps", ".svg")  # `fig1.2` has no suffix


def figures(draft: Draft) -> frozenset[Path]:
    """Paths of the included pictures, without suffixes: such PDFs are no papers."""
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


_RESULT_FILES = (".csv", ".tsv", ".txt", ".log")
MOST_BYTES = 2_000_000
_MOST = 2_200  # characters of a file; a longer file is cut in the middle: logs end with results
_LONGEST_LINE = 300  # characters
_HELP = f"Name a file of the project that ends in {', '.join(_RESULT_FILES)}, with at most {MOST_BYTES // 1_000_000} MB."


def read_results(gate: Gate, folder: Path, name: str) -> str:
    """The file's name, and below it the lines of the file, with the cells of a table as `a | b | c`. Raises
    `Unreadable` for a file that is missing, outside the project, of another kind, too long, or not text."""
    path = folder / name
    end = Path(real(path))
    if end.suffix.lower() not in _RESULT_FILES or path.suffix.lower() not in _RESULT_FILES:
        raise Unreadable(f"The results file {name} is not of a kind that is read.", _HELP)
    if not gate.inside(path):
        raise Unreadable(f"The results file {name} lies outside the project and is not read.", _HELP)
    state = regular(end)
    if state is None:
        raise Unreadable(f"The results file {name} does not exist.", _HELP)
    if state.st_size > MOST_BYTES:
        raise Unreadable(f"The results file {name} is {state.st_size / 1e6:,.0f} MB long.", _HELP)
    try:
        content = end.read_bytes()
    except OSError as error:
        raise Unreadable(f"The results file {name} cannot be read: {error.strerror}.", _HELP) from error
    if b"\0" in content:
        raise Unreadable(f"The results file {name} is not text.", _HELP)
    lines = list(_lines(content.decode("utf-8-sig", "replace"), end.suffix.lower()))
    return "\n".join([f"Results in {name}:", *_shortened(lines)])


def _shortened(lines: list[str]) -> list[str]:
    """The lines; if they are too long, the first and the last lines, with half of `_MOST` characters each."""
    if sum(map(len, lines)) <= _MOST:
        return lines
    head, tail = _fitting(lines), _fitting(lines[::-1])[::-1]
    return [*head, f"({len(lines) - len(head) - len(tail)} lines left out)", *tail]


def _fitting(lines: list[str]) -> list[str]:
    ends = accumulate(map(len, lines))
    return [line for line, end in zip(lines, ends, strict=True) if end <= _MOST // 2]


def _lines(text: str, kind: str) -> Iterator[str]:
    if kind in (".csv", ".tsv"):
        table = csv.reader(text.splitlines(), delimiter="\t" if kind == ".tsv" else _delimiter(text))
        rows = (" | ".join(" ".join(cell.split()) for cell in row) for row in _records(table))
    else:
        rows = (" ".join(line.split()) for line in text.splitlines())
    return (row[:_LONGEST_LINE] for row in rows if row)


def _records(table: Iterator[list[str]]) -> Iterator[list[str]]:
    try:
        yield from table
    except csv.Error as error:
        raise Unreadable(f"A results file is not a table: {error}.", _HELP) from error


def _delimiter(text: str) -> str:
    first = text.partition("\n")[0]
    return ";" if first.count(";") > first.count(",") else ","
