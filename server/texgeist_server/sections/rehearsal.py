"""The edit, planned with a stand-in before anything is searched: whatever would refuse what is written
(no place, no bibliography, a file that may not be written to) refuses it now, in milliseconds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from texgeist_latex.types import Draft, EditPlan
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

from ..errors import EditRefused
from . import provenance
from .authors_edits import check_certain
from .unsaved import is_unsaved

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
