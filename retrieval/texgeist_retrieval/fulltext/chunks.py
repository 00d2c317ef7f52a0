"""Splits full texts into passages of 300 to 500 tokens that overlap by about 100 (as in PaperQA2).

No passage crosses the border of a section, no sentence is cut if it fits into a passage, and units (an
equation, a table, code) are not split, even if a passage becomes longer than 500 tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate

from ..text.sentences import split_sentences
from ..types import Block, Passage, SectionType, TextSection
from .sections import section_types

LONGEST, OVERLAP, USUAL = 500, 100, 400  # tokens
CHUNKING = "2"  # changed whenever these rules change, so that older indexes are updated
MOST_BYTES = 60_000  # of a passage; a VARCHAR of Milvus has at most 65,535
_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_+")
_LETTERS = 7  # letters of a word for each token; measured on papers with BERT's vocabulary


def chunks_of(paper_id: str, sections: Sequence[TextSection]) -> list[Passage]:
    """The passages of a paper in order. `Passage.place` counts from 1."""
    kinds = section_types([section.heading for section in sections])
    found: list[Passage] = []
    for section, kind in zip(sections, kinds, strict=True):
        for blocks in _windows(_pieces(section.blocks)):
            found.append(_passage(paper_id, blocks, kind, section.heading, len(found) + 1))
    return found


def tokens_in(text: str) -> int:
    """Approximate number of tokens of a language model."""
    return sum(1 + (len(piece) - 1) // _LETTERS for piece in _TOKEN.findall(text))


def _passage(paper: str, blocks: Sequence[Block], kind: SectionType, heading: str, place: int) -> Passage:
    text = " ".join(f"\n{block.text}\n" if block.whole else block.text for block in blocks)
    page = next((block.page for block in blocks if block.page is not None), None)
    return Passage(
        paper, page, re.sub(r" ?\n ?\n? ?", "\n", text).strip(), section=kind, heading=heading, place=place
    )


def _pieces(blocks: Sequence[Block]) -> list[tuple[Block, int]]:
    """The blocks with their numbers of tokens. Text longer than a passage is divided; units are divided only
    if they are longer than `MOST_BYTES`."""
    found: list[tuple[Block, int]] = []
    for block in blocks:
        size = tokens_in(block.text)
        if (size > LONGEST and not block.whole) or len(block.text.encode()) > MOST_BYTES:
            found += [(Block(part, block.page), tokens_in(part)) for part in _divided(block.text, size)]
        elif size:
            found.append((block, size))
    return found


def _divided(text: str, size: int) -> Iterator[str]:
    """Divides at sentences if possible, else at words."""
    sentences = split_sentences(text)
    if len(sentences) > 1 and all(tokens_in(sentence) <= LONGEST for sentence in sentences):
        yield from sentences
        return
    words = text.split()
    if len(words) < 2:  # a text without spaces
        yield from (text[at : at + LONGEST * 4] for at in range(0, len(text), LONGEST * 4))
        return
    step = max(1, len(words) * OVERLAP // size)
    yield from (" ".join(words[at : at + step]) for at in range(0, len(words), step))


def _windows(pieces: Sequence[tuple[Block, int]]) -> Iterator[list[Block]]:
    """Windows of equal size, about USUAL tokens, each starting OVERLAP tokens before the end of the previous
    window; a single window if all pieces together have at most LONGEST tokens. A piece belongs to the windows
    that contain its middle; a large piece is in only one window."""
    total = sum(size for _, size in pieces)
    if not total:
        return
    count = 1 if total <= LONGEST else max(2, round((total - OVERLAP) / (USUAL - OVERLAP)))
    width = (total + OVERLAP * (count - 1)) / count
    starts = [
        end - size for (_, size), end in zip(pieces, accumulate(size for _, size in pieces), strict=True)
    ]
    middles = [start + size / 2 for start, (_, size) in zip(starts, pieces, strict=True)]
    placed = -1  # index of the last piece that is in a window
    for number in range(count):
        begin = number * (width - OVERLAP)
        inside = [n for n, middle in enumerate(middles) if begin <= middle < begin + width or (
            number == count - 1 and middle >= begin)]  # fmt: skip
        gap = max((n for n in inside if n <= placed and pieces[n][1] > OVERLAP), default=-1)
        inside = [n for n in inside if n > gap]
        if inside and inside[-1] > placed:
            placed = inside[-1]
            yield [pieces[n][0] for n in inside]
