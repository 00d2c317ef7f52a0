"""What is shown without changing text: where a paper is, what was written last and why, and the status bar
(`texgeist/status`) with the commands behind it: cancel, keys, trust."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ...config.storage import model_ports
from ...errors import EditRefused
from ..connection.configuration import plain
from ..connection.documents import path_of
from ..edits import applying, landed
from ..jobs import writing_jobs
from ..jobs.panels import reasons_page, show_panel
from . import hover, navigation
from .command_arguments import Answer, commands_of, offset_at, plain_range

if TYPE_CHECKING:
    from ...sections.recording import RecordedEdit
    from ..connection.editor import Editor
    from ..jobs.jobs import Jobs
    from ..jobs.writing import Writing
    from .hover import Lookups


def register(editor: Editor, writing: Writing, lookups: Lookups) -> None:
    command = commands_of(editor)

    @command("openPdf")
    async def open_pdf(given: Answer) -> Answer:
        path, offset = offset_at(editor.documents, given)
        settings = await editor.configuration.loaded()
        folders = settings.papers.folders
        target = await editor.reader.read(
            lambda workspace: navigation.document_of(workspace, path, offset, folders)
        )
        if not target:
            raise EditRefused(
                "No paper was found for the citation at the cursor.", "Place the cursor on a citation key."
            )
        return {} if await editor.open_outside(target) else {"url": target}

    @command("showWritten")
    async def show_written(given: Answer) -> Answer:
        place = applying.place_of(editor, one := await last_written(editor, writing, given))
        if place is None:
            return {}
        plainly = {"uri": place.uri, "range": plain_range(place.range)}
        return {} if not given.get("here") and await applying.show(editor, one) else {"place": plainly}

    @command("whyThese")
    async def why_these(given: Answer) -> Answer:
        one = await last_written(editor, writing, given)
        words = reasons_page(one.what, landed.reasons_of(one))
        show_panel(editor, f"Why: {one.what}", words)
        return {}

    @command("modelServers")
    async def on_this_machine(_: Answer) -> Answer:
        from texgeist_retrieval.models.nearby import model_servers

        servers = await asyncio.to_thread(model_servers, model_ports())
        return {"servers": [asdict(server) for server in servers]}

    @command("why")
    async def why(given: Answer) -> Answer:
        path = path_of(given["uri"])
        if (document := editor.documents.get(path)) is None:
            return {"markdown": ""}
        at = plain(given["position"])
        offset = document.lines.offset(lsp.Position(int(at["line"]), int(at["character"])))
        known = lookups.abstracts
        found = await editor.reader.read(lambda model: hover.explain(model, path, offset, known))
        return {"markdown": found.markdown if found else ""}


async def last_written(editor: Editor, writing: Writing, given: Answer) -> RecordedEdit:
    """The last change in the project of the document. Raises EditRefused if there is none."""
    path = path_of(given["uri"])
    return writing_jobs.last_of(writing, await editor.reader.read(lambda workspace: workspace.root(path)))


METHOD = "texgeist/status"


def register_status(editor: Editor, jobs: Jobs) -> None:
    configuration, command = editor.configuration, commands_of(editor)
    jobs.tell = lambda: editor.notify(METHOD, describe(jobs))

    @command("cancel")
    async def cancel(given: Answer) -> Answer:
        return {"cancelled": jobs.cancel(given.get("job"))}

    @command("setKey")
    async def set_key(given: Answer) -> Answer:
        configuration.keys = configuration.keys.having(str(given["provider"]), str(given["key"]))
        jobs.changed()
        return {}

    @command("status")
    async def tell(given: Answer) -> Answer:
        return describe(jobs)

    @editor.server.feature("texgeist/trust")
    def trust(params: Any) -> None:
        configuration.trusted = bool(plain(params).get("trusted"))
        editor.read_anew()
        jobs.changed()

    @editor.server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(params: lsp.WorkDoneProgressCancelParams) -> None:
        jobs.cancel(token=params.token)


def describe(jobs: Jobs) -> dict[str, Any]:
    """The status as `{state, message, jobs: [{id, title, message, percentage}], sends}`."""
    running = [
        {"id": job.id, "title": job.title, "message": job.message, "percentage": job.percentage}
        for job in jobs.all()
    ]
    state, message = _state(jobs)
    return {
        "state": state,
        "message": message,
        "jobs": running,
        "sends": jobs.editor.sends(),
    }


def _state(jobs: Jobs) -> tuple[str, str]:
    if running := jobs.all():
        return "working", running[0].message or running[0].title
    if not jobs.editor.configuration.trusted:
        return "idle", "This workspace is not trusted: nothing is run or sent."
    if jobs.problem:
        return "problem", jobs.problem
    if jobs.offline:
        return "offline", jobs.offline
    return "idle", ""
