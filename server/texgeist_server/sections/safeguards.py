"""Checks before a slow search: that the edit discards no text of the author's unasked, and that it can be
made, by planning it with a placeholder paper."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from texgeist_latex.errors import Uncertain
from texgeist_latex.tex.sentences import keys_of, split
from texgeist_latex.types import Draft, EditPlan, SourceFile
from texgeist_latex.writing.blocks import find_blocks, prose_span
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

from ..errors import NothingToCite, SectionEdited
from . import provenance

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
    """Raises SectionEdited if writing the section would lose the author's words: if no record distinguishes
    these words from generated text or, with `anew`, if the section was edited at all."""
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
    return None if was == now else "\n".join(_changes(was, now))


def own_words(draft: Draft, section: str) -> str | None:
    """The sentences of the section that texgeist did not write, a line each; all sentences if the original is
    not recorded. Returns None if there are none."""
    if (found := _was_and_is(draft, section)) is None:
        return None
    was, now = found
    return "\n".join(f"+{sentence}" for sentence in now if sentence not in (was or ())) or None


def _was_and_is(draft: Draft, section: str) -> tuple[list[str] | None, list[str]] | None:
    """The section's sentences as they were written (None if not recorded) and as they are now. Returns None
    if the section is not in the document."""
    from texgeist_latex.writing.blocks import prose_of

    block = next((block for block in find_blocks(draft.sources.values()) if block.id == section), None)
    if block is None:
        return None
    text = draft.sources[block.span.file].text
    before = provenance.before(draft, section)
    known = before is not None and find_blocks([SourceFile(Path(), before.written)])
    was = _sentences(prose_of(before.written)) if before is not None and known else None
    return was, _sentences(text[slice(*prose_span(text, block))])


def _sentences(prose: str) -> list[str]:
    return [piece.normal for piece in split(prose) if piece.text]


def _changes(was: list[str], now: list[str]) -> list[str]:
    compared = difflib.unified_diff(was, now, "as texgeist wrote it", "as it is", n=0, lineterm="")
    return [line for line in compared if not line.startswith("@@")]


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
