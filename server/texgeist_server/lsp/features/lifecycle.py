"""Start and end of a session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from ...config.credentials import ALIASES, VARIABLES
from ..clients import client_of, plain

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..configuration import Configuration
    from ..documents import Documents


def register(
    server: LanguageServer,
    configuration: Configuration,
    documents: Documents,
    read_anew: Callable[[], None],
    close: Callable[[], Awaitable[None]],
) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        configuration.client = client_of(params)
        documents.units = configuration.client.units
        configuration.folders = tuple(_folders(params))
        options = plain(params.initialization_options)
        configuration.trusted = options.get("trusted", True) is not False
        configuration.given = plain(options.get("settings"))
        for name, key in plain(options.get("keys")).items():
            if ALIASES.get(name, name) in VARIABLES and isinstance(key, str):
                configuration.keys = configuration.keys.having(name, key)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = _paths(params.event.removed)
        kept = [folder for folder in configuration.folders if folder not in gone]
        new = [folder for folder in _paths(params.event.added) if folder not in kept]
        configuration.folders = (*kept, *new)
        read_anew()

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(*_: object) -> None:
        await close()


def _folders(params: lsp.InitializeParams) -> list[Path]:
    if params.workspace_folders:
        return _paths(params.workspace_folders)
    path = to_fs_path(params.root_uri) if params.root_uri else None
    return [Path(path)] if path else []


def _paths(folders: Sequence[lsp.WorkspaceFolder]) -> list[Path]:
    return [Path(path) for folder in folders if (path := to_fs_path(folder.uri))]
