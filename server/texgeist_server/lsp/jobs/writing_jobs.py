"""The jobs that write into a document: read the draft, run the request in the worker, plan the edit, apply
it, and record the reasons."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from texgeist_latex.types import Draft
from texgeist_retrieval.costs import spent
from texgeist_retrieval.text.words import number_of
from texgeist_retrieval.types import Candidate, Result

from ...config.storage import model_ports
from ...errors import Busy, EditRefused, NothingToCite, SectionEdited
from ...sections.edit_requests import EditRequest, Pending
from ...sections.queries import section_query
from ...sections.requests import EmbedPassages, SyncLibrary, WriteRequest
from ...sections.safeguards import check_replaceable, first_lines
from ..connection.editor import DISCOVER, WRITER
from ..edits import landed
from ..edits.applying import land, reveal, show, to_the_end
from .panels import answer_page, choose_papers, left_out_page, reasons_page, show_panel
from .writing import discovered, result_of, with_model

if TYPE_CHECKING:
    from ...sections.recording import RecordedEdit
    from .jobs import Job, Work
    from .writing import Writing

log = logging.getLogger(__name__)
EMBEDDING = "embedding the passages of your papers"  # a job's title
REPLACE = "Write it again"
SHOW, UNDO, WHY, LEFT_OUT = "Show", "Undo", "Why these?", "Papers left out"
INSERT = "Insert into the document"
STAYS = "cancelled. The papers added so far stay in the index, and the next update continues from there."


async def write(writing: Writing, job: Job, edit_request: EditRequest[WriteRequest]) -> None:
    """Writes the requested text into the document. No text is left half-written."""
    job.report("Reading the draft")
    draft = await writing.editor.reader.draft(edit_request.path)
    request = await asyncio.to_thread(edit_request.prepare, draft)
    if (replaced := edit_request.replaced_in(draft)) and not edit_request.agreed:
        await _let_replace(writing, draft, replaced, edit_request.anew)
    result = await result_of(writing, draft, edit_request, request, job)
    if edit_request.picks and result.selected:
        result = await _picked(writing, result, edit_request.picks, job)
        if not result.selected:
            return
    pending = Pending(edit_request, draft, result)
    if edit_request.shown:
        _show(writing, pending, draft, request.query.text, job)
        return
    writing.pending[draft.root] = pending
    job.report("Writing into the document")
    try:
        await finish(writing, pending, job)
    except NothingToCite:
        del writing.pending[draft.root]  # nothing to insert later
        raise NothingToCite(*result.notes[-1:]) from None  # the last note says why


async def discover(writing: Writing, job: Job, path: Path) -> None:
    """Discovers papers for the draft."""
    job.report("Reading the draft")
    draft = await writing.editor.reader.draft(path)
    query = await asyncio.to_thread(section_query, draft, "abstract")
    job.say(await discovered(writing, query, job) or "No papers were discovered, and nothing was sent.")


async def _picked(writing: Writing, result: Result, question: str, job: Job) -> Result:
    """The result with only the papers that the user chooses from those shown with their passages."""
    job.report("Waiting for your choice")
    verdict = result.notes[:1] if not any(one.candidate.likely for one in result.selected) else ()
    if verdict:
        question = f"{verdict[0]} Which of the nearest papers do you want to cite?"
    chosen = await choose_papers(writing.editor, writing.lists, question, result.selected)
    if not chosen:
        job.say("No paper was chosen, so nothing was inserted.")
    return replace(result, selected=chosen, notes=result.notes[len(verdict) :])  # the author has decided


def _show(writing: Writing, pending: Pending, draft: Draft, question: str, job: Job) -> None:
    """Shows the answer in a panel. It can be inserted later if it cites papers."""
    show_panel(writing.editor, question, answer_page(question, pending.result))
    if not pending.result.selected:
        job.say("No paper was found that answers this.")
        return
    writing.pending[draft.root] = pending
    job.word = "The answer is shown. “Insert the last result” puts it into the document."
    if not writing.editor.client.buttons:
        writing.editor.say(job.word)
        return

    async def insert() -> None:
        if await writing.editor.ask("The answer is shown.", [INSERT]) == INSERT:
            _begin(
                writing,
                pending.edit_request.path,
                "inserting the answer",
                lambda job: insert_pending(writing, job, pending.edit_request.path, pending),
            )

    ask_beside(writing, insert())


def _begin(writing: Writing, path: Path, title: str, work: Work) -> None:
    """Starts a job for a message's button; tells the user if another job is running."""
    try:
        writing.start(path, title, work)
    except Busy as error:
        writing.editor.say(error.sentence())


def ask_beside(writing: Writing, asking: Coroutine[Any, Any, None]) -> None:
    """Asks the user in a separate task, so that no job waits for the answer."""
    writing.asking.add(task := asyncio.get_running_loop().create_task(asking))
    task.add_done_callback(writing.asking.discard)
    task.add_done_callback(_logged)


