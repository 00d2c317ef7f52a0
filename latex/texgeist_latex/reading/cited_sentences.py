"""The sentences of a draft that cite something, each with what it cites."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..tex.plaintext import plain
from ..tex.sentences import split
from ..types import Citation, Draft, Span

MOST = 500  # sentences of a draft
LONGEST = 2000  # code points on either side of a citation
_PARAGRAPH = re.compile(
    r"\n[ \t]*\r?\n|\\(?:begin|end|item|label|paragraph|(?:sub)*section|chapter|caption|par)(?![A-Za-z])"
    r"(?:\s*\*)?(?:\s*\[[^\]\n]*\])?(?:\s*\{[^{}\n]*\})?|^[ \t]*%[^\n]*$",
    re.M,
)


@dataclass(frozen=True, slots=True)
class CitedSentence:
    """`text` is what people read, `keys` what it cites, in its order."""

    text: str
    keys: tuple[str, ...]
    span: Span
    line: int


def cited_sentences(draft: Draft) -> list[CitedSentence]:
    """In the order of the draft, each once, however much it cites."""
    found: dict[Span, list[Citation]] = {}
    for citation in draft.citations:
        source = draft.sources.get(citation.command_span.file)
        if source is None or "nocite" in citation.command:
            continue
        span = sentence_around(source.text, citation.command_span)
        if span in found or len(found) < MOST:
            found.setdefault(span, []).append(citation)
    return list(_read(draft, found))


def _read(draft: Draft, found: dict[Span, list[Citation]]) -> Iterator[CitedSentence]:
    for span, citations in found.items():
        latex = draft.sources[span.file].text[span.start : span.end]
        text = " ".join(plain(latex).split())
        if len(text.split()) > 3:  # "See [3]." claims nothing
            keys = tuple(dict.fromkeys(citation.key for citation in citations))
            yield CitedSentence(text, keys, span, citations[0].line)


def sentence_around(text: str, citation: Span) -> Span:
    """From the end of the sentence before to its own, within the paragraph."""
    low, high = max(0, citation.start - LONGEST), min(len(text), citation.end + LONGEST)
    for match in _PARAGRAPH.finditer(text, low, citation.start):
        low = match.end()
    if after := _PARAGRAPH.search(text, citation.end, high):
        high = after.start()
    at, begin = low, -1
    for piece in split(text[low:high]):
        end = at + len(piece.text)
        if begin < 0 and piece.text and (citation.start < end or citation.start == citation.end == end):
            begin = at
        if begin >= 0 and citation.end <= end:
            return Span(citation.file, begin, end)
        at = end + len(piece.gap)
    return Span(citation.file, begin if begin >= 0 else at, at)


def sentence_of(text: str, lines: Span) -> Span:
    """The sentence that the lines hold most of; for an empty span the one that it stands in."""
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
