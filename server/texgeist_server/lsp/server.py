"""The language server: connects the session with the features and serves them."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from threading import Event
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.io_ import StdoutWriter, run_async
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method

from .. import __version__
from .connection.first_answer import ByMessage, Messages
from .features import (
    actions,
    buffers,
    commands,
    completion,
    diagnostics,
    hover,
    lens,
    lifecycle,
    links,
    navigation,
    offers,
    showing,
    status_bar,
)
from .session import Session, create_session

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


def create_server() -> tuple[Server, Session]:
    server = Server(
        "texgeist",
        __version__,
        text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental,
        protocol_cls=Protocol,
        converter_factory=default_converter,
        max_workers=2,
    )
    session = create_session(server)
    _register(session)
    return server, session


def _register(session: Session) -> None:
    """Registers each feature with the parts that it needs."""
    editor, checks, writing = session.editor, session.checks, session.writing
    shown = diagnostics.Diagnostics(editor, checks)
    lookups = hover.Lookups(editor.configuration, session.tasks)
    editor.reader.loaded, checks.changed = shown.soon, shown.due

    def changed() -> None:
        session.jobs.changed()
        shown.due()
        editor.refresh()

    async def close() -> None:
        shown.end()
        await session.close()

    lifecycle.register(editor, close)
    lifecycle.register_settings(editor, changed)
    buffers.register(editor, shown, checks)
    status_bar.register(editor, session.jobs)
    actions.register(editor, writing.pending, checks)
    commands.register(writing)
    showing.register(editor, writing, lookups)
    hover.register(editor, lookups)
    offers.register(editor)
    completion.register(editor, completion.OwnLibrary(editor.configuration, session.tasks))
    navigation.register(editor)
    navigation.register_rename(editor)
    links.register(editor)
    lens.register(editor)


def serve_stdio(messages: Messages, answered: int | str | None) -> None:
    server, session = create_server()
    server.protocol.answered = answered
    server.serve(messages, session.close)