def _logged(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and (error := task.exception()):
        log.info("%s", type(error).__name__)


async def _let_replace(writing: Writing, draft: Draft, section: str, anew: bool) -> None:
    """Asks the user, showing the text, before the author's words are discarded. Raises `SectionEdited` if the
    user does not agree or the editor cannot ask."""
    try:
        await asyncio.to_thread(check_replaceable, draft, section, anew=anew)
    except SectionEdited as error:
        log.info("%s: %s", type(error).__name__, section)  # without the author's words
        question = f"{error} Discard this and write the section again?\n{first_lines(error.difference)}"
        if not writing.editor.client.messages_with_actions:
            raise
        if await writing.editor.ask(question, [REPLACE, "Keep it"]) != REPLACE:
            raise


async def finish(writing: Writing, pending: Pending, job: Job) -> None:
    """Applies the edit, records the reasons, and reports the change to the user."""
    from ...sections import recording

    done = await land(writing.editor, pending)
    writing.pending.pop(done.draft.root, None)
    lost = await to_the_end(recording.land, done)
    job.word = " ".join(filter(None, [summary(pending, done), lost]))
    writing.last[done.draft.root] = done
    writing.since.pop(done.draft.root, None)
    reveal(writing.editor, done)
    _tell(writing, done, job.word, pending.result.left_out)
    writing.editor.refresh()
    if pending.result.query.far and not writing.editor.settings.index.discover:
        writing.editor.suggest(
            "Your library has little on this. Papers can be discovered for the draft.", DISCOVER
        )
    if pending.result.writer == "extractive" and writing.editor.client.buttons:
        ask_beside(writing, _offer_models(writing))


async def _offer_models(writing: Writing) -> None:
    """After notes were written, suggests the model servers that run on this machine, each only once in a
    session."""
    from texgeist_retrieval.models.nearby import model_servers

    for server in await asyncio.to_thread(model_servers, model_ports()):
        models = [model.name for model in server.models if model.here]
        if models and server.name not in writing.offered:
            writing.offered.add(server.name)
            writing.editor.suggest(
                f"{server.name} on this machine has {models[0]}: with it, texgeist can write prose in "
                "place of notes, and nothing leaves this machine.",
                WRITER,
            )


def _tell(writing: Writing, one: RecordedEdit, words: str, left_out: Sequence[Candidate]) -> None:
    """Reports the change, with buttons in editors whose messages do not block."""
    editor = writing.editor
    if not editor.client.buttons or not one.back:
        editor.say(words)
        return

    async def offer() -> None:
        picked = await editor.ask(words, [SHOW, UNDO, WHY, *([LEFT_OUT] if left_out else [])])
        if picked == SHOW:
            await show(editor, one)
        elif picked == UNDO:
            _begin(
                writing,
                one.draft.root,
                "undoing the last change",
                lambda job: undo(writing, job, one.draft.root, one),
            )
        elif picked == WHY:
            show_panel(editor, f"Why: {one.what}", reasons_page(one.what, landed.reasons_of(one)))
        elif picked == LEFT_OUT:
            show_panel(editor, LEFT_OUT, left_out_page(left_out))

    ask_beside(writing, offer())


def last_of(writing: Writing, root: Path) -> RecordedEdit:
    """The last change. Raises EditRefused if there is none."""
    if (one := writing.last.get(root)) is None:
        raise EditRefused("texgeist has written nothing in this project since it started.")
    return one


async def undo(writing: Writing, job: Job, path: Path, one: RecordedEdit | None = None) -> None:
    """Undoes the last change. `one`: the change that the pressed button belongs to; if it is no longer the
    last change, nothing is undone and the user gets a message."""
    draft = await writing.editor.reader.draft(path)
    last = last_of(writing, draft.root)
    if one is not None and last is not one:
        raise EditRefused("texgeist has written something else since, so this was not undone.")
    if one is None and (since := writing.since.get(draft.root)):
        raise EditRefused(f"This was not undone, because {since} since.", landed.STEP_BY_STEP)
    entries = await landed.take_back(writing.editor, last)
    del writing.last[draft.root]
    job.say(f"{last.what}: undone, {entries}.")
    writing.editor.refresh()


async def insert_pending(writing: Writing, job: Job, path: Path, one: Pending | None = None) -> None:
    """Inserts the pending result. `one`: the result that the pressed button belongs to; if it is no longer
    pending, nothing is inserted and the user gets a message."""
    draft = await writing.editor.reader.draft(path)
    if (pending := writing.pending.get(draft.root)) is None:
        raise EditRefused("Nothing is waiting to be inserted in this project.")
    if one is not None and pending is not one:
        raise EditRefused(
            "texgeist has written something else since, so this was not inserted.", "Ask again."
        )
    await finish(writing, pending, job)


async def sync(writing: Writing, job: Job, categories: list[str]) -> None:
    """Updates the library."""
    try:
        done = await with_model(writing, SyncLibrary(tuple(categories)), job.report)
    except asyncio.CancelledError as stopped:
        raise asyncio.CancelledError(stopped.args[0] if stopped.args else STAYS) from None
    job.say(done)
    start_embedding(writing)


def start_embedding(writing: Writing) -> None:
    """Embeds the passages of the index in the background, beside the jobs of projects."""
    from ...index_places import index_place
    from ...passage_library import is_embedded

    configuration = writing.editor.configuration
    place = index_place(configuration.settings, configuration.keys)
    if is_embedded(configuration.settings, place):
        return
    with suppress(Busy):
        writing.jobs.start(Path(place.location), EMBEDDING, partial(_embed, writing))


async def _embed(writing: Writing, job: Job) -> None:
    job.word = await writing.tasks.do(EmbedPassages(), job.report)


def summary(pending: Pending, done: RecordedEdit) -> str:
    """A message on the change, with all notes."""
    plan, result = done.plan, pending.result
    new = len(plan.keys) - len(plan.reused)
    if plan.written and not plan.edits:
        same = f"{pending.edit_request.what}: nothing changed, because the text is the same as before."
        return " ".join([same, *result.notes, *plan.notes])
    where = plan.edits[0].file.name if plan.edits else ""
    papers = number_of(len(plan.keys), "paper")
    entries = f"{new} new {'entry' if new == 1 else 'entries'} in the bibliography"
    notes = [*result.notes, *plan.notes, *filter(None, [spent(result.usage)])]
    return " ".join([f"{pending.edit_request.what} written into {where}: {papers} cited, {entries}.", *notes])
