"""Commands that change text. Each starts a job and returns at once: eglot waits only about 10 s for an
answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import EditRefused
from ...sections import provenance, safeguards
from ...sections.edit_requests import AnswerEdit, CitationEdit, RelatedWorkEdit, SectionEdit
from ..connection.documents import path_of
from ..jobs import changing_jobs, evidence_jobs, writing_jobs
from ..jobs.writing import SYNCING, Writing
from .command_arguments import (
    Answer,
    block_of,
    commands_of,
    document_of,
    heading_at,
    offset_at,
    selected_range,
    sentence_at,
)
from .showing import last_written

if TYPE_CHECKING:
    from ...sections.edit_requests import EditRequest
    from ...sections.queries import Source
    from ...sections.requests import WriteRequest
    from ..connection.documents import Documents
    from ..jobs.jobs import Job, Work

Command = Callable[[Writing, Answer], Awaitable[Answer]]
PlacedWork = Callable[..., Awaitable[object]]  # takes the writing, the job, and a place
PlaceOf = Callable[["Documents", Answer], tuple[Any, ...]]  # the path of a document, and a place in it


def register(writing: Writing) -> None:
    command = commands_of(writing.editor)
    for name, answer_to in COMMANDS.items():
        command(name)(partial(answer_to, writing))


def begin(writing: Writing, path: Path, title: str, work: Work) -> Answer:
    """Starts a job in the project of `path` and returns its id. Raises `Untrusted` and `Busy`."""
    return {"job": writing.start(path, title, work)}


def write(writing: Writing, title: str, edit_request: EditRequest[WriteRequest]) -> Answer:
    """Starts the job that writes the requested text into the document. Raises `Untrusted` and `Busy`."""
    return begin(
        writing, edit_request.path, title, lambda job: writing_jobs.write(writing, job, edit_request)
    )


def starts(title: str, work: PlacedWork, place: PlaceOf = document_of) -> Command:
    """A command that starts `work` as a job. `work` also receives the path and whatever `place` returns."""

    async def command(writing: Writing, given: Answer) -> Answer:
        path, *rest = place(writing.editor.documents, given)
        return begin(writing, path, title, lambda job: work(writing, job, path, *rest))

    return command


async def related_work(writing: Writing, given: Answer) -> Answer:
    source: Source = "draft" if given.get("from") == "draft" else "abstract"
    settings = await writing.editor.configuration.loaded()
    path, anew = path_of(given["uri"]), bool(given.get("force"))
    edit_request = RelatedWorkEdit(path=path, source=source, settings=settings, anew=anew, agreed=anew)
    return write(writing, f"related work from the {source}", edit_request)


async def update_section(writing: Writing, given: Answer) -> Answer:
    agreed = bool(given.get("force"))
    return await _write_again(writing, given, ", with your edits", agreed, agreed)


async def write_anew(writing: Writing, given: Answer) -> Answer:
    return await _write_again(writing, given, " anew", True, bool(given.get("force")))


async def _write_again(writing: Writing, given: Answer, how: str, anew: bool, agreed: bool) -> Answer:
    """Writes a generated section again. Raises EditRefused if it cannot be written again."""
    path, section = path_of(given["uri"]), str(given["section"])
    settings = await writing.editor.configuration.loaded()
    root = await writing.editor.reader.read(lambda workspace: workspace.root(path))
    if safeguards.check_kind(root, section) == "section":
        where = safeguards.around_block(section)
        drafted = SectionEdit(path=path, where=where, settings=settings, anew=anew, agreed=agreed)
        return write(writing, f"the section{how}", drafted)
    record = provenance.read(root).sections.get(section)
    source: Source = "draft" if record and record.query == "draft" else "abstract"
    edit_request = RelatedWorkEdit(
        path=path, source=source, settings=settings, section=section, anew=anew, agreed=agreed
    )
    return write(writing, f"the related-work section{how}", edit_request)


async def cite(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    await writing_jobs.write(writing, job, CitationEdit(path=path, start=start, end=end))


async def answer(writing: Writing, job: Job, path: Path, start: int, end: int) -> None:
    await writing_jobs.write(writing, job, AnswerEdit(path=path, start=start, end=end))


async def draft_section(writing: Writing, given: Answer) -> Answer:
    path, where = heading_at(writing.editor.documents, given)
    settings = await writing.editor.configuration.loaded()
    edit_request = SectionEdit(path=path, where=where, settings=settings, anew=bool(given.get("anew")))
    return write(writing, "the section at the cursor", edit_request)


async def add_pasted(writing: Writing, given: Answer) -> Answer:
    documents = writing.editor.documents
    path, offset = offset_at(documents, given)
    document = documents.get(path)
    if document is None or (span := changing_jobs.pasted_at(document.text, offset)) is None:
        raise EditRefused(
            "There is no DOI, arXiv id or web address of a paper at the cursor.",
            "Paste one and try again.",
        )
    return begin(
        writing,
        path,
        "an entry for the paper at the cursor",
        lambda job: changing_jobs.add_entry(writing, job, path, *span),
    )


async def picked(writing: Writing, given: Answer) -> Answer:
    chosen = given.get("chosen") or ()
    taken = writing.lists.answered(str(given.get("id")), [str(one) for one in chosen])
    if chosen and not taken:
        writing.editor.say("That list has expired, so nothing was inserted.")
    return {"taken": taken}


async def undo_written(writing: Writing, given: Answer) -> Answer:
    await last_written(writing.editor, writing, given)
    return await starts("undoing the last change", writing_jobs.undo)(writing, given)


async def review(writing: Writing, given: Answer) -> Answer:
    opened = await evidence_jobs.open_review(writing, given)
    if not given.get("quiet"):
        await writing.editor.open_page(opened["url"], "Review the papers at")
    return opened


async def sync(writing: Writing, given: Answer) -> Answer:
    categories = [str(category) for category in given.get("categories") or ()]
    folders = writing.editor.configuration.folders
    folder = folders[0] if folders else Path.home()
    return begin(writing, folder / "sync", SYNCING, lambda job: writing_jobs.sync(writing, job, categories))


COMMANDS: Mapping[str, Command] = {
    "relatedWork": related_work,
    "updateSection": update_section,
    "writeAnew": write_anew,
    "discover": starts("discovering papers", writing_jobs.discover),
    "findCitations": starts("citations for the selection", cite, sentence_at),
    "answer": starts("an answer to the selected question", answer, sentence_at),
    "draftSection": draft_section,
    "gatherEvidence": starts("evidence for the section", evidence_jobs.gather, heading_at),
    "forAndAgainst": starts("evidence for and against the sentence", evidence_jobs.both_sides, sentence_at),
    "missingWorks": starts("missing works", evidence_jobs.missing),
    "verify": starts("checking the bibliography", changing_jobs.show_report),
    "correctEntries": starts("correcting the bibliography", changing_jobs.correct_entries),
    "removeSection": starts("removing the section", changing_jobs.remove, block_of),
    "weakenSentence": starts("weakening the sentence", changing_jobs.weaken, selected_range),
    "insertPending": starts("inserting the last result", writing_jobs.insert_pending),
    "addEntry": add_pasted,
    "picked": picked,
    "undoWritten": undo_written,
    "review": review,
    "sync": sync,
}
