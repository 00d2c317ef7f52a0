"""What the jobs that write share."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_retrieval.types import EvidenceRun, Query

from ..sections.edit_request import Pending
from .editor import Editor
from .landed import Written
from .lists import Lists

if TYPE_CHECKING:
    from ..review.evidence_review import EvidenceReview
    from .tasks import Tasks
    from .telling import Telling


@dataclass(frozen=True, slots=True)
class Gathered:
    """Evidence that need not be gathered again for the same query from the same `sources`."""

    query: Query
    sources: tuple[str, ...]  # see `section_runs.sources_of`
    run: EvidenceRun


@dataclass(frozen=True, slots=True)
class Writing:
    """What these jobs need. `pending` is written and paid for, but not landed; like `evidence` and `last`, what
    was written last, it is by root document. On the event loop."""

    editor: Editor
    tasks: Tasks
    telling: Telling
    pending: dict[Path, Pending] = field(default_factory=dict)
    evidence: dict[Path, Gathered] = field(default_factory=dict)  # the last
    last: dict[Path, Written] = field(default_factory=dict)
    since: dict[Path, str] = field(default_factory=dict)  # what was done after that, in words
    lists: Lists = field(default_factory=Lists)
    asking: set[asyncio.Task[None]] = field(default_factory=set)  # messages that wait for an answer
    pages: dict[Path, EvidenceReview] = field(default_factory=dict)  # on which it is ticked

    def show_evidence(self, root: Path, review: EvidenceReview) -> None:
        """In place of the page that this document had."""
        if before := self.pages.pop(root, None):
            before.close()
        self.pages[root] = review

    def close(self) -> None:
        for review in self.pages.values():
            review.close()
