"""The texts of a draft's sections: the author's own and the generated, and the length that a new section may have."""

from __future__ import annotations

from itertools import pairwise

from texgeist_latex.types import Draft, Span
from texgeist_latex.writing.blocks import find_blocks

from ..plain_text import plain

SHARE = 0.13  # a related-work section's usual share of a paper's words
LEAST, MOST = 250, 800  # words of a section
LEAST_MORE = 150  # words to add if the section already has text
FINISHED = 1500  # words; the length of a shorter draft says nothing about its section


def words_of_section(draft: Draft, written: str) -> int:
    """The maximal number of words to add to the section. It depends on the length of the draft, and is 0 if the
    draft has fewer than `FINISHED` words. `written`: the author's text that is already in the section."""
    blocks = find_blocks(draft.sources.values())
    generated = (plain(draft.sources[b.span.file].text[b.span.start : b.span.end]) for b in blocks)
    # Generated text does not count; else each update would allow a longer section.
    own = draft.words - sum(len(text.split()) for text in generated)
    if own < FINISHED:
        return 0
    room = min(max(round(SHARE * own), LEAST), MOST)
    return max(room - len(written.split()), LEAST_MORE)


def written_in_section(draft: Draft) -> str:
    """The author's own related-work text as plain text, without generated sections."""
    span = related_work_span(draft)
    if span is None:
        return ""
    return own_text(draft, span)


def own_text(draft: Draft, span: Span) -> str:
    """The plain text of the span without generated sections."""
    text = draft.sources[span.file].text
    blocks = [b.span for b in find_blocks([draft.sources[span.file]])]
    # a generated section may include its heading, and then begins before the span
    cut = ((max(b.start, span.start), min(b.end, span.end)) for b in blocks)
    holes = sorted((low, high) for low, high in cut if low < high)
    edges = [span.start, *(edge for hole in holes for edge in hole), span.end]
    own = [text[low:high] for place, (low, high) in enumerate(pairwise(edges)) if place % 2 == 0]
    return plain(" ".join(own))


def related_work_span(draft: Draft) -> Span | None:
    """The span from the related-work heading to the next heading of its level, within the same file; None if
    there is no such heading."""
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


def section_span(draft: Draft, section: str) -> Span | None:
    """The span of the generated section with this id, or None."""
    found = (block for block in find_blocks(draft.sources.values()) if block.id == section)
    return next((block.span for block in found), None)


def is_within(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end
