"""Checks before a slow search: that the edit discards no text of the author's unasked, and that it can be
made, by planning it with a placeholder paper. Also here: the kinds of generated sections, which decide what
may replace them; and outdated sections, which are reported but never corrected unasked."""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from texgeist_latex.errors import NoPlace, Uncertain
from texgeist_latex.tex.sentences import keys_of, split
from texgeist_latex.types import Draft, EditPlan, Problem, SourceFile, Span
from texgeist_latex.writing.blocks import GeneratedBlock, begin, find_blocks, prose_span
from texgeist_retrieval.types import (
    Candidate,
    Evidence,
    Paper,
    Passage,
    Query,
    QueryPart,
    Result,
    Section,
    Selected,
    Sentence,
)

from ..errors import EditRefused, NothingToCite, SectionEdited
from . import provenance
from .section_briefs import DraftSection, Where, section_at
from .section_texts import section_span

if TYPE_CHECKING:
    from .provenance_model import Provenance, SectionRecord

_SHOWN = 12  # sentences of a difference in a message


def check_certain(draft: Draft) -> None:
    """Raises Uncertain if the draft may be the wrong document. Then its text must not be sent, and no file of
    it may be changed."""
    if draft.doubt:
        raise Uncertain(
            draft.doubt,
            "Open (or name) the document itself, or put “% !TEX root = …” with its name into the file's first "
            "line.",
        )


def check_replaceable(draft: Draft, section: str, *, anew: bool) -> None:
    """Raises SectionEdited if writing the section would lose the author's words: if no record separates them
    from generated text or, with `anew`, if the section was edited at all."""
    if (difference := discarded(draft, section)) is None:
        return
    if not difference:
        raise SectionEdited(
            f"There is no record of how texgeist wrote the section {section}. It may contain your own words, so "
            "it was kept.",
            "",
        )
    if anew:
        raise SectionEdited(
            f"The section {section} was edited since texgeist wrote it, so it was kept.", difference
        )


def check_cites(plan: EditPlan) -> None:
    """Raises NothingToCite if the plan's text neither cites papers nor is based on the author's own words."""
    if not plan.keys and not plan.founded and not keys_of(plan.written):
        raise NothingToCite


def first_lines(difference: str) -> str:
    """The first lines of a difference."""
    lines = difference.splitlines()
    more = f"\n… and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return "\n".join(lines[:_SHOWN]) + more


def discarded(draft: Draft, section: str) -> str | None:
    """The edits that would be lost if the section were written anew, as a diff by sentence. Returns "" if the
    original text is not recorded; None if there are no edits or there is no such section. Line breaks are
    ignored."""
    if (found := _was_and_is(draft, section)) is None:
        return None
    was, now = found
    if was is None:
        return ""
    compared = difflib.unified_diff(was, now, "as texgeist wrote it", "as it is", n=0, lineterm="")
    return "\n".join(line for line in compared if not line.startswith("@@")) or None


def own_words(draft: Draft, section: str) -> str | None:
    """The sentences of the section that texgeist did not write, a line each; all sentences if the original is
    not recorded. Returns None if there are none."""
    if (found := _was_and_is(draft, section)) is None:
        return None
    was, now = found
    return "\n".join(f"+{sentence}" for sentence in now if sentence not in (was or ())) or None


def _was_and_is(draft: Draft, section: str) -> tuple[list[str] | None, list[str]] | None:
    """The section's sentences as generated (None if not recorded) and as they are now. Returns None if the
    section is not in the document."""
    from texgeist_latex.writing.blocks import prose_of

    block = next((block for block in find_blocks(draft.sources.values()) if block.id == section), None)
    if block is None:
        return None
    text = draft.sources[block.span.file].text
    before = provenance.before(draft, section)
    known = before is not None and find_blocks([SourceFile(Path(), before.text)])
    was = _sentences(prose_of(before.text)) if before is not None and known else None
    return was, _sentences(text[slice(*prose_span(text, block))])


def _sentences(prose: str) -> list[str]:
    return [piece.normal for piece in split(prose) if piece.text]


# who writes the edit: the editor in its buffers, texgeist ("us") in files, or "nobody" (only a preview)
Writes = Literal["editor", "us", "nobody"]

_PAPER = Paper(
    "doi:10.5555/stand-in",
    "A Stand-In for Papers Not Yet Found",
    "",
    ("Stand-In, A.",),
    2000,
    venue="A Journal",
)
_EVIDENCE = Evidence("1", Passage(_PAPER.id, None, "Words."), 0.0)
_STAND_IN = Result(
    query=Query("abstract", (QueryPart("", ""),)),
    section=Section("Related Work", ((Sentence("Words.", ("1",)),),)),
    selected=(Selected(Candidate(_PAPER, 0.0, 1), (_EVIDENCE,), 0.0),),
)


def rehearse(draft: Draft, plan: Callable[[Result], EditPlan], written_by: Writes) -> None:
    """Checks before the slow work that the edit will be possible: plans it for a result that cites a placeholder
    paper, because only planning shows whether the draft has a place for the edit. Raises the `LatexError`s of planning (also
    Uncertain, OutOfBounds); Unwritable if files or buffers are to be written."""
    from texgeist_latex.writing.apply import check_bounds, check_writable

    check_certain(draft)
    planned = plan(_STAND_IN)
    check_bounds(planned, draft.gate)
    if written_by != "nobody":
        provenance.check(draft.root)
        check_writable(planned, replaced=written_by == "us")


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
    record = data.sections.get(section)
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
        return replace(section_at(draft, span.file, span.start), id=section)

    return find


FAR = 0.1  # share of changed words in the abstract: about one sentence in ten; a corrected comma is less
_WORD = re.compile(r"\w+")


def check_sections(draft: Draft) -> list[Problem]:
    """Reports sections that were written for an earlier abstract (`drift`), each at the line where the section
    begins. An answer belongs to its question, not to the abstract."""
    blocks = find_blocks(draft.sources.values())
    if not blocks:
        return []
    data = provenance.read(draft.root)
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
