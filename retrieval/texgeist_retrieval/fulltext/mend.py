"""Converts printed lines to running text: resolves ligatures and hyphens, and removes running heads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

_LIGATURES = str.maketrans(
    dict(zip("ﬀﬁﬂﬃﬄﬅﬆ", ("ff", "fi", "fl", "ffi", "ffl", "ft", "st"), strict=True))
    | {"\u00ad": "", "\u00a0": " "}  # soft hyphen, no-break space
)
_BREAK = "\u0002"  # PDFium's mark for a hyphen at the end of a line
_STAMP = re.compile(r"^\s*arXiv:\S+v\d+\s+\[[\w.\-]+\]\s+\d{1,2} \w{3} \d{4}\s*$")
_HYPHENATED = re.compile(
    r"(?<!\w)(\w+)-\n(\w+)((?:-\w+)*)"
)  # `(?<!\w)`: else a very long word would be scanned from each letter
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
EDGE = 2  # lines at the top and the bottom of a page that may be running heads
SHORTEST = 4 * EDGE  # a page with fewer lines has no running heads


def plain_lines(pages: Sequence[str]) -> list[list[str]]:
    """The lines of each page, with ligatures resolved, and without running heads, page numbers and stamps."""
    split = [_lines(page) for page in pages]
    repeated = _running_heads(split)
    return [_without_heads(lines, repeated) for lines in split]


def _lines(page: str) -> list[str]:
    text = page.translate(_LIGATURES).replace("\ufffe", _BREAK).replace("\r\n", "\n").replace("\r", "\n")
    text = text.replace(f"{_BREAK}\n", "-\n").replace(_BREAK, "-\n")
    cleaned = (_CONTROL.sub("", line).strip() for line in text.split("\n"))
    return [line for line in cleaned if line and not _STAMP.match(line)]


def _masked(line: str) -> str:
    return re.sub(r"\d+", "#", line.casefold())


def _running_heads(pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """The lines that occur at the top or bottom of at least three pages, with digits masked."""
    edges = ([*lines[:EDGE], *lines[-EDGE:]] for lines in pages if len(lines) >= SHORTEST)
    seen = Counter(mask for lines in edges for mask in {_masked(line) for line in lines})
    return frozenset(mask for mask, count in seen.items() if count >= 3 and mask)


def _without_heads(lines: Sequence[str], repeated: frozenset[str]) -> list[str]:
    last = len(lines) - EDGE
    if len(lines) < SHORTEST:
        return list(lines)
    return [
        line for i, line in enumerate(lines) if not ((i < EDGE or i >= last) and _masked(line) in repeated)
    ]


def mend_pages(pages: Sequence[Sequence[str]]) -> list[str]:
    """Returns running text for each page, and joins words that were divided at line ends.

    Whether the hyphen belongs to the word is decided by the spelling elsewhere in the paper. If the word does
    not occur elsewhere, the hyphen is removed before a lower-case letter."""
    texts = ["\n".join(lines) for lines in pages]
    words = Counter(re.findall(r"\w+(?:-\w+)*", " ".join(texts).casefold()))
    return [" ".join(_HYPHENATED.sub(lambda m: _joined(m, words), text).split()) for text in texts]


def _joined(match: re.Match[str], words: Counter[str]) -> str:
    first, second, rest = match[1], match[2], match[3]
    whole, compound = words[(first + second).casefold()], words[f"{first}-{second}{rest}".casefold()]
    in_between = bool(rest) and len(second) <= 3  # state-of-the-art
    if whole <= compound and (compound or in_between or not second[0].islower()):
        return f"{first}-{second}{rest}"
    return first + second + rest
