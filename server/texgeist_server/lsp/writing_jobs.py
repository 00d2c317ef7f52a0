"""The jobs that write into a document: read, ask the worker, plan, land, remember why."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from texgeist_latex.errors import LatexError
from texgeist_latex.types import Draft, Offer
from texgeist_retrieval.codec import from_plain, to_plain
from texgeist_retrieval.costs import spent
from texgeist_retrieval.types import Query, Result

from ..errors import UNCHANGED, EditRefused, NothingToCite, SectionEdited, ServerError, TaskFailed
from ..sections import provenance, recording
from ..sections.authors_edits import check_certain, check_replaceable, shortened
from ..sections.edit_request import EditRequest, Pending
from ..sections.offers import offers_of, references_in, taken
from . import first_library, lenses
from .applying import Landed, apply_plan, land
from .messages import choose, complain, say
from .progress import Progress, progress

if TYPE_CHECKING:
    from .jobs import Job
    from .session import Session

log = logging.getLogger(__name__)
P = ParamSpec("P")
T = TypeVar("T")
REPLACE = "Write it anew"
TOO_LATE = "it was too late to cancel: the document has the change, and undo takes it back."
FETCH = "Fetch the model (440 MB)"
STAYS = "cancelled; what was put into the index by then stays, and the next update goes on from there."


async def write(session: Session, job: Job, edit_request: EditRequest) -> str:
    """The whole job; gives the words on what was done, "" when it failed. Whatever fails is told, and
    nothing is half-written."""
    async with telling(session, job) as block:
        block.report("Reading the draft")
        draft = await _draft(session, edit_request.path)
        query, guard, plan = await asyncio.to_thread(edit_request.prepare, draft)
        if (replaced := edit_request.replaced_in(draft)) and not edit_request.agreed:
            await _let_replace(session, draft, replaced, edit_request.anew)
        result = await _asked(session, draft, edit_request, query, block)
        pending = guard(Pending(result, plan, edit_request.path, edit_request.what))
        session.pending[draft.root] = pending
        block.report("Writing into the document")
        try:
            await finish(session, pending, block)
        except NothingToCite:
            del session.pending[draft.root]  # there is nothing to insert later
            raise
        return block.word
    return ""


async def _let_replace(session: Session, draft: Draft, section: str, anew: bool) -> None:
    """Asks before words of the author's are discarded, and shows which. Raises `SectionEdited` for any answer
    but yes, and where the editor cannot ask."""
    try:
        await asyncio.to_thread(check_replaceable, draft, section, anew=anew)
    except SectionEdited as error:
        log.info("%s\n%s", error, error.difference)
        question = (
            f"texgeist: {error} Discard this, and write it anew?\n{shortened(error.difference)}".strip()
        )
        if not session.client.messages_with_actions:
            raise
        if await choose(session.server, question, [REPLACE, "Keep it"]) != REPLACE:
            raise


async def _draft(session: Session, path: Path) -> Draft:
    """The project to write into; what a crash cut short is finished first."""
    draft = await session.reader.draft(path)
    if await asyncio.to_thread(recording.finished, draft):
        return await session.reader.draft(path)
    return draft


async def finish(session: Session, pending: Pending, block: Progress) -> None:
    """Lands what was written, remembers why, and says so."""
    landed = await land(session, pending)
    session.pending.pop(landed.draft.root, None)
    lost = await _to_the_end(recording.land, landed.staged)
    block.word = " ".join(filter(None, [summary(pending, landed), lost]))
    say(session.server, block.word)
    lenses.refresh(session.server, session.client)


async def insert_pending(session: Session, job: Job, path: Path) -> None:
    async with telling(session, job) as block:
        draft = await session.reader.draft(path)
        if (pending := session.pending.get(draft.root)) is None:
            raise EditRefused("There is nothing left to insert in this project.")
        await finish(session, pending, block)


async def remove(session: Session, job: Job, path: Path, section: str) -> None:
    """Takes a generated section out again; its entries stay in the bibliography."""
    from texgeist_latex.writing.edits import plan_removal

    async with telling(session, job) as block:
        draft = await session.reader.draft(path)
        check_certain(draft)
        provenance.check(draft.root)
        plan = await asyncio.to_thread(plan_removal, draft, section)
        if not await apply_plan(session, plan, draft, "texgeist: remove the section"):
            raise EditRefused("The document changed meanwhile, so nothing was removed.", "Try again.")
        await _to_the_end(_forget, draft.root, section)
        block.word = "The section was removed. Its entries stay in the bibliography."
        say(session.server, block.word)
        lenses.refresh(session.server, session.client)


async def take(session: Session, job: Job, path: Path, section: str, offer: Offer) -> None:
    """Puts a new sentence in place of the author's."""
    from texgeist_latex.writing.taking import plan_taking

    async with telling(session, job) as block:
        draft = await session.reader.draft(path)
        check_certain(draft)
        provenance.check(draft.root)
        data = provenance.read_to_write(draft.root)
        if offer not in offers_of(data, section):
            raise EditRefused("This sentence is not offered any more.", "Update the section.")
        references = references_in(data, section, offer)
        plan = await asyncio.to_thread(plan_taking, draft, section, offer, references)
        if not await apply_plan(session, plan, draft, "texgeist: take the new sentence"):
            raise EditRefused("The document changed meanwhile, so nothing was taken.", "Try again.")
        new = taken(data, section, offer, plan.keys)
        await _to_the_end(provenance.write, draft.root, new)
        block.word = "The new sentence stands."
        lenses.refresh(session.server, session.client)


