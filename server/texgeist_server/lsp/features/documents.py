"""Open documents, and files that change outside the editor."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError

from ...sections import provenance
from ..documents import path_of
from . import diagnostics, lens
from .actions import blocks

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..documents import Document
    from ..session import Session


def _bring_back(session: Session, document: Document) -> None:
    """The reasons of a section that was removed, when an undo has brought its text back."""
    standing = [section for section, _, _ in blocks(document)]
    if not standing:
        return
    with contextlib.suppress(LatexError, OSError):
        root = session.workspace.root(document.path)
        data = provenance.read(root)
        if (brought := provenance.restored(data, standing)) is not data:
            provenance.write(root, brought)


def register(server: LanguageServer, session: Session) -> None:
    # Not `async`: the store must have changed before the next message is looked at.
    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        given = params.text_document
        document = session.documents.open(given.uri, given.text, given.version)
        session.post(lambda: session.workspace.open(document.path, document.text))
        diagnostics.due(session)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        given = params.text_document
        document = session.documents.change(given.uri, given.version, params.content_changes)
        session.post(lambda: session.workspace.change(document.path, document.text))
        diagnostics.due(session)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        session.documents.close(uri)
        session.post(lambda: session.workspace.close(path_of(uri)))
        diagnostics.closed(session, uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        document = session.documents.get(path_of(params.text_document.uri))
        if document is not None and session.trusted:
            session.post(_bring_back, session, document)
        diagnostics.due(session)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        for change in params.changes:
            session.post(session.workspace.changed_on_disk, path_of(change.uri))
        diagnostics.due(session)
        lens.refresh(session)
