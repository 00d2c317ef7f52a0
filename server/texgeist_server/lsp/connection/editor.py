"""The features' interface to the editor: the data that edits need, messages to the user, and refresh
requests."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from ...adapters import sends
from ...errors import TaskFailed
from ...plain_text import visible
from .documents import path_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ...config.settings import Settings
    from .configuration import Client, Configuration
    from .documents import Document, Documents
    from .reader import Reader

PROBLEM = "texgeist/problem"
Mend = tuple[str, str]  # a button and the client command that it runs
PAPERS: Mend = ("Choose Papers…", "choosePapers")
DISCOVER: Mend = ("Discover for This Draft…", "discover")
WRITER: Mend = ("Choose the Writer…", "chooseWriter")
KEY: Mend = ("Set a Key…", "setKey")
LOG: Mend = ("Show the Log", "showLog")
TRUST: Mend = ("Manage Trust", "trust")

_MENDS: dict[str, tuple[Mend, ...]] = {
    "IndexMissing": (PAPERS,),
    "LibraryMissing": (PAPERS,),
    "IndexMismatch": (PAPERS,),
    "IndexUnavailable": (PAPERS, LOG),
    "IndexDenied": (KEY, PAPERS),
    "NoSource": (PAPERS,),
    "NothingToCite": (PAPERS,),
    "WriterDenied": (KEY, WRITER),
    "WriterUnavailable": (WRITER, LOG),
    "WriterTimedOut": (WRITER, LOG),
    "WriterRefused": (WRITER,),
    "WriterTruncated": (WRITER,),
    "WriterInvalid": (WRITER, LOG),
    "WorkerDied": (LOG,),
    "Untrusted": (TRUST,),
}


def mends_of(error: Exception) -> tuple[Mend, ...]:
    """The buttons that help with this error; empty if there are none and the message alone says what to
    do."""
    return _MENDS.get(error.kind if isinstance(error, TaskFailed) else type(error).__name__, ())


@dataclass(frozen=True, slots=True)
class Editor:
    """The connection, the client's capabilities and settings, the open documents, and the project reader."""

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

    def document(self, uri: str) -> Document | None:
        return self.documents.get(path_of(uri))

    def read_anew(self) -> None:
        """Reads the project again, after a change of folders, root document or trust."""
        self.reader.restart(self.documents.now)

    def notify(self, method: str, params: object) -> None:
        self.server.protocol.notify(method, params)

    def say(self, message: str) -> None:
        self._show(lsp.MessageType.Info, message)

    def warn(self, message: str) -> None:
        self._show(lsp.MessageType.Warning, message)

    def complain(self, message: str, mends: Sequence[Mend] = ()) -> None:
        """Shows an error message, with the buttons `mends` if the client supports them."""
        if mends and self.client.buttons:
            self._with_buttons(message, mends, "error")
        else:
            self._show(lsp.MessageType.Error, message)

    def suggest(self, message: str, mend: Mend) -> None:
        """Shows a message with a button; does nothing if the editor has no such messages."""
        if self.client.buttons:
            self._with_buttons(message, [mend], "info")

    def _with_buttons(self, message: str, mends: Sequence[Mend], kind: str) -> None:
        buttons = [{"title": title, "command": command} for title, command in mends]
        self.notify(PROBLEM, {"message": _words(message), "mends": buttons, "kind": kind})

    async def ask(self, message: str, answers: list[str]) -> str:
        """The answer that the user picked; "" if the user picked none or the editor cannot ask."""
        items = [lsp.MessageActionItem(answer) for answer in answers]
        params = lsp.ShowMessageRequestParams(lsp.MessageType.Info, _words(message), items)
        try:
            picked = await self.server.window_show_message_request_async(params)
        except JsonRpcException:
            return ""
        return picked.title if picked else ""

    async def open_outside(self, url: str) -> bool:
        """Opens an address in the browser. Returns False if the editor cannot."""
        with contextlib.suppress(Exception):
            if self.client.show_document:
                params = lsp.ShowDocumentParams(uri=url, external=True)
                async with asyncio.timeout(5):
                    return (await self.server.window_show_document_async(params)).success
        return False

    async def open_page(self, url: str, words: str) -> None:
        """Opens an address in the browser, or shows it after `words` if the editor cannot open it."""
        if not await self.open_outside(url):
            self.say(f"{words} {url}")

    def sends(self) -> str:
        """The recipient of the user's text; "" if nothing is sent."""
        return sends(self.settings, self.configuration.keys)

    def refresh(self) -> None:
        """Asks the editor to request its code lenses again."""
        if self.client.lens_refresh:
            self.server.workspace_code_lens_refresh(None)

    def _show(self, kind: lsp.MessageType, message: str) -> None:
        self.server.window_show_message(lsp.ShowMessageParams(kind, _words(message)))


def _words(message: str) -> str:
    return "texgeist: " + "\n".join(map(visible, message.strip().split("\n")))
