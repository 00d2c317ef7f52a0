"""Start and end of a session."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from ...config.credentials import ALIASES, VARIABLES
from ..clients import client_of, plain

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..session import Session


def register(server: LanguageServer, session: Session) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        session.loop = asyncio.get_running_loop()
        session.client = client_of(params)
        session.documents.units = session.client.units
        session.folders = _folders(params)
        options = plain(params.initialization_options)
        session.trusted = options.get("trusted", True) is not False
        session.given = plain(options.get("settings"))
        for name, key in plain(options.get("keys")).items():
            if ALIASES.get(name, name) in VARIABLES and isinstance(key, str):
                session.keys = session.keys.having(name, key)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        gone = _paths(params.event.removed)
        kept = [folder for folder in session.folders if folder not in gone]
        session.folders = [*kept, *(new for new in _paths(params.event.added) if new not in kept)]
        session.read_anew()

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(*_: object) -> None:
        await session.close()


def _folders(params: lsp.InitializeParams) -> list[Path]:
    if params.workspace_folders:
        return _paths(params.workspace_folders)
    path = to_fs_path(params.root_uri) if params.root_uri else None
    return [Path(path)] if path else []


def _paths(folders: Sequence[lsp.WorkspaceFolder]) -> list[Path]:
    return [Path(path) for folder in folders if (path := to_fs_path(folder.uri))]
