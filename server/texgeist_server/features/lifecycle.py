"""Start and end of a session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from ..clients import client_of, plain
from ..keys import ALIASES, VARIABLES

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

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(*_: object) -> None:
        await session.close()


def _folders(params: lsp.InitializeParams) -> list[Path]:
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    return [Path(path) for uri in uris if (path := to_fs_path(uri))]
