"""Divides the lines of a list of references into references.

References are recognised by ascending numbers, labels or bullets, by blank lines, or by the indent of their lines and
the gaps between them on the page. Of these ways, the one is used by which most
references follow a finished line and can be read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from statistics import median

from texgeist_latex.bib.plain_references import LONGEST, YEARS, read_reference
from texgeist_retrieval.fulltext.body import Line, mend_pages

_SAMPLE = 150  # references that are read to compare two ways
_SURE = 0.8  # numbers are preferred to a way by which slightly more references can be read
_LONG, _LONGEST = 4, 1_500  # times the median length, and letters, of a text that is several references
_WHOLE = ("title", "author", "year")
LABEL = re.compile(r"^\s*(?:\[(?P<a>\d{1,4})\]|\((?P<b>\d{1,4})\)|(?P<c>\d{1,4})\.(?=\s))")
KEYED = re.compile(r"^\s*(?:\[([^\W\d]{1,12}\+?\d\d[a-z]?)\]|([A-Z][A-Za-z]{0,6}\+?\d\d[a-z]?)\.(?= ))")
_BULLET = re.compile(r"^\s*[-*+•]\s+")
_MARKDOWN = re.compile(r"(?<![\w\\])(\*\*|__|\*|_)(?=\S)(.+?)(?<=\S)\1(?!\w)")
_LINK = re.compile(r"!?\[([^\]]*)\]\(([^()\s]*)\)")
_CITING = re.compile(  # "(cited on pages 3, 5–7)", "3, 7" or "Cited on page 3." at the end of a reference
    r" (?:\((?P<words>[^()\d]{0,40} )?(?:\d{1,3}(?!\d)(?:[,–-] ?| \w{1,3} )?)+\)"
    r"|(?<=\. )(?P<said>[^\W\d][^\d.()]{0,40} )?\d{1,3}(?:,? (?:\w{1,3} )?\d{1,3})*(?!\d))\.?$"
)
_ENDS = re.compile(r"[.)\]\d/]$|https?://\S+$")


def divide_text(lines: Sequence[str]) -> list[tuple[int, str]]:
    """The references of a text, each with the number of its first line."""
    starts = _numbered(lines) or [at for at, line in enumerate(lines) if KEYED.match(line)]
    if not starts:
        bulleted = [at for at, line in enumerate(lines) if _BULLET.match(line)]
        filled = [at for at, line in enumerate(lines) if line.strip()]
        blank = any(not line.strip() for line in lines[filled[0] : filled[-1]]) if filled else False
        starts = bulleted or [at for at in filled if not blank or at == 0 or not lines[at - 1].strip()]
    return _texts(lines, starts)


def divide_lines(lines: Sequence[Line]) -> list[tuple[int, str]]:
    """The references of a PDF's list, each with the number of its first line."""
    texts = [line.text for line in lines]
    labelled = [_numbered(texts), [at for at, line in enumerate(texts) if KEYED.match(line)]]
    best = max(_by_place(lines), key=lambda starts: _fit(texts, starts))
    sure = max(labelled, key=lambda starts: _fit(texts, starts))
    if sure and _fit(texts, sure) >= _SURE * _fit(texts, best):
        return _without_repeats(_texts(texts, sure))
    divided = _texts(texts, best)
    while divided and not YEARS.search(divided[-1][1]):  # text after the list
        divided.pop()
    return _without_repeats(divided)


def _texts(lines: Sequence[str], starts: Sequence[int]) -> list[tuple[int, str]]:
    stops = [*starts[1:], len(lines)][: len(starts)]
    texts = mend_pages([list(takewhile(str.strip, lines[a:b])) for a, b in zip(starts, stops, strict=True)])
    bare = [_MARKDOWN.sub(r"\2", _LINK.sub(r"\1 \2", _BULLET.sub("", text[:LONGEST]))) for text in texts]
    return [(at + 1, text.replace("\\", "")) for at, text in zip(starts, bare, strict=True) if text]


def _fit(lines: Sequence[str], starts: Sequence[int]) -> int:
    """How many references follow a finished line, less those that do not, and how many can be read. A text that is far
    longer than the others is no reference."""
    starts = starts[:_SAMPLE]
    texts = [text for _, text in _without_repeats(_texts(lines, starts))]
    read = (read_reference("", text).fields for text in texts if len(text) < longest(texts))
    finished = sum(1 if not at or _ENDS.search(lines[at - 1]) else -1 for at in starts)
    return finished + sum(all(fields.get(name) for name in _WHOLE) for fields in read)


def longest(texts: Sequence[str]) -> float:
    """The length from which a text of the list is taken for several references, or for the text after the list."""
    return min(_LONG * median(map(len, texts)), _LONGEST) if texts else 0


def _without_repeats(texts: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Removes the pages that cite the reference from its end, if most references end in such pages."""
    ends = [match for _, text in texts if (match := _CITING.search(text))]
    kinds = Counter((match["words"] or match["said"] or "")[:5] for match in ends)
    if not kinds or kinds.most_common(1)[0][1] <= len(texts) / 2:
        return texts
    return [(at, _CITING.sub("", text).rstrip()) for at, text in texts]


def _numbered(lines: Sequence[str]) -> list[int]:
    """The lines that begin with the numbers 1, 2, 3, …; none if there are fewer than two such lines."""
    numbers = [
        (at, int(m["a"] or m["b"] or m["c"])) for at, line in enumerate(lines) if (m := LABEL.match(line))
    ]
    wanted, found = 1, []
    for at, number in numbers:
        if number == wanted:
            found.append(at)
            wanted += 1
    return found if len(found) > 1 else []


def _by_place(lines: Sequence[Line]) -> Iterator[list[int]]:
    """The lines that begin at the margin if the others are indented, and the lines after a gap. Columns and pages have
    margins and gaps of their own."""
    columns, flush = list(_columns(lines)), list[int]()
    for column in columns:
        left = min(lines[at].left for at in column)
        flush += [at for at in column if lines[at].left - left < 1.5]
    yield flush
    yield list(_after_gaps(lines, columns))


def _columns(lines: Sequence[Line]) -> Iterator[list[int]]:
    """The lines of each column, without the further parts of a line that was read in parts."""
    column: list[int] = []
    for at, line in enumerate(lines):
        before = lines[at - 1] if at else line
        if column and (line.page != before.page or line.base > before.base + line.size + 3):
            yield column
            column = []
        if not column or abs(line.base - before.base) > 3:
            column.append(at)
    if column:
        yield column


def _after_gaps(lines: Sequence[Line], columns: Sequence[Sequence[int]]) -> Iterator[int]:
    gaps = {b: lines[a].base - lines[b].base for column in columns for a, b in pairwise(column)}
    usual = Counter(round(gap) for gap in gaps.values()).most_common(1)[0][0] if gaps else 0
    for column in columns:
        if not column[0] or _ENDS.search(lines[column[0] - 1].text):
            yield column[0]
        yield from (at for at in column[1:] if gaps[at] > usual * 1.15)
