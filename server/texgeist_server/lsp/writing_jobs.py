"""The jobs that write into a document: read, ask the worker, plan, land, remember why."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.disk.journal import recover
from texgeist_latex.errors import LatexError
from texgeist_latex.types import Draft, EditPlan

from ..errors import EditRefused, ServerError, TaskFailed
from ..sections import provenance
from ..sections.outcome import Ask, Outcome, from_json
from .applying import UNDER_WAY, Landed, Pending, apply_plan, land
from .messages import choose, complain, say
from .progress import Progress, progress

if TYPE_CHECKING:
    from .jobs import Job
    from .session import Session

log = logging.getLogger(__name__)
FETCH = "Fetch the model (440 MB)"


@dataclass(frozen=True, slots=True)
class Wish:
    """What to write: `prepare` reads the draft and gives the question and the planner of its answer."""

    recipe: str
    what: str  # "Related work"
    path: Path
    prepare: Callable[[Draft], tuple[Ask, Callable[[Pending], Pending], Callable[[Draft, Outcome], EditPlan]]]
    chosen: dict[str, Any] | None = None  # what was chosen in review: write this instead of searching

    def task(self, ask: Ask) -> tuple[str, dict[str, Any]]:
        """The worker's task for this wish."""
        if self.chosen is not None:
            return "write_chosen", self.chosen
        return "run", {"recipe": self.recipe, "ask": asdict(ask)}


async def write(session: Session, job: Job, wish: Wish) -> str:
    """The whole job; gives the words on what was done, "" when it failed. Whatever fails is told, and
    nothing is half-written."""
    async with telling(session, job) as block:
        block.report("Reading the draft")
        draft = await asyncio.to_thread(_whole_draft, session, wish.path)
        ask, guard, plan = await asyncio.to_thread(wish.prepare, draft)
        outcome = await _asked(session, wish, ask, block)
        pending = guard(Pending(outcome, plan, wish.path, wish.what))
        session.pending[draft.root] = pending
        block.report("Writing into the document")
        await finish(session, pending, block)
        return block.word
    return ""


def _whole_draft(session: Session, path: Path) -> Draft:
    """The draft, with what a crash cut short finished first."""
    draft = session.draft(path)
    return session.draft(path) if recover(draft.root) else draft


async def finish(session: Session, pending: Pending, block: Progress) -> None:
    """Lands what was written, remembers why, and says so."""
    landed = await land(session, pending)
    session.pending.pop(landed.draft.root, None)
    block.word = " ".join(filter(None, [summary(pending, landed), landed.lost]))
    say(session.server, block.word)
    session.landed()


async def insert_pending(session: Session, job: Job, path: Path) -> None:
    async with telling(session, job) as block:
        draft = await asyncio.to_thread(session.draft, path)
        if (pending := session.pending.get(draft.root)) is None:
            raise EditRefused("There is nothing left to insert in this project.")
        await finish(session, pending, block)


async def remove(session: Session, job: Job, path: Path, section: str) -> None:
    """Takes a generated section out again; its entries stay in the bibliography."""
    from texgeist_latex.writing.edits import plan_removal

    async with telling(session, job) as block:
        draft = await asyncio.to_thread(session.draft, path)
        plan = await asyncio.to_thread(plan_removal, draft, section)
        if not await apply_plan(session, plan, draft, "texgeist: remove the section"):
            raise EditRefused("The document changed meanwhile, so nothing was removed.", "Try again.")
        old = provenance.read(draft.root)
        await asyncio.to_thread(provenance.write, draft.root, provenance.without_section(old, section))
        block.word = "The section was removed. Its entries stay in the bibliography."
        say(session.server, block.word)
        session.landed()


async def sync(session: Session, job: Job, categories: list[str]) -> None:
    """Brings the library up to date."""
    async with telling(session, job) as block:
        done = await with_model(session, "sync", {"categories": categories}, block)
        block.word = str(done["said"])
        say(session.server, block.word)


class telling:
    """A progress block that tells the user what went wrong, in one sentence."""

    def __init__(
        self, session: Session, job: Job, also: Callable[[str, int | None], None] | None = None
    ) -> None:
        self._session, self._job, self._also = session, job, also
        self._progress = progress(session, job)
        self._block: Progress | None = None

    async def __aenter__(self) -> Progress:
        self._block = await self._progress.__aenter__()
        self._block.also = self._also
        return self._block

    async def __aexit__(self, kind: Any, error: BaseException | None, trace: Any) -> bool:
        block = self._block
        assert block
        self._session.problem = self._session.offline = ""
        if isinstance(error, asyncio.CancelledError):
            block.word = "Cancelled"
            what = UNDER_WAY if error.args == (UNDER_WAY,) else "cancelled, nothing was changed."
            say(self._session.server, f"{self._job.title}: {what}")
        elif isinstance(error, ServerError | LatexError):
            self._failed(block, error.sentence())
            if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                self._session.problem, self._session.offline = "", error.sentence()
        elif error is not None:
            log.error("unexpected", exc_info=error)
            self._failed(block, f"{type(error).__name__}: {error}. The log has the details.")
        await self._progress.__aexit__(None, None, None)
        return error is not None and not isinstance(error, asyncio.CancelledError)

    def _failed(self, block: Progress, sentence: str) -> None:
        block.word = "Failed"
        self._session.problem = sentence
        complain(self._session.server, sentence)


async def _asked(session: Session, wish: Wish, ask: Ask, block: Progress) -> Outcome:
    return from_json(await with_model(session, *wish.task(ask), block))


async def with_model(session: Session, task: str, given: dict[str, Any], block: Progress) -> dict[str, Any]:
    """A task that needs the embedding model, which is fetched first where it is missing and the user
    agrees."""
    try:
        return await session.work(task, given, block.report)
    except TaskFailed as error:
        if error.kind != "ModelMissing":
            raise
        picked = await choose(session.server, f"texgeist: {error.sentence()}", [FETCH, "Not now"])
        if picked != FETCH:
            raise
    await session.work("fetch_model", {}, block.report)
    return await session.work(task, given, block.report)


def summary(pending: Pending, landed: Landed) -> str:
    """One message on what was done, with every degradation."""
    plan, outcome = landed.plan, pending.outcome
    new = len(plan.keys) - len(plan.reused)
    where = plan.edits[0].file.name if plan.edits else ""
    papers = "1 paper" if len(plan.keys) == 1 else f"{len(plan.keys)} papers"
    entries = f"{new} new {'entry' if new == 1 else 'entries'} in the bibliography"
    notes = [*outcome.notes, *plan.notes, *filter(None, [outcome.spent()])]
    return " ".join([f"{pending.what} written into {where}: {papers} cited, {entries}.", *notes])
