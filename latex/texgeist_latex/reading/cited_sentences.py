"""The sentences of a draft that contain citations, with their keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..tex.markdown import is_markdown, plain_markdown, prose_of
from ..tex.plaintext import plain
from ..tex.scan import without_comments
from ..tex.sentences import Piece, split
from ..types import Citation, Draft, Span

MOST = 500  # sentences in a draft
REACH = 2_000, 10_000  # code points around a citation: for a usual and for a very long paragraph
_PARAGRAPH = re.compile(
    r"\n[ \t]*\r?\n|\\(?:begin|end|item|label|paragraph|(?:sub)*section|chapter|caption|par)(?![A-Za-z])"
    r"(?:\s*\*)?(?:\s*\[[^\]\n]*\])?(?:\s*\{[^{}\n]*\})?|^[ \t]*%[^\n]*$",
    re.M,
)

_CELL_END = re.compile(r"\\(?:url|path|nolinkurl|href)\s*\{[^{}]*\}|\\.|(&)", re.S)


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """A sentence with citations. `text`: the plain text; `keys`: the citation keys, in order."""

    text: str
    keys: tuple[str, ...]
    span: Span
    line: int


def cited_sentences(draft: Draft) -> list[CitedSentence]:
    """The sentences with citations, in the order of the draft, without repetition. Rows of tables are left out."""
    found: dict[Span, list[Citation]] = {}
    span = Span(draft.root, 0, 0)
    for citation in draft.citations:
        source, at = draft.sources.get(citation.command_span.file), citation.command_span
        if source is None or "nocite" in citation.command:
            continue
        if not (span.file == at.file and span.start <= at.start and at.end <= span.end):
            if len(found) == MOST:
                continue
            span = sentence_around(prose_of(source), at)
        found.setdefault(span, []).append(citation)
    return list(_read(draft, found))


def _read(draft: Draft, found: dict[Span, list[Citation]]) -> Iterator[CitedSentence]:
    for span, citations in found.items():
        latex = draft.sources[span.file].text[span.start : span.end]
        markdown = is_markdown(span.file)
        text = " ".join((plain_markdown(latex) if markdown else plain(latex)).split())
        in_table = not markdown and any(m[1] for m in _CELL_END.finditer(without_comments(latex)))
        if len(text.split()) > 3 and not in_table:  # "See [3]." claims nothing
            keys = tuple(dict.fromkeys(citation.key for citation in citations))
            yield CitedSentence(text, keys, span, citations[0].line)


def sentence_around(text: str, citation: Span) -> Span:
    """The span of the sentence around the citation, within its paragraph."""
    low, high = _paragraph_around(text, citation)
    at, begin = low, -1
    for piece in _pieces(text[low:high]):
        end = at + len(piece.text)
        if begin < 0 and piece.text and (citation.start < end or citation.start == citation.end == end):
            begin = at
        if begin >= 0 and citation.end <= end:
            return Span(citation.file, begin, end)
        at = end + len(piece.gap)
    return Span(citation.file, begin if begin >= 0 else at, at)


def _paragraph_around(text: str, citation: Span) -> tuple[int, int]:
    """Start and end of the paragraph around the citation. A smaller part could start inside a formula, and
    the end of this formula would be taken for the start of another."""
    low, high = 0, len(text)
    for reach in REACH:
        low, high = max(0, citation.start - reach), min(len(text), citation.end + reach)
        begins = [match.end() for match in _PARAGRAPH.finditer(text, low, citation.start)]
        after = _PARAGRAPH.search(text, citation.end, high)
        whole = bool(begins or not low) and bool(after or high == len(text))
        low, high = begins[-1] if begins else low, after.start() if after else high
        if whole:
            break
    return low, high


@lru_cache(maxsize=16)
def _pieces(text: str) -> tuple[Piece, ...]:
    """The pieces of a paragraph; cached, because a paragraph may contain many citations."""
    return tuple(split(text))


def sentence_of(text: str, lines: Span) -> Span:
    """The sentence that overlaps most with the lines; for an empty span, the sentence around it."""
    best, at = sentence_around(text, Span(lines.file, lines.start, lines.start)), lines.start
    if lines.start >= lines.end:
        return best
    most = -1
    while at < lines.end:
        if text[at].isspace():
            at += 1
            continue
        span = sentence_around(text, Span(lines.file, at, at + 1))
        held = min(span.end, lines.end) - max(span.start, lines.start)
        if held > most and span.end > span.start:
            best, most = span, held
        at = max(at + 1, span.end)
    return best
