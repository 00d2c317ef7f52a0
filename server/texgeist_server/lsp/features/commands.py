"""Commands that change text. Each returns at once (eglot gives up after about 10 s) and starts a job."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from texgeist_latex.types import Offer

from ...errors import EditRefused, Untrusted
from ...sections import edit_requests, generated_sections, provenance
from ...sections.provenance_changes import restored
from ..connection.documents import path_of
from ..jobs import changing_jobs, writing_jobs
from ..jobs.changing_jobs import add_entry, pasted_at
from ..jobs.writing import SYNCING
from .command_arguments import Answer, commands_of, offset_at, section_at, selected_range, sentence_at
from .review import open_review, show
from .showing import last_written
from .status_bar import sends

if TYPE_CHECKING:
    from texgeist_retrieval.types import EvidenceRun

    from ...sections.edit_requests import EditRequest
    from ...sections.queries import Source
    from ..connection.editor import Editor
    from ..jobs.closest import ClosestWork
    from ..jobs.jobs import Job, Jobs
    from ..jobs.writing import Writing
    from .review import Reviews


def register(editor: Editor, jobs: Jobs, writing: Writing, reviews: Reviews, closest: ClosestWork) -> None:
    command = commands_of(editor)

    def begin(path: Path, title: str, work: Callable[[Job], Awaitable[object]]) -> Answer:
        """Raises `Untrusted` and `Busy`."""
        if not editor.configuration.trusted:
            raise Untrusted
        return {"job": jobs.start(editor.configuration.project_of(path), title, work).id}

    def write(path: Path, title: str, edit_request: EditRequest) -> Answer:
        return begin(path, title, lambda job: writing_jobs.write(writing, job, edit_request))

    @command("relatedWork")
    async def related_work(given: Answer) -> Answer:
        source: Source = "draft" if given.get("from") == "draft" else "abstract"
        path = path_of(given["uri"])
        settings = await editor.configuration.loaded()
        if settings.editor.review == "panel":
            return await review(given)
        anew = bool(given.get("force"))
        edit_request = edit_requests.related_work(path, source, settings, anew=anew, agreed=anew)
        return write(path, f"related work from the {source}", edit_request)

    @command("updateSection")
    async def update(given: Answer) -> Answer:
        agreed = bool(given.get("force"))
        return await write_again(given, ", with your edits", agreed, agreed, may_review=True)

    @command("writeAnew")
    async def write_anew(given: Answer) -> Answer:
        return await write_again(given, " anew", True, bool(given.get("force")))

    async def write_again(
        given: Answer, how: str, anew: bool, agreed: bool, may_review: bool = False
    ) -> Answer:
        """Raises EditRefused for what cannot be written again."""
        path, section = path_of(given["uri"]), str(given["section"])
        settings = await editor.configuration.loaded()
        root = await editor.reader.read(lambda workspace: workspace.root(path))
        if generated_sections.check_kind(root, section) == "section":
            where = generated_sections.around_block(section)
            drafted = edit_requests.draft_section(path, where, settings, anew=anew, agreed=agreed)
            return write(path, f"the section{how}", drafted)
        if may_review and settings.editor.review == "panel":
            return await review(given)
        record = restored(provenance.read(root), [section]).sections.get(section)
        source: Source = "draft" if record and record.query == "draft" else "abstract"
        edit_request = edit_requests.related_work(path, source, settings, section, anew=anew, agreed=agreed)
        return write(path, f"the related-work section{how}", edit_request)

    @command("takeSentence")
    async def take(given: Answer) -> Answer:
        path, section = path_of(given["uri"]), str(given["section"])
        papers = tuple((str(key), str(id)) for key, id in given.get("papers") or ())
        offer = Offer(str(given["stands"]), str(given["new"]), papers)
        return begin(
            path,
            "accepting the new sentence",
            lambda job: changing_jobs.take(writing, job, path, section, offer),
        )

    @command("findCitations")
    async def find_citations(given: Answer) -> Answer:
        path, start, end = sentence_at(editor.documents, given)
        return write(path, "citations for the selection", edit_requests.citations(path, start, end))

    @command("answer")
    async def answer(given: Answer) -> Answer:
        path, start, end = sentence_at(editor.documents, given)
        return write(path, "an answer to the selected question", edit_requests.answer(path, start, end))

    @command("draftSection")
    async def draft_section(given: Answer) -> Answer:
        path, where = path_of(given["uri"]), section_at(editor.documents, given)
        settings = await editor.configuration.loaded()
        edit_request = edit_requests.draft_section(path, where, settings, anew=bool(given.get("anew")))
        return write(path, "the section at the cursor", edit_request)

    async def shown(url: str) -> None:
        await show(editor, url, "Read the evidence at")

    @command("gatherEvidence")
    async def gather_evidence(given: Answer) -> Answer:
        from ..jobs import evidence_jobs

        path, where = path_of(given["uri"]), section_at(editor.documents, given)

        def draft_now(ticked: EvidenceRun) -> str:
            edit_request = replace(edit_requests.draft_section(path, where, editor.settings), run=ticked)
            return str(write(path, "the section from the selected evidence", edit_request)["job"])

        return begin(
            path,
            "evidence for the section",
            lambda job: evidence_jobs.gather(
                writing, job, path, where, shown, draft_now, lambda: sends(editor.configuration)
            ),
        )

    @command("forAndAgainst")
    async def for_and_against(given: Answer) -> Answer:
        from ..jobs import evidence_jobs

        path, start, end = sentence_at(editor.documents, given)

        return begin(
            path,
            "evidence for and against the sentence",
            lambda job: evidence_jobs.both_sides(writing, job, path, start, end, shown),
        )

    @command("removeSection")
    async def remove(given: Answer) -> Answer:
        path, section = path_of(given["uri"]), str(given["section"])
        return begin(
            path,
            "removing the section",
            lambda job: changing_jobs.remove(writing, job, path, section),
        )

    @command("weakenSentence")
    async def weaken(given: Answer) -> Answer:
        path, start, end = selected_range(editor.documents, given)
        return begin(
            path,
            "weakening the sentence",
            lambda job: changing_jobs.weaken(writing, job, path, start, end),
        )

    @command("insertPending")
    async def insert(given: Answer) -> Answer:
        path = path_of(given["uri"])
        return begin(
            path,
            "inserting the last result",
            lambda job: writing_jobs.insert_pending(writing, job, path),
        )

    @command("addEntry")
    async def add_pasted(given: Answer) -> Answer:
        path, offset = offset_at(editor.documents, given)
        document = editor.documents.get(path)
        if document is None or (span := pasted_at(document.text, offset)) is None:
            raise EditRefused(
                "There is no DOI, arXiv id or web address of a paper at the cursor.",
                "Paste one and try again.",
            )
        return begin(
            path,
            "an entry for the paper at the cursor",
            lambda job: add_entry(writing, job, path, *span),
        )

    @command("picked")
    async def picked(given: Answer) -> Answer:
        chosen = given.get("chosen") or ()
        taken = writing.lists.answered(str(given.get("id")), [str(one) for one in chosen])
        if chosen and not taken:
            editor.say("That list has expired, so nothing was inserted.")
        return {"taken": taken}

    @command("undoWritten")
    async def undo_written(given: Answer) -> Answer:
        await last_written(editor, writing, given)
        path = path_of(given["uri"])
        return begin(path, "undoing the last change", lambda job: writing_jobs.undo(writing, job, path))

    async def review(given: Answer) -> Answer:
        opened = await open_review(reviews, given)
        if not given.get("quiet"):
            await show(editor, opened["url"])
        return opened

    command("review")(review)

    @command("sync")
    async def sync(given: Answer) -> Answer:
        categories = [str(category) for category in given.get("categories") or ()]
        folders = editor.configuration.folders
        folder = folders[0] if folders else Path.home()
        return begin(
            folder / "sync",
            SYNCING,
            lambda job: brought_up_to_date(job, categories),
        )

    async def brought_up_to_date(job: Job, categories: list[str]) -> None:
        await writing_jobs.sync(writing, job, categories)
        closest.synced(writing)
