"""The language server: puts the session and the features together and serves them."""

from __future__ import annotations

import logging
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter
from pygls.protocol.language_server import lsp_method

from .. import __version__
from .features import (
    actions,
    commands,
    completion,
    configuration,
    diagnostics,
    documents,
    hover,
    lens,
    lifecycle,
    navigation,
    status,
)
from .session import Session

log = logging.getLogger(__name__)


class Protocol(LanguageServerProtocol):
    """Document changes go to our own store alone (see `documents.py`)."""

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
    def report_server_error(self, error: Exception, source: Any) -> None:
        """Into the log: what the user can act on is said by the features themselves."""
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
    session = Session(server)
    for feature in (
        lifecycle,
        configuration,
        documents,
        status,
        actions,
        commands,
        hover,
        completion,
        navigation,
        diagnostics,
        lens,
    ):
        feature.register(server, session)
    return server, session


def serve_stdio() -> None:
    server, _ = create_server()
    server.start_io()


def serve_tcp(host: str, port: int) -> None:
    """One client; the server ends when it goes."""
    server, _ = create_server()
    server.start_tcp(host, port)
