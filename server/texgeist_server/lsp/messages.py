"""Words to the person at the editor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from .mends import Mend

PROBLEM = "texgeist/problem"


def say(server: LanguageServer, message: str) -> None:
    _show(server, lsp.MessageType.Info, message)


def warn(server: LanguageServer, message: str) -> None:
    _show(server, lsp.MessageType.Warning, message)


def complain(server: LanguageServer, message: str, mends: Sequence[Mend] = ()) -> None:
    """`mends`: the buttons of the message, for a client that has these commands and is told so by us alone."""
    if mends:
        buttons = [{"title": title, "command": command} for title, command in mends]
        server.protocol.notify(PROBLEM, {"message": f"texgeist: {message}", "mends": buttons})
    else:
        _show(server, lsp.MessageType.Error, message)


async def ask_user(server: LanguageServer, message: str, answers: list[str]) -> str:
    """The answer that the user picked; "" for none, and where the editor cannot ask."""
    items = [lsp.MessageActionItem(answer) for answer in answers]
    params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, message, items)
    try:
        picked = await server.window_show_message_request_async(params)
    except JsonRpcException:
        return ""
    return picked.title if picked else ""


def _show(server: LanguageServer, kind: lsp.MessageType, message: str) -> None:
    server.window_show_message(lsp.ShowMessageParams(kind, f"texgeist: {message}"))
