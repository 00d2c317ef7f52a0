"""For what a generated block was written, which decides what it may be replaced by: related work in place of a
drafted introduction would be an accident."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from texgeist_latex.errors import NoPlace
from texgeist_latex.types import Draft

from ..errors import EditRefused
from . import provenance
from .provenance_model import Provenance
from .provenance_records import restored
from .queries import section_span
from .section_briefs import DraftSection, section_at

if TYPE_CHECKING:
    from .edit_requests import Where

BlockKind = Literal["related work", "section", "answer"]
_BY_QUERY: dict[str, BlockKind] = {
    "abstract": "related work",
    "draft": "related work",
    "section": "section",
    "question": "answer",
}
_ANSWER = re.compile(r"answer-\d+")  # where nothing is on record, the names tell that texgeist gives
_SECTION = re.compile(r"(?:abstract|introduction|methods|results|discussion|conclusion|section)(?:-\d+)?")


def block_kind(data: Provenance, section: str) -> BlockKind:
    """By the project's provenance."""
    record = restored(data, [section]).sections.get(section)
    if record is not None and (kind := _BY_QUERY.get(record.query)) is not None:
        return kind
    if _ANSWER.fullmatch(section):
        return "answer"
    return "section" if _SECTION.fullmatch(section) else "related work"


def check_kind(root: Path, section: str, *, review: bool = False) -> BlockKind:
    """Raises EditRefused where the block cannot be written again; for `review`, where it is no related work."""
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
    """Finds the section of the draft in which this generated block stands."""

    def find(draft: Draft) -> DraftSection:
        span = section_span(draft, section)
        if span is None:
            raise NoPlace("The generated section is not there any more.", "Draft it at its heading.")
        return section_at(draft, span.file, span.start).named(section)

    return find