async def weaken(session: Session, job: Job, path: Path, start: int, end: int) -> None:
    """Has the model reword a sentence that claims more than its source; the edit is shown before it is made
    where the editor can do that."""
    from texgeist_latex.types import Edit, EditPlan

    async with telling(session, job) as block:
        draft = await session.reader.draft(path)
        old = draft.sources[path].text[start:end] if path in draft.sources else ""
        folder = session.configuration.folder_of(draft.root)
        place = {"root": str(draft.root), "folder": str(folder or ""), "file": str(path), "text": old}
        made = await session.tasks.do("weaken_sentence", place, block.report)
        plan = EditPlan((Edit(path, start, end, made["text"]),), made["text"], "", {})
        if made["text"] == old:
            block.word = "The model would leave the sentence as it is."
        elif await apply_plan(session, plan, draft, "texgeist: weaken the sentence", shown=True):
            block.word = "The sentence was weakened."
        else:
            raise EditRefused("The document changed meanwhile, or the edit was discarded.", "Try again.")
        say(session.server, block.word)


async def sync(session: Session, job: Job, categories: list[str]) -> None:
    """Brings the library up to date."""
    async with telling(session, job) as block:
        try:
            done = await with_model(session, "sync", {"categories": categories}, block)
        except asyncio.CancelledError as stopped:
            raise asyncio.CancelledError(stopped.args[0] if stopped.args else STAYS) from None
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
        status = self._session.status
        status.problem = status.offline = ""
        if isinstance(error, asyncio.CancelledError):
            block.word = "Cancelled"
            what = cancelled(error)
            say(self._session.server, f"{self._job.title}: {what[:1].lower()}{what[1:]}")
        elif isinstance(error, ServerError | LatexError):
            self._failed(block, error.sentence())
            if isinstance(error, TaskFailed) and error.kind.endswith("Unavailable"):
                status.problem, status.offline = "", error.sentence()
        elif error is not None:
            log.error("unexpected", exc_info=error)
            self._failed(block, f"{type(error).__name__}: {error}. The log has the details.")
        await self._progress.__aexit__(None, None, None)
        return error is not None and not isinstance(error, asyncio.CancelledError)

    def _failed(self, block: Progress, sentence: str) -> None:
        block.word = "Failed"
        self._session.status.problem = sentence
        complain(self._session.server, sentence)


def cancelled(error: asyncio.CancelledError) -> str:
    """What to say of it: where something had been changed by then, the error says what."""
    return str(error.args[0]) if error.args else f"cancelled, {UNCHANGED}"


async def _to_the_end(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Runs what belongs to an edit that the editor has taken: cancelling comes too late for it."""
    task = asyncio.create_task(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await task
        raise asyncio.CancelledError(TOO_LATE) from None


def _forget(root: Path, section: str) -> None:
    provenance.write(root, provenance.without_section(provenance.read_to_write(root), section))


async def _asked(
    session: Session, draft: Draft, edit_request: EditRequest, query: Query, block: Progress
) -> Result:
    task, given = edit_request.task(query)
    gathered = next((run for asked, run in session.evidence.values() if asked == query), None)
    if edit_request.recipe == "draft_section" and gathered is not None:
        given = {**given, "run": to_plain(gathered)}
    try:
        return from_plain(Result, await with_model(session, task, given, block))
    except TaskFailed as error:
        if not first_library.is_missing(error, session):
            raise
    await first_library.fill(session, draft, block)
    return from_plain(Result, await with_model(session, task, given, block))


async def with_model(session: Session, task: str, given: dict[str, Any], block: Progress) -> dict[str, Any]:
    """A task that needs the embedding model, which is fetched first where it is missing and the user
    agrees."""
    try:
        return await session.tasks.do(task, given, block.report)
    except TaskFailed as error:
        if error.kind != "ModelMissing":
            raise
        picked = await choose(session.server, f"texgeist: {error.sentence()}", [FETCH, "Not now"])
        if picked != FETCH:
            raise
    await session.tasks.do("fetch_model", {}, block.report)
    return await session.tasks.do(task, given, block.report)


def summary(pending: Pending, landed: Landed) -> str:
    """One message on what was done, with every degradation."""
    plan, result = landed.plan, pending.result
    new = len(plan.keys) - len(plan.reused)
    if plan.written and not plan.edits:
        stands = f"{pending.what} written into {landed.staged.applied.file} stands: nothing new came in."
        return " ".join([stands, *result.notes, *plan.notes])
    where = plan.edits[0].file.name if plan.edits else ""
    papers = "1 paper" if len(plan.keys) == 1 else f"{len(plan.keys)} papers"
    entries = f"{new} new {'entry' if new == 1 else 'entries'} in the bibliography"
    notes = [*result.notes, *plan.notes, *filter(None, [spent(result.usage)])]
    return " ".join([f"{pending.what} written into {where}: {papers} cited, {entries}.", *notes])
