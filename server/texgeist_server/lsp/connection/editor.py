"""The editor at the other end: what an edit needs of it, messages to its user, and requests to refresh."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ...errors import TaskFailed
from ..hover_text import visible

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ...config.settings import Settings
    from .clients import Client
    from .configuration import Configuration
    from .documents import Documents
    from .reader import Reader

Mend = tuple[str, str]  # the button, the client's command
PAPERS: Mend = ("Choose Papers…", "choosePapers")
WRITER: Mend = ("Choose the Writer…", "chooseWriter")
KEY: Mend = ("Set a Key…", "setKey")
LOG: Mend = ("Show the Log", "showLog")
TRUST: Mend = ("Manage Trust", "trust")

_MENDS: dict[str, tuple[Mend, ...]] = {
    "IndexMissing": (PAPERS,),
    "IndexMismatch": (PAPERS,),
    "IndexUnavailable": (PAPERS, LOG),
    "IndexDenied": (KEY, PAPERS),
    "NoSource": (PAPERS,),
    "NothingToCite": (PAPERS,),
    "WriterDenied": (KEY, WRITER),
    "WriterUnavailable": (WRITER, LOG),
    "WriterRefused": (WRITER,),
    "WriterTruncated": (WRITER,),
    "WriterInvalid": (WRITER, LOG),
    "WorkerDied": (LOG,),
    "Untrusted": (TRUST,),
}


def mends_of(error: Exception) -> tuple[Mend, ...]:
    """None where the sentence says all that can be done."""
    return _MENDS.get(error.kind if isinstance(error, TaskFailed) else type(error).__name__, ())


@dataclass(frozen=True, slots=True)
class Editor:
    """What an edit needs: the connection, what the editor can do and its user wants, what is open, and the
    project as read."""

    server: LanguageServer
    configuration: Configuration
    documents: Documents
    reader: Reader

    @property
    def client(self) -> Client:
        return self.configuration.client

    @property
    def settings(self) -> Settings:
        return self.configuration.settings


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
    text = "\n".join(map(visible, message.split("\n")))
    server.window_show_message(lsp.ShowMessageParams(kind, f"texgeist: {text}"))


def refresh_lenses(server: LanguageServer, client: Client) -> None:
    if client.lens_refresh:
        server.workspace_code_lens_refresh(None)


def refresh_hints(server: LanguageServer, client: Client) -> None:
    if client.hint_refresh:
        server.workspace_inlay_hint_refresh(None)
