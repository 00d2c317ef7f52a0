"""What stands in the draft's related-work section already, and how much room there is for more."""

from __future__ import annotations

from itertools import pairwise

from texgeist_latex.tex.plaintext import plain
from texgeist_latex.types import Draft, Span
from texgeist_latex.writing.blocks import find_blocks

SHARE = 0.13  # of a paper's words that its related-work section has
LEAST, MOST = 250, 800  # words of a section
LEAST_MORE = 150  # words, where a section stands there already
FINISHED = 1500  # words from which on a draft is long enough to have habits


def words_of_section(draft: Draft, written: str) -> int:
    """How long the section may be, by the length of the draft; 0 for a draft that is only begun."""
    blocks = find_blocks(draft.sources.values())
    generated = (plain(draft.sources[b.span.file].text[b.span.start : b.span.end]) for b in blocks)
    own = draft.words - sum(len(text.split()) for text in generated)  # else each update makes the next longer
    if own < FINISHED:
        return 0
    room = min(max(round(SHARE * own), LEAST), MOST)
    return max(room - len(written.split()), LEAST_MORE)


def written_in_section(draft: Draft) -> str:
    """The author's own related-work text, as plain text; what was generated is not theirs."""
    span = _section(draft)
    if span is None:
        return ""
    text = draft.sources[span.file].text
    blocks = [b.span for b in find_blocks(draft.sources.values()) if b.span.file == span.file]
    # a generated section has its heading in its block, which then begins before the span
    cut = ((max(b.start, span.start), min(b.end, span.end)) for b in blocks)
    holes = sorted((low, high) for low, high in cut if low < high)
    edges = [span.start, *(edge for hole in holes for edge in hole), span.end]
    own = [text[low:high] for place, (low, high) in enumerate(pairwise(edges)) if place % 2 == 0]
    return " ".join(plain(" ".join(own)).split())


def _section(draft: Draft) -> Span | None:
    """From the related-work heading to the next of its rank, as far as it stands in one file."""
    heading = draft.related_work
    if heading is None or heading.span.file not in draft.sources:
        return None
    start, file = heading.span.end, heading.span.file
    later = [
        h.span.start
        for h in draft.headings
        if h.span.file == file and h.span.start > start and h.level <= heading.level
    ]
    text = draft.sources[file].text
    stop = min(later, default=len(text))
    marks = (
        text.find(mark, start, stop)
        for mark in (r"\bibliography", r"\printbibliography", r"\appendix", r"\end{document}")
    )
    return Span(file, start, min((at for at in marks if at >= 0), default=stop))
