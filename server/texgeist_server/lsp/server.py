"""The language server: connects its parts with the features and serves them."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from threading import Event
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method
from texgeist_retrieval.text.words import STOP_WORDS

from .. import __version__
from .connection.configuration import Configuration
from .connection.documents import Documents
from .connection.editor import Editor
from .connection.first_answer import ByMessage, Messages
from .connection.reader import Reader
from .features import (
    actions,
    commands,
    completion,
    diagnostics,
    hover,
    lens,
    lifecycle,
    navigation,
    showing,
)
from .jobs.jobs import Jobs, Tasks
from .jobs.saved_checks import SavedChecks
from .jobs.writing import Writing

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """The protocol of pygls with some changes. Document changes update only texgeist's store of documents
    (see `connection/documents.py`), early messages are refused, and invalid requests are answered.
    `answered`: the id of the `initialize` request that was answered before the server was created
    (`first_answer.py`)."""

    answered: int | str | None = None
    _initialized = False

    def handle_message(self, message: Any) -> None:
        """As LSP requires, requests that arrive before `initialize` are refused, and notifications are
        dropped."""
        method = getattr(message, "method", "")
        self._initialized = self._initialized or method == lsp.INITIALIZE
        if self._initialized or method in ("", lsp.EXIT):
            super().handle_message(message)
        elif (msg_id := getattr(message, "id", None)) is not None:
            code = lsp.ErrorCodes.ServerNotInitialized
            self._send_response(msg_id, error=lsp.ResponseError(code, f"{method} came before initialize."))

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Answers an invalid request (with a negative position, for example) with an error. pygls only logs
        it, and the editor would wait for an answer."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "method" in data and isinstance(data.get("id"), int | str):
                self._send_response(data["id"], error=error.to_response_error())
            raise

    def _send_response(
        self, msg_id: int | str, result: Any = None, error: lsp.ResponseError | None = None
    ) -> None:
        if msg_id != self.answered:
            super()._send_response(msg_id, result, error)
            return
        self.answered = None
        if error is not None:  # the request was already answered
            text = f"texgeist could not start: {error.message}"
            self.notify(lsp.WINDOW_SHOW_MESSAGE, lsp.ShowMessageParams(lsp.MessageType.Error, text))

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> Any:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_OPEN], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> Any:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CHANGE], (params,), None

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> Any:
        yield self.fm.features[lsp.TEXT_DOCUMENT_DID_CLOSE], (params,), None


class Server(LanguageServer):
    protocol: Protocol

    def serve(self, messages: Messages, close: Callable[[], Awaitable[None]]) -> None:
        """Like `start_io`, but reads whole messages. `close` is always awaited at the end."""
        incoming = ByMessage(messages, self.thread_pool)

        async def run() -> None:
            stop = self._stop_event = Event()
            self.protocol.set_writer(StdoutWriter(sys.stdout.buffer))
            try:
                await run_async(stop, incoming, self.protocol, log, self.report_server_error)
            finally:
                await close()

        try:
            asyncio.run(run())
        except ConnectionError:
            log.error("The editor is gone.")
        except KeyboardInterrupt:
            pass
        finally:  # `exit` without `shutdown` ends the process with code 1
            end: Callable[[], None] = self.shutdown
            end()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs the error. Features themselves show errors that the user can act on."""
        log.error("%s: %s", getattr(source, "__name__", source), error)


Close = Callable[[], Awaitable[None]]


def create_server() -> tuple[Server, Close]:
    """A server with its features, and a function that ends what the features have started."""
    server = Server(
        "texgeist",
        __version__,
        text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
        protocol_cls=Protocol,
        converter_factory=default_converter,
        max_workers=2,
    )
    configuration = Configuration()
    reader = Reader(lambda loaded: _workspace(configuration, loaded))
    editor, tasks = Editor(server, configuration, Documents(), reader), Tasks(configuration)
    checks = SavedChecks(editor, tasks)
    return server, _register(Writing(editor, tasks, Jobs(editor)), checks)


def _workspace(configuration: Configuration, loaded: Callable[[], None]) -> Workspace:
    from texgeist_latex.reading.workspace import Workspace

    from ..config.user_file import own_bibliographies

    return Workspace(
        folders=configuration.folders,
        root=configuration.root_named(),
        programs=configuration.trusted,
        loaded=loaded,
        own=own_bibliographies(configuration.settings),
        frequent=STOP_WORDS,
    )


def _register(writing: Writing, checks: SavedChecks) -> Close:
    editor, jobs, tasks = writing.editor, writing.jobs, writing.tasks
    shown = diagnostics.Diagnostics(editor, checks)
    lookups = hover.Lookups(editor.configuration, tasks)
    editor.reader.loaded, checks.changed = shown.soon, shown.due

    def changed() -> None:
        jobs.changed()
        shown.due()
        editor.refresh()

    async def close() -> None:
        shown.end()
        checks.end()
        await jobs.close()
        writing.close()
        await tasks.close()
        editor.reader.close()

    lifecycle.register(editor, close)
    lifecycle.register_settings(editor, changed)
    lifecycle.register_documents(editor, shown, checks)
    showing.register_status(editor, jobs)
    actions.register(editor, writing.pending, checks)
    commands.register(writing)
    showing.register(editor, writing, lookups)
    hover.register(editor, lookups, checks)
    completion.register(editor, completion.OwnLibrary(editor.configuration, tasks))
    completion.register_inline(editor)
    navigation.register(editor)
    navigation.register_rename(editor)
    navigation.register_links(editor)
    lens.register(editor)
    return close


def serve_stdio(messages: Messages, answered: int | str | None) -> None:
    server, close = create_server()
    server.protocol.answered = answered
    server.serve(messages, close)
