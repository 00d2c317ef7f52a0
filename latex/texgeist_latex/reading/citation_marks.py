"""The marks by which authors note that a citation is missing: `(CITE)`, `[cite Smith]`, `[citation needed]`,
`\\todo{cite}`, `\\cite{}` and `\\cite{?}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ..tex.markdown import prose_of, scan_of
from ..types import Draft, SourceFile, Span
from .cited_sentences import sentence_around

_MARK = re.compile(
    r"[ \t~]*(?:(?:\\todo\s*(?:\[[^\]]*\]\s*)?\{|[(\[])\s*(?i:cit(?:e|a|ation))\b[^()\[\]{}]{0,80}[)\]}]"
    r"|(?P<command>\\\w*[cC]ite\w*\*?\s*(?:\[[^\]]*\]\s*)*\{)(?P<keys>[\s?]*)\})"
)
_WORDS = 2  # of a claim


@dataclass(frozen=True, slots=True)
class CitationMark:
    """`span`: what a citation replaces: the mark and the space before it, or the keys in its braces; `claim`: the
    sentence up to the end of the mark."""

    span: Span
    claim: Span
    line: int


def citation_marks(draft: Draft) -> list[CitationMark]:
    """The marks of the draft, in order."""
    return [mark for source in draft.texts for mark in marks_in(source)]


def marks_in(source: SourceFile) -> Iterator[CitationMark]:
    scanned, text, path = scan_of(source.path, source.text), prose_of(source), source.path
    commands = {item.start for item in scanned.items if item.kind == "cite"}  # without those in \verb
    for match in _MARK.finditer(text, 0, scanned.stop):
        is_command, (low, high) = match["command"] is not None, match.span()
        if any(start <= low < end for start, end in scanned.dead):
            continue
        if is_command and match.start("command") not in commands:
            continue
        start = min(sentence_around(text, Span(path, low, high)).start, low)
        if not text[start:low].strip():  # the mark stands after the full stop
            last = len(text[:low].rstrip()) - 1
            start = sentence_around(text, Span(path, last, last)).start if last > 0 else low
        if len(without_marks(text[start:low]).split()) < _WORDS:
            continue
        replaced = match.span("keys") if is_command else match.span()
        line = scanned.line(high - 1)
        yield CitationMark(Span(path, *replaced), Span(path, start, high), line)


def mark_for(source: SourceFile, start: int, end: int) -> CitationMark | None:
    """The mark at the end of `text[start:end]`, else the first in it; None if there is none."""
    marks = [mark for mark in marks_in(source) if start <= mark.span.start and mark.claim.end <= end]
    return next((mark for mark in marks if mark.claim.end == end), marks[0] if marks else None)


def without_marks(latex: str) -> str:
    """The text without its marks."""
    return _MARK.sub("", latex)
