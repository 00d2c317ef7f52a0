"""Session, settings, open documents, and files changed outside the editor."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from ...config.credentials import ALIASES, VARIABLES
from ..connection.configuration import client_of, plain
from ..connection.documents import path_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace

    from ..connection.editor import Editor
    from ..jobs.saved_checks import SavedChecks
    from .diagnostics import Diagnostics

_REQUESTS_FIRST = 0.1  # seconds for the first requests on a document, before it is checked


def register(editor: Editor, close: Callable[[], Awaitable[None]]) -> None:
    configuration = editor.configuration

    @editor.server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        configuration.client = client_of(params)
        editor.documents.units = configuration.client.units
        configuration.folders = tuple(_folders(params))
        options = plain(params.initialization_options)
        configuration.trusted = options.get("trusted", True) is not False
        configuration.given = plain(options.get("settings"))
        for name, key in plain(options.get("keys")).items():
            if ALIASES.get(name, name) in VARIABLES and isinstance(key, str):
                configuration.keys = configuration.keys.having(name, key)

    @editor.server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = _paths(params.event.removed)
        kept = [folder for folder in configuration.folders if folder not in gone]
        new = [folder for folder in _paths(params.event.added) if folder not in kept]
        configuration.folders = (*kept, *new)
        editor.read_anew()

    @editor.server.feature(lsp.SHUTDOWN)
    async def shutdown(*_: object) -> None:
        await close()


def _folders(params: lsp.InitializeParams) -> list[Path]:
    if params.workspace_folders:
        return _paths(params.workspace_folders)
    path = to_fs_path(params.root_uri) if params.root_uri else None
    return [Path(path)] if path else []


def _paths(folders: Sequence[lsp.WorkspaceFolder]) -> list[Path]:
    return [Path(path) for folder in folders if (path := to_fs_path(folder.uri))]


log = logging.getLogger(__name__)
_FILES = ("*.tex", "*.bib", "*.ltx", "_quarto.yml", ".latexmkrc", ".texgeist/provenance.json")
WATCHED = tuple(f"**/{name}" for name in _FILES)


def register_settings(editor: Editor, changed: Callable[[], None]) -> None:
    """`changed` is called when the settings have changed."""
    configuration = editor.configuration

    async def refresh(sent: dict[str, Any] | None = None) -> None:
        pulled = await _pull(editor.server) if configuration.client.pulls_configuration else None
        if pulled is None:
            pulled = plain((sent or {}).get("texgeist", sent or {}))
        if await asyncio.to_thread(configuration.change, pulled):
            editor.read_anew()
        if problems := configuration.new_problems():
            editor.warn("\n".join(problems))
        changed()

    @editor.server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        if configuration.client.watches_files:
            await _watch(editor.server)
        await refresh()

    @editor.server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: lsp.DidChangeConfigurationParams) -> None:
        await refresh(plain(params.settings))


async def _pull(server: LanguageServer) -> dict[str, Any] | None:
    item = lsp.ConfigurationItem(section="texgeist")
    try:
        async with asyncio.timeout(5):
            answer = await server.workspace_configuration_async(lsp.ConfigurationParams([item]))
    except Exception as error:  # noqa: BLE001  (without an answer the defaults apply)
        log.info("no configuration from the editor: %s", error)
        return None
    return plain(answer[0]) if answer else None


async def _watch(server: LanguageServer) -> None:
    watchers = [lsp.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
    options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    registration = lsp.Registration("texgeist-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
    try:
        async with asyncio.timeout(5):
            await server.client_register_capability_async(lsp.RegistrationParams([registration]))
    except Exception as error:  # noqa: BLE001  (without watching, files are read again when they are opened)
        log.info("the editor does not watch files: %s", error)


def register_documents(editor: Editor, diagnostics: Diagnostics, checks: SavedChecks) -> None:
    # Not `async`: the store must change before the next message is handled.
    @editor.server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        given = params.text_document
        document = editor.documents.open(given.uri, given.text, given.version)
        editor.reader.open(document)
        editor.reader.post(lambda workspace: workspace.prepare(document.path))
        asyncio.get_running_loop().call_later(_REQUESTS_FIRST, diagnostics.due)

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
