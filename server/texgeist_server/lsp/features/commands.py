"""Commands: each returns at once (eglot gives up on a request after some 10 s) and works on behind."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_latex.types import Offer

from ...errors import Busy, ServerError, Untrusted
from ...sections import provenance, section_briefs, section_requests
from .. import evidence_jobs, writing_jobs
from ..clients import plain
from ..documents import path_of
from ..messages import complain
from . import hover
from .review import open_review, show
from .status import describe

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ...sections.edit_request import EditRequest
    from ...sections.queries import Source
    from ...sections.section_requests import Where
    from ..abstracts import Abstracts
    from ..closest import ClosestWork
    from ..jobs import Job
    from ..session import Session

Answer = dict[str, Any]


def register(server: LanguageServer, session: Session, abstracts: Abstracts, closest: ClosestWork) -> None:
    def command(name: str) -> Callable[[Callable[[Answer], Awaitable[Answer]]], None]:
        def add(function: Callable[[Answer], Awaitable[Answer]]) -> None:
            @server.command(f"texgeist.server.{name}")
            async def run(*given: Any) -> Answer:
                try:
                    return await function(plain(given[0]) if given else {})
                except (ServerError, LatexError) as error:
                    complain(server, error.sentence())
                    return {"error": error.sentence()}

        return add

    @command("relatedWork")
    async def related_work(given: Answer) -> Answer:
        source: Source = "draft" if given.get("from") == "draft" else "abstract"
        path = path_of(given["uri"])
        settings = await session.configuration.loaded()
        if settings.editor.review == "panel":
            return await review(given)
        anew = bool(given.get("force"))
        edit_request = section_requests.related_work(path, source, settings, anew=anew, agreed=anew)
        return _start(session, path, f"related work from the {source}", edit_request)

    @command("updateSection")
    async def update(given: Answer) -> Answer:
        settings = await session.configuration.loaded()
        if settings.editor.review == "panel":
            return await review(given)
        agreed = bool(given.get("force"))
        return await write_again(given, "the related-work section, with your edits", agreed, agreed)

    @command("writeAnew")
    async def write_anew(given: Answer) -> Answer:
        return await write_again(given, "the related-work section anew", True, bool(given.get("force")))

    async def write_again(given: Answer, what: str, anew: bool, agreed: bool) -> Answer:
        path, section = path_of(given["uri"]), str(given["section"])
        settings = await session.configuration.loaded()
        root = await session.reader.read(lambda workspace: workspace.root(path))
        record = provenance.restored(provenance.read(root), [section])["sections"].get(section, {})
        source: Source = "draft" if record.get("query") == "draft" else "abstract"
        edit_request = section_requests.related_work(
            path, source, settings, section, anew=anew, agreed=agreed
        )
        return _start(session, path, what, edit_request)

    @command("takeSentence")
    async def take(given: Answer) -> Answer:
        path, section = path_of(given["uri"]), str(given["section"])
        papers = tuple((str(key), str(id)) for key, id in given.get("papers") or ())
        offer = Offer(str(given["stands"]), str(given["new"]), papers)
        return _begin(
            session,
            path,
            "taking the new sentence",
            lambda job: writing_jobs.take(session, job, path, section, offer),
        )

    @command("findCitations")
    async def find_citations(given: Answer) -> Answer:
        path, start, end = _selected(session, given)
        return _start(
            session, path, "citations for the selection", section_requests.citations(path, start, end)
        )

    @command("answer")
    async def answer(given: Answer) -> Answer:
        path, start, end = _selected(session, given)
        return _start(
            session, path, "an answer to the selected question", section_requests.answer(path, start, end)
        )

    @command("draftSection")
    async def draft_section(given: Answer) -> Answer:
        path, where = path_of(given["uri"]), _section_at(session, given)
        settings = await session.configuration.loaded()
        edit_request = section_requests.draft_section(path, where, settings, anew=bool(given.get("anew")))
        return _start(session, path, "the section at the cursor", edit_request)

    @command("gatherEvidence")
    async def gather_evidence(given: Answer) -> Answer:
        path, where = path_of(given["uri"]), _section_at(session, given)

        async def shown(url: str) -> None:
            await show(server, session, url, "Read the evidence at")

        return _begin(
            session,
            path,
            "evidence for the section",
            lambda job: evidence_jobs.gather(session, job, path, where, shown),
        )

    @command("removeSection")
    async def remove(given: Answer) -> Answer:
        path, section = path_of(given["uri"]), str(given["section"])
        return _begin(
            session,
            path,
            "removing the section",
            lambda job: writing_jobs.remove(session, job, path, section),
        )

    @command("weakenSentence")
    async def weaken(given: Answer) -> Answer:
        path, start, end = _selected(session, given)
        return _begin(
            session,
            path,
            "weakening the sentence",
            lambda job: writing_jobs.weaken(session, job, path, start, end),
        )

    @command("insertPending")
    async def insert(given: Answer) -> Answer:
        path = path_of(given["uri"])
        return _begin(
            session,
            path,
            "inserting what was written",
            lambda job: writing_jobs.insert_pending(session, job, path),
        )

    async def review(given: Answer) -> Answer:
        opened = await open_review(session, given)
        if not given.get("quiet"):
            await show(server, session, opened["url"])
        return opened

    command("review")(review)

    @command("sync")
    async def sync(given: Answer) -> Answer:
        categories = [str(category) for category in given.get("categories") or ()]
        folders = session.configuration.folders
        folder = folders[0] if folders else Path.home()
        return _begin(
            session,
            folder / "sync",
            "syncing the index",
            lambda job: brought_up_to_date(job, categories),
        )

    async def brought_up_to_date(job: Job, categories: list[str]) -> None:
        await writing_jobs.sync(session, job, categories)
        closest.synced(session)

    @command("closestWork")
    async def closest_work(given: Answer) -> Answer:
        path = path_of(given["uri"])
        root = await session.reader.read(lambda workspace: workspace.root(path))
        asked.add(task := asyncio.get_running_loop().create_task(closest.ask(session, root)))
        task.add_done_callback(asked.discard)
        return {}

    asked: set[asyncio.Task[None]] = set()  # held until they are answered

    @command("cancel")
    async def cancel(given: Answer) -> Answer:
        return {"cancelled": session.jobs.cancel(given.get("job"))}

    @command("why")
    async def why(given: Answer) -> Answer:
        path = path_of(given["uri"])
        if (document := session.documents.get(path)) is None:
            return {"markdown": ""}
        at = plain(given["position"])
        offset = document.lines.offset(lsp.Position(int(at["line"]), int(at["character"])))
        known = abstracts.known
        found = await session.reader.read(lambda workspace: hover.explain(workspace, path, offset, known))
        return {"markdown": found.markdown if found else ""}

    @command("setKey")
    async def set_key(given: Answer) -> Answer:
        configuration = session.configuration
        configuration.keys = configuration.keys.having(str(given["provider"]), str(given["key"]))
        session.status.changed()
        return {}

    @command("status")
    async def tell(given: Answer) -> Answer:
        return describe(session.configuration, session.jobs, session.status)

    @server.feature("texgeist/trust")
    def trust(params: Any) -> None:
        session.configuration.trusted = bool(plain(params).get("trusted"))
        session.read_anew()
        session.status.changed()

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(params: lsp.WorkDoneProgressCancelParams) -> None:
        session.jobs.cancel(token=params.token)


def _start(session: Session, path: Path, title: str, edit_request: EditRequest) -> Answer:
    return _begin(session, path, title, lambda job: writing_jobs.write(session, job, edit_request))


def _begin(
    session: Session,
    path: Path,
    title: str,
    work: Callable[[Job], Awaitable[object]],
) -> Answer:
    """Raises `Untrusted` and `Busy`."""
    if not session.configuration.trusted:
        raise Untrusted
    return {"job": session.jobs.start(session.configuration.project_of(path), title, work).id}


def _section_at(session: Session, given: Answer) -> Where:
    """The section at a position, found again by its heading when the text has moved meanwhile."""
    path, at = path_of(given["uri"]), plain(given["position"])
    if (document := session.documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    offset = document.lines.offset(lsp.Position(int(at["line"]), int(at["character"])))
    return section_briefs.at_or_again(path, offset)


def _selected(session: Session, given: Answer) -> tuple[Path, int, int]:
    path, range_ = path_of(given["uri"]), plain(given["range"])
    if (document := session.documents.get(path)) is None:
        raise Busy("The document is not open in the editor.")
    ends = [plain(range_[name]) for name in ("start", "end")]
    positions = [lsp.Position(int(p["line"]), int(p["character"])) for p in ends]
    return path, *document.lines.offsets(lsp.Range(*positions))
