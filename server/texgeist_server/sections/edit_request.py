"""What is wished for, and what was written for it and waits to be brought into the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from texgeist_latex.types import Draft, EditPlan
from texgeist_retrieval.codec import to_plain
from texgeist_retrieval.types import EvidenceRun, Query, Result

from ..errors import EditRefused

CHANGED = "The document changed while texgeist was writing, so nothing was inserted."
AGAIN = "What was written is kept: choose “texgeist: insert what was written before”."
Planner = Callable[[Draft, Result], EditPlan]


@dataclass(frozen=True, slots=True)
class Pending:
    """What was written and has not landed: `plan` makes the edit for the draft as it is then."""

    result: Result
    plan: Planner
    path: Path
    what: str  # for people: "Related work"


Prepared = tuple[Query, Callable[[Pending], Pending], Planner]


@dataclass(frozen=True, slots=True)
class EditRequest:
    """What to write: `prepare` reads the draft and gives the question and the planner of its answer."""

    recipe: str
    what: str  # "Related work"
    path: Path
    prepare: Callable[[Draft], Prepared]
    chosen: dict[str, Any] | None = None  # what was chosen in review: write this instead of searching
    result: Result | None = None  # what was written from that already, to be looked at
    run: EvidenceRun | None = None  # what was ticked for a section: draft it from this alone
    replaces: str = ""  # the generated section that this stands in for, if there is one
    anew: bool = False  # without what the author made of it
    agreed: bool = False  # the user has said already that what that discards may go
    picks: str = ""  # the question of a list, from which the user picks the papers to be cited
    shown: bool = False  # in a panel; it is inserted on request alone
    id_in: Callable[[Draft], str] | None = None  # finds that section's id where only the draft can tell

    def replaced_in(self, draft: Draft) -> str:
        """The id of the generated section that this stands in for, "" for none."""
        return self.id_in(draft) if self.id_in else self.replaces

    def task(self, query: Query) -> tuple[str, dict[str, Any]]:
        """The worker's task for this request."""
        if self.chosen is not None:
            return "write_chosen", self.chosen
        return "run", {"recipe": self.recipe, "query": to_plain(query)}


def on_the_same_text(before: Draft, file: Path, start: int, end: int) -> Callable[[Draft], tuple[int, int]]:
    """Finds `before`'s `text[start:end]` of `file` again in a later draft: where it stood, or at the only
    other place that holds it. Raises `EditRefused` when it is gone or not to be told apart."""
    wanted = before.sources[file].text[start:end]

    def find(now: Draft) -> tuple[int, int]:
        source = now.sources.get(file)
        text = source.text if source else ""
        if text[start:end] == wanted and wanted:
            return start, end
        if wanted and text.count(wanted) == 1:
            at = text.index(wanted)
            return at, at + len(wanted)
        raise EditRefused(CHANGED, AGAIN)

    return find


def replacing_section(pending: Pending, before: Draft, block: tuple[Path, str] | None) -> Pending:
    """`pending`, refused when the generated section that it replaces was edited meanwhile."""
    if block is None:
        return pending
    file, text = block

    def plan(draft: Draft, result: Result) -> EditPlan:
        source = draft.sources.get(file)
        if source is None or text not in source.text:
            raise EditRefused("The section was edited while texgeist was writing it anew; it is kept.", AGAIN)
        return pending.plan(draft, result)

    return replace(pending, plan=plan)
