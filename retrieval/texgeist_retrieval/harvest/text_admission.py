"""The gate for full texts: whatever a source says of a paper's sections becomes plain text here.

Nothing in it is believed but its being text: what is of another kind is left out, what is too long is cut, and
the same signs are taken out as of records (`admission`). Line ends inside a sentence mean nothing; a block that is
marked whole keeps its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ..types import Block, Paper, TextSection
from .admission import ABSTRACT_BYTES, clean_line, clean_lines, cut

MOST_SECTIONS, MOST_BLOCKS = 1_000, 20_000
HEADING_BYTES, BLOCK_BYTES, TEXT_BYTES = 300, 60_000, 4 << 20  # of a heading, a block, a paper
WHOLE = ("equation", "table", "code")  # kinds of blocks that are never cut
_PART = re.compile(
    r".{1,4000}(?:\s|$)|\S{1,4000}"
)  # of a paragraph: what is longer is cut, between words if it has any
MADE_ABSTRACT = 1_500  # bytes


def admitted_sections(value: object) -> tuple[TextSection, ...]:
    """Sections as `{"heading", "sentences": [[number, text], …]}`; a sentence may be a bare text, or an object
    with `text`, `page` and `kind`. What has no sentences may have its words in one `text`, or `paragraphs`, as other
    programs write them. Those without a word are left out."""
    found: list[TextSection] = []
    room = TEXT_BYTES
    for section in _items(value, MOST_SECTIONS):
        if not isinstance(section, Mapping):
            continue
        heading = section.get("heading", section.get("title"))
        blocks: list[Block] = []
        for block in _blocks(_sentences(section)):
            room -= len(block.text.encode())
            if room < 0:
                break
            blocks.append(block)
        if blocks:
            told = cut(clean_line(heading), HEADING_BYTES) if isinstance(heading, str) else ""
            found.append(TextSection(told, tuple(blocks)))
    return tuple(found)


def readmitted(sections: Iterable[TextSection]) -> tuple[TextSection, ...]:
    """The same for sections that a source made."""
    said = [
        {
            "heading": section.heading,
            "sentences": [
                {"text": b.text, "page": b.page, "kind": WHOLE[0] if b.whole else ""} for b in section.blocks
            ],
        }
        for section in sections
    ]
    return admitted_sections(said)


def with_abstract(paper: Paper, sections: Iterable[TextSection]) -> Paper:
    """A full paper whose record has no abstract gets that of its text: what stands under that heading, else
    how it begins."""
    if paper.abstract:
        return paper
    known = list(sections)
    named = [one for one in known if one.heading.casefold().strip(" .:").endswith("abstract")]
    words = " ".join(block.text for one in named or known for block in one.blocks)
    return replace(paper, abstract=cut(clean_line(words), ABSTRACT_BYTES if named else MADE_ABSTRACT))


def _sentences(section: Mapping[str, object]) -> object:
    if "sentences" in section:
        return section["sentences"]
    said = section.get("paragraphs", section.get("text"))
    words = [said] if isinstance(said, str) else _items(said, MOST_BLOCKS)
    lines = (line for one in words if isinstance(one, str) for line in one[:TEXT_BYTES].splitlines())
    return [part.strip() for line in lines for part in _PART.findall(line)]


def _blocks(value: object) -> Iterator[Block]:
    for item in _items(value, MOST_BLOCKS):
        page, whole = None, False
        if isinstance(item, Mapping):
            said = item.get("page")
            page = (
                said if isinstance(said, int) and not isinstance(said, bool) and 0 < said < 100_000 else None
            )
            whole = item.get("kind") in WHOLE
            item = item.get("text")
        elif isinstance(item, list | tuple):
            item = item[1] if len(item) > 1 else None
        if isinstance(item, str) and (text := clean_lines(item) if whole else clean_line(item)):
            yield Block(cut(text, BLOCK_BYTES), page, whole)


def _items(value: object, most: int) -> Iterable[object]:
    return value[:most] if isinstance(value, list | tuple) else ()
