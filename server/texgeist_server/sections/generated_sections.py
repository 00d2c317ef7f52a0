"""Generated sections in the draft: their kind, which decides what may replace them, and whether the draft or
the index has changed since they were written, which is reported and never corrected unasked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
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
    from ..config.settings import Settings
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
_NAMED = 3  # titles in a message
_WORD = re.compile(r"\w+")
# Given an index name and paper ids, returns the ids that the index holds, or None if it must not be queried.
AskIndex = Callable[[str, Sequence[str]], Collection[str] | None]


def check_sections(draft: Draft, held: AskIndex | None = None) -> list[Problem]:
    """Reports sections that were written for an earlier abstract (`drift`) and sections whose papers were
    removed from the index (`evidence-gone`), each at the line where the section begins."""
    blocks = find_blocks(draft.sources.values())
    if not blocks:
        return []
    data = restored(provenance.read(draft.root), [block.id for block in blocks])
    found = []
    for block in blocks:
        if (record := data.sections.get(block.id)) is not None:
            again = (
                block_kind(data, block.id) != "answer"
            )  # an answer belongs to its question, not to the abstract
            told = [_drift(record, draft.abstract) if again else None, _gone(data, block.id, record, held)]
            found += [_problem(block, *one) for one in told if one]
    return found


def _problem(block: GeneratedBlock, code: str, message: str) -> Problem:
    start = block.span.start
    return Problem(code, message, Span(block.span.file, start, start + len(begin(block.id))))


def _drift(record: SectionRecord, abstract: str) -> tuple[str, str] | None:
    share = changed(record.abstract, abstract)
    if share < FAR:
        return None
    written = f" on {record.date}" if record.date else ""
    return "drift", (
        f"The abstract has changed since this section was written{written}: {share:.0%} of its words "
        "differ. “Update” writes it again for the current abstract and keeps your edits."
    )


def changed(before: str, now: str) -> float:
    """The share of the words that differ, from 0 to 1; 0 if either text is empty."""
    old, new = (Counter(_WORD.findall(text.lower())) for text in (before, now))
    if not old or not new:
        return 0.0
    return 1 - 2 * (old & new).total() / (old.total() + new.total())


def _gone(
    data: Provenance, section: str, record: SectionRecord, held: AskIndex | None
) -> tuple[str, str] | None:
    if held is None:
        return None
    papers = {
        why.paper.id: why.paper.title
        for why in data.citations.values()
        if why.section == section and why.paper.id and not why.reasons.discovered
    }
    there = held(record.index, sorted(papers)) if papers else None
    if there is None:
        return None
    gone = [f"“{title or id}”" for id, title in papers.items() if id not in there]
    if not gone:
        return None
    what = "a paper" if len(gone) == 1 else f"{len(gone)} papers"
    more = f" and {len(gone) - _NAMED} more" if len(gone) > _NAMED else ""
    return "evidence-gone", (
        f"The index no longer holds {what} that this section cites: {', '.join(gone[:_NAMED])}{more}."
    )


def held_by_index(settings: Settings) -> AskIndex:
    """Returns a function that asks the index which papers it holds. It asks only the configured index, and
    only if this index is on this machine, because it sends paper ids."""

    def held(index: str, ids: Sequence[str]) -> Collection[str] | None:
        from texgeist_retrieval.errors import RetrievalError

        from ..config.credentials import Keys
        from ..index_places import index_place, open_as_it_is
        from .runs import named

        place = index_place(settings, Keys())
        if not place.on_this_disk or named(place.location) != index:
            return None
        try:
            opened = open_as_it_is(settings, place)
        except RetrievalError:
            return None
        try:
            return opened.get(ids).keys()
        except RetrievalError:
            return None
        finally:
            opened.close()

    return held
