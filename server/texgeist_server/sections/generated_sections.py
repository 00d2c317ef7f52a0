"""Generated sections in the draft: their kind, which decides what may replace them, and whether the draft has
changed since they were written, which is reported and never corrected unasked."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from texgeist_latex.errors import NoPlace
from texgeist_latex.types import Draft, Problem, Span
from texgeist_latex.writing.blocks import GeneratedBlock, begin, find_blocks

from ..errors import EditRefused
from . import provenance
from .provenance_changes import restored
from .queries import section_span
from .section_briefs import DraftSection, section_at

if TYPE_CHECKING:
    from .edit_requests import Where
    from .provenance_model import Provenance, SectionRecord


BlockKind = Literal["related work", "section", "answer"]
_BY_QUERY: dict[str, BlockKind] = {
    "abstract": "related work",
    "draft": "related work",
    "section": "section",
    "question": "answer",
}
_ANSWER = re.compile(r"answer-\d+")  # the ids that texgeist assigns, for sections without a record
_SECTION = re.compile(r"(?:abstract|introduction|methods|results|discussion|conclusion|section)(?:-\d+)?")


def block_kind(data: Provenance, section: str) -> BlockKind:
    """The kind of a generated section: from the project's provenance or, without a record, from the form of
    its id."""
    record = restored(data, [section]).sections.get(section)
    if record is not None and (kind := _BY_QUERY.get(record.query)) is not None:
        return kind
    if _ANSWER.fullmatch(section):
        return "answer"
    return "section" if _SECTION.fullmatch(section) else "related work"


def check_kind(root: Path, section: str, *, review: bool = False) -> BlockKind:
    """Returns the kind of the block. Raises EditRefused if it cannot be written again or, with `review`, if
    it is not related work."""
    kind = block_kind(provenance.read(root), section)
    if kind == "answer":
        raise EditRefused(
            "This is the answer to a question, which cannot be written again, so it was left as it is.",
            "Remove it, select the question, and ask it again.",
        )
    if review and kind == "section":
        raise EditRefused(
            "There is no review of papers for this section, so it was left as it is.",
            "Update it, or draft it at its heading.",
        )
    return kind


def around_block(section: str) -> Where:
    """Returns a function that finds the section of the draft that contains this generated block."""

    def find(draft: Draft) -> DraftSection:
        span = section_span(draft, section)
        if span is None:
            raise NoPlace("The generated section is not there any more.", "Draft it at its heading.")
        return section_at(draft, span.file, span.start).named(section)

    return find


FAR = 0.1  # share of changed words in the abstract: about one sentence in ten; a corrected comma is less
_WORD = re.compile(r"\w+")


def check_sections(draft: Draft) -> list[Problem]:
    """Reports sections that were written for an earlier abstract (`drift`), each at the line where the section
    begins. An answer belongs to its question, not to the abstract."""
    blocks = find_blocks(draft.sources.values())
    if not blocks:
        return []
    data = restored(provenance.read(draft.root), [block.id for block in blocks])
    return [
        problem
        for block in blocks
        if (record := data.sections.get(block.id)) and block_kind(data, block.id) != "answer"
        if (problem := _drift(block, record, draft.abstract))
    ]


def _drift(block: GeneratedBlock, record: SectionRecord, abstract: str) -> Problem | None:
    share = changed(record.abstract, abstract)
    if share < FAR:
        return None
    written = f" on {record.date}" if record.date else ""
    message = (
        f"The abstract has changed since this section was written{written}: {share:.0%} of its words "
        "differ. “Update” writes it again for the current abstract and keeps your edits."
    )
    start = block.span.start
    return Problem("drift", message, Span(block.span.file, start, start + len(begin(block.id))))


def changed(before: str, now: str) -> float:
    """The share of the words that differ, from 0 to 1; 0 if either text is empty."""
    old, new = (Counter(_WORD.findall(text.lower())) for text in (before, now))
    if not old or not new:
        return 0.0
    return 1 - 2 * (old & new).total() / (old.total() + new.total())
