"""Running text in sentences, and windows of them: the size in which a passage supports a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence

_ABBREVIATION = re.compile(
    r"(?:\b(?:e\.g|i\.e|cf|etc|vs|al|resp|approx|Fig|Figs|Eq|Eqs|Sec|Tab|Ref|Refs|No|Dr|Prof|St)|\b[A-Z])\.$"
)
_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])")


def split_sentences(text: str) -> list[str]:
    """Sentences of one text; "et al.", "e.g." and initials do not end one."""
    joined = " ".join(text.split())
    sentences, start = [], 0
    for match in _END.finditer(joined):
        head = joined[start : match.end()].rstrip()
        if _ABBREVIATION.search(head):
            continue
        sentences.append(head)
        start = match.end()
    return [*sentences, joined[start:]] if joined[start:] else sentences


def windows(sentences: Sequence[str], size: int = 2, longest: int = 600) -> list[str]:
    """Every run of `size` neighbouring sentences, in order, cut at `longest` characters."""
    if len(sentences) <= size:
        return [" ".join(sentences)[:longest]] if sentences else []
    return [" ".join(sentences[i : i + size])[:longest] for i in range(len(sentences) - size + 1)]
