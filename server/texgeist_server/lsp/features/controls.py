"""What the editor's user steers with: cancelling, keys, trust, and what is going on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError

from ...errors import ServerError
from ..clients import plain
from ..messages import complain
from .status_bar import describe

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..configuration import Configuration
    from ..jobs import Jobs
    from ..status import Status

Answer = dict[str, Any]
Command = Callable[[Answer], Awaitable[Answer]]


def commands_of(server: LanguageServer) -> Callable[[str], Callable[[Command], None]]:
    """The decorator of commands: one argument in, one answer out, failures as one sentence."""

    def command(name: str) -> Callable[[Command], None]:
        def add(function: Command) -> None:
            @server.command(f"texgeist.server.{name}")
            async def run(*given: Any) -> Answer:
                try:
                    return await function(plain(given[0]) if given else {})
                except (ServerError, LatexError) as error:
                    complain(server, error.sentence())
                    return {"error": error.sentence()}

        return add

    return command


def register(
    server: LanguageServer,
    configuration: Configuration,
    jobs: Jobs,
    status: Status,
    read_anew: Callable[[], None],
) -> None:
    command = commands_of(server)

    @command("cancel")
    async def cancel(given: Answer) -> Answer:
        return {"cancelled": jobs.cancel(given.get("job"))}

    @command("setKey")
    async def set_key(given: Answer) -> Answer:
        configuration.keys = configuration.keys.having(str(given["provider"]), str(given["key"]))
        status.changed()
        return {}

    @command("status")
    async def tell(given: Answer) -> Answer:
        return describe(configuration, jobs, status)

    @server.feature("texgeist/trust")
    def trust(params: Any) -> None:
        configuration.trusted = bool(plain(params).get("trusted"))
        read_anew()
        status.changed()

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    def cancel_progress(params: lsp.WorkDoneProgressCancelParams) -> None:
        jobs.cancel(token=params.token)
