"""Commands that change text. Each starts a job and returns at once: eglot waits only about 10 s for an
answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import Offer

from ...adapters import sends
from ...errors import EditRefused, Untrusted
from ...sections import generated_sections, provenance
from ...sections.edit_requests import AnswerEdit, CitationEdit, RelatedWorkEdit, SectionEdit
from ...sections.provenance_changes import restored
from ..connection.documents import path_of
from ..jobs import changing_jobs, verifying, writing_jobs
from ..jobs.changing_jobs import add_entry, pasted_at
from ..jobs.writing import SYNCING
from .command_arguments import Answer, commands_of, offset_at, section_at, selected_range, sentence_at
from .review import open_review, show
from .showing import last_written

if TYPE_CHECKING:
    from texgeist_retrieval.types import EvidenceRun

    from ...sections.edit_requests import EditRequest
    from ...sections.queries import Source
    from ...sections.requests import WriteRequest
    from ..connection.editor import Editor
    from ..jobs.jobs import Job
    from ..jobs.writing import Writing
    from .review import Reviews


def register(writing: Writing, reviews: Reviews) -> None:
    command = commands_of(writing.editor)
    command("relatedWork")(partial(related_work, writing))
    command("updateSection")(partial(update_section, writing))
    command("writeAnew")(partial(write_anew, writing))
    command("takeSentence")(partial(take_sentence, writing))
    command("discover")(partial(discover, writing))
    command("findCitations")(partial(find_citations, writing))
    command("answer")(partial(answer, writing))
    command("draftSection")(partial(draft_section, writing))
    command("gatherEvidence")(partial(gather_evidence, writing))
    command("forAndAgainst")(partial(for_and_against, writing))
    command("missingWorks")(partial(missing_works, writing))
    command("verify")(partial(verify, writing))
    command("correctEntries")(partial(correct_entries, writing))
    command("removeSection")(partial(remove_section, writing))
    command("weakenSentence")(partial(weaken_sentence, writing))
    command("insertPending")(partial(insert_pending, writing))
    command("addEntry")(partial(add_pasted, writing))
    command("picked")(partial(picked, writing))
    command("undoWritten")(partial(undo_written, writing))
    command("review")(partial(review, reviews))
    command("sync")(partial(sync, writing))


def begin(writing: Writing, path: Path, title: str, work: Callable[[Job], Awaitable[object]]) -> Answer:
    """Starts a job in the project of `path` and returns its id. Raises `Untrusted` and `Busy`."""
    configuration = writing.editor.configuration
    if not configuration.trusted:
        raise Untrusted
    return {"job": writing.telling.jobs.start(configuration.project_of(path), title, work).id}


def write(writing: Writing, path: Path, title: str, edit_request: EditRequest[WriteRequest]) -> Answer:
    """Starts the job that writes the requested text into the document. Raises `Untrusted` and `Busy`."""
    return begin(writing, path, title, lambda job: writing_jobs.write(writing, job, edit_request))


async def related_work(writing: Writing, given: Answer) -> Answer:
    source: Source = "draft" if given.get("from") == "draft" else "abstract"
    path = path_of(given["uri"])
    settings = await writing.editor.configuration.loaded()
    anew = bool(given.get("force"))
    edit_request = RelatedWorkEdit(path=path, source=source, settings=settings, anew=anew, agreed=anew)
    return write(writing, path, f"related work from the {source}", edit_request)


async def discover(writing: Writing, given: Answer) -> Answer:
    path = path_of(given["uri"])
    return begin(writing, path, "discovering papers", lambda job: writing_jobs.discover(writing, job, path))


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
    if generated_sections.check_kind(root, section) == "section":
        where = generated_sections.around_block(section)
        drafted = SectionEdit(path=path, where=where, settings=settings, anew=anew, agreed=agreed)
        return write(writing, path, f"the section{how}", drafted)
    record = restored(provenance.read(root), [section]).sections.get(section)
    source: Source = "draft" if record and record.query == "draft" else "abstract"
    edit_request = RelatedWorkEdit(
        path=path, source=source, settings=settings, section=section, anew=anew, agreed=agreed
    )
    return write(writing, path, f"the related-work section{how}", edit_request)


async def take_sentence(writing: Writing, given: Answer) -> Answer:
    path, section = path_of(given["uri"]), str(given["section"])
    papers = tuple((str(key), str(id)) for key, id in given.get("papers") or ())
    offer = Offer(str(given["stands"]), str(given["new"]), papers)
    return begin(
        writing,
        path,
        "accepting the new sentence",
        lambda job: changing_jobs.take(writing, job, path, section, offer),
    )


async def find_citations(writing: Writing, given: Answer) -> Answer:
    path, start, end = sentence_at(writing.editor.documents, given)
    return write(writing, path, "citations for the selection", CitationEdit(path=path, start=start, end=end))


async def answer(writing: Writing, given: Answer) -> Answer:
    path, start, end = sentence_at(writing.editor.documents, given)
    return write(
        writing, path, "an answer to the selected question", AnswerEdit(path=path, start=start, end=end)
    )


async def draft_section(writing: Writing, given: Answer) -> Answer:
    path, where = path_of(given["uri"]), section_at(writing.editor.documents, given)
    settings = await writing.editor.configuration.loaded()
    edit_request = SectionEdit(path=path, where=where, settings=settings, anew=bool(given.get("anew")))
    return write(writing, path, "the section at the cursor", edit_request)


async def gather_evidence(writing: Writing, given: Answer) -> Answer:
    from ..jobs import evidence_jobs

    editor = writing.editor
    path, where = path_of(given["uri"]), section_at(editor.documents, given)

    def draft_now(ticked: EvidenceRun) -> str:
        edit_request = SectionEdit(path=path, where=where, settings=editor.settings, run=ticked)
        return str(write(writing, path, "the section from the selected evidence", edit_request)["job"])

    show_page, configuration = partial(_show_evidence, editor), editor.configuration

    def sends_now() -> str:
        return sends(configuration.settings, configuration.keys)

    return begin(
        writing,
        path,
        "evidence for the section",
        lambda job: evidence_jobs.gather(writing, job, path, where, show_page, draft_now, sends_now),
    )


async def for_and_against(writing: Writing, given: Answer) -> Answer:
    from ..jobs import evidence_jobs

    path, start, end = sentence_at(writing.editor.documents, given)
    show_page = partial(_show_evidence, writing.editor)
    return begin(
        writing,
        path,
        "evidence for and against the sentence",
        lambda job: evidence_jobs.both_sides(writing, job, path, start, end, show_page),
    )


async def missing_works(writing: Writing, given: Answer) -> Answer:
    from ..jobs import evidence_jobs

    path = path_of(given["uri"])
    return begin(writing, path, "missing works", lambda job: evidence_jobs.missing(writing, job, path))


async def verify(writing: Writing, given: Answer) -> Answer:
    path = path_of(given["uri"])
    return begin(
        writing, path, "checking the bibliography", lambda job: verifying.show_report(writing, job, path)
    )


async def correct_entries(writing: Writing, given: Answer) -> Answer:
    path = path_of(given["uri"])
    return begin(
        writing,
        path,
        "correcting the bibliography",
        lambda job: verifying.correct_entries(writing, job, path),
    )


async def _show_evidence(editor: Editor, url: str) -> None:
    await show(editor, url, "Read the evidence at")


async def remove_section(writing: Writing, given: Answer) -> Answer:
    path, section = path_of(given["uri"]), str(given["section"])
    return begin(
        writing, path, "removing the section", lambda job: changing_jobs.remove(writing, job, path, section)
    )


async def weaken_sentence(writing: Writing, given: Answer) -> Answer:
    path, start, end = selected_range(writing.editor.documents, given)
    return begin(
        writing,
        path,
        "weakening the sentence",
        lambda job: changing_jobs.weaken(writing, job, path, start, end),
    )


async def insert_pending(writing: Writing, given: Answer) -> Answer:
    path = path_of(given["uri"])
    return begin(
        writing,
        path,
        "inserting the last result",
        lambda job: writing_jobs.insert_pending(writing, job, path),
    )


async def add_pasted(writing: Writing, given: Answer) -> Answer:
    documents = writing.editor.documents
    path, offset = offset_at(documents, given)
    document = documents.get(path)
    if document is None or (span := pasted_at(document.text, offset)) is None:
        raise EditRefused(
            "There is no DOI, arXiv id or web address of a paper at the cursor.",
            "Paste one and try again.",
        )
    return begin(
        writing,
        path,
        "an entry for the paper at the cursor",
        lambda job: add_entry(writing, job, path, *span),
    )


async def picked(writing: Writing, given: Answer) -> Answer:
    chosen = given.get("chosen") or ()
    taken = writing.lists.answered(str(given.get("id")), [str(one) for one in chosen])
    if chosen and not taken:
        writing.editor.say("That list has expired, so nothing was inserted.")
    return {"taken": taken}


async def undo_written(writing: Writing, given: Answer) -> Answer:
    await last_written(writing.editor, writing, given)
    path = path_of(given["uri"])
    return begin(writing, path, "undoing the last change", lambda job: writing_jobs.undo(writing, job, path))


async def review(reviews: Reviews, given: Answer) -> Answer:
    opened = await open_review(reviews, given)
    if not given.get("quiet"):
        await show(reviews.writing.editor, opened["url"])
    return opened


async def sync(writing: Writing, given: Answer) -> Answer:
    categories = [str(category) for category in given.get("categories") or ()]
    folders = writing.editor.configuration.folders
    folder = folders[0] if folders else Path.home()
    return begin(writing, folder / "sync", SYNCING, lambda job: writing_jobs.sync(writing, job, categories))
