"""What is checked before any search, for editor and command line: that no words of the author's are touched unasked, and
that the edit can be made at all, planned with a stand-in for papers not yet found."""

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
    Paragraph,
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

UNSAVED = Path("/untitled")


def is_unsaved(path: Path) -> bool:
    """Whether this is the path of such a document."""
    return path.parent == UNSAVED


_SHOWN = 12  # sentences of a difference that go into a message


def check_certain(draft: Draft) -> None:
    """Raises Uncertain where the draft may not be the document that was meant: its text is not sent, and it
    is not written to."""
    if draft.doubt:
        raise Uncertain(
            draft.doubt,
            "Open (or name) the document itself, or put “% !TEX root = …” with its name into the file's first "
            "line.",
        )


def check_replaceable(draft: Draft, section: str, *, anew: bool) -> None:
    """Raises SectionEdited where the author's words in the generated section would not outlive the next
    writing: where it is not known which they are, and, if it is to be written `anew`, where there are any."""
    if (difference := discarded(draft, section)) is None:
        return
    if not difference:
        raise SectionEdited(
            f"It is not on record how texgeist wrote the section {section}, so it may hold your own words, and "
            "it was kept.",
            "",
        )
    if anew:
        raise SectionEdited(
            f"The section {section} was edited since texgeist wrote it, so it was kept.", difference
        )


def check_cites(plan: EditPlan) -> None:
    """Raises NothingToCite for a plan that would write, or replace, text that stands neither on papers nor on the
    author's own words."""
    if not plan.keys and not plan.founded and not keys_of(plan.written):
        raise NothingToCite


def shortened(difference: str) -> str:
    """Its first lines."""
    lines = difference.splitlines()
    more = f"\n… and {len(lines) - _SHOWN} more" if len(lines) > _SHOWN else ""
    return "\n".join(lines[:_SHOWN]) + more


def discarded(draft: Draft, section: str) -> str | None:
    """What would be lost if the section were written anew, as a difference, sentence by sentence: from the
    section as it was written to the section as it is; "" where the former is not known, None where they
    agree, or no such section stands in the document. How lines are broken does not count."""
    if (found := _was_and_is(draft, section)) is None:
        return None
    was, now = found
    if was is None:
        return ""
    return None if was == now else "\n".join(_changes(was, now))


def own_words(draft: Draft, section: str) -> str | None:
    """What of the section is not as texgeist wrote it, a line a sentence; all of it where that is not known, None
    where it holds nothing of the author's."""
    if (found := _was_and_is(draft, section)) is None:
        return None
    was, now = found
    return "\n".join(f"+{sentence}" for sentence in now if sentence not in (was or ())) or None


def _was_and_is(draft: Draft, section: str) -> tuple[list[str] | None, list[str]] | None:
    """The section's sentences as they were written, None where that is not known, and as they are; None where no
    such section stands in the document."""
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


# The editor writes into its buffers, we replace files whole; what is only shown is written by nobody.
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
    section=Section("Related Work", (Paragraph((Sentence("Words.", ("1",)),)),)),
    selected=(Selected(Candidate(_PAPER, 0.0, 1), (_EVIDENCE,), 0.0, ""),),
)


def rehearse(draft: Draft, plan: Callable[[Draft, Result], EditPlan], written_by: Writes) -> None:
    """Raises the `LatexError`s of planning (Uncertain and OutOfBounds among them), Unwritable where somebody
    will write, and EditRefused for a document that is on no disk: its bibliography could stand nowhere."""
    from texgeist_latex.writing.apply import check_bounds, check_writable

    if is_unsaved(draft.root):
        raise EditRefused("This document has no file yet.", "Save it as a .tex file, then ask again.")
    check_certain(draft)
    planned = plan(draft, _STAND_IN)
    check_bounds(planned, draft.gate)
    if written_by != "nobody":
        provenance.check(draft.root)
        check_writable(planned, replaced=written_by == "us")
