"""The status bar (`texgeist/status`), and the commands behind it: cancel, keys, trust."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ..connection.clients import plain
from .command_arguments import Answer, commands_of

if TYPE_CHECKING:
    from ..connection.editor import Editor
    from ..jobs.jobs import Jobs

METHOD = "texgeist/status"


def register(editor: Editor, jobs: Jobs) -> None:
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
