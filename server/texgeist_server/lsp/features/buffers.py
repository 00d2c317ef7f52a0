"""Notifications about open documents, and about files changed outside the editor."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ..connection.documents import path_of

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

    from ..connection.editor import Editor
    from ..jobs.saved_checks import SavedChecks
    from .diagnostics import Diagnostics


def register(editor: Editor, diagnostics: Diagnostics, checks: SavedChecks) -> None:
    # Not `async`: the store must change before the next message is handled.
    @editor.server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        given = params.text_document
        document = editor.documents.open(given.uri, given.text, given.version)
        editor.reader.open(document)
        editor.reader.post(lambda workspace: workspace.prepare(document.path))
        diagnostics.due()

    @editor.server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        given = params.text_document
        document = editor.documents.change(given.uri, given.version, params.content_changes)
        editor.reader.change(document)
        diagnostics.due()

    @editor.server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        editor.documents.close(uri)
        editor.reader.close_document(path_of(uri))
        diagnostics.closed(uri)

    @editor.server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        checks.saved(path_of(params.text_document.uri))
        diagnostics.due()

    @editor.server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def changed_on_disk(params: lsp.DidChangeWatchedFilesParams) -> None:
        paths = [path_of(change.uri) for change in params.changes]
        editor.reader.post(lambda workspace: _changed_on_disk(workspace, paths))
        diagnostics.due()
        editor.refresh()


def _changed_on_disk(workspace: Workspace, paths: Sequence[Path]) -> None:
    for path in paths:
        workspace.changed_on_disk(path)
