"""Settings from the editor, and the files that it watches for us."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from ..clients import plain
from ..messages import warn

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from ..configuration import Configuration

log = logging.getLogger(__name__)
WATCHED = ("**/*.tex", "**/*.bib", "**/*.ltx", "**/.latexmkrc", "**/.texgeist/provenance.json")


def register(
    server: LanguageServer,
    configuration: Configuration,
    changed: Callable[[], None],
    read_anew: Callable[[], None],
) -> None:
    """`changed` is called when there are other settings, `read_anew` when the project is read otherwise with
    them."""

    async def refresh(sent: dict[str, Any] | None = None) -> None:
        pulled = await _pull(server) if configuration.client.pulls_configuration else None
        if pulled is None:
            pulled = plain((sent or {}).get("texgeist", sent or {}))
        if await asyncio.to_thread(configuration.change, pulled):
            read_anew()
        if problems := configuration.new_problems():
            warn(server, "\n".join(problems))
        changed()

    @server.feature(lsp.INITIALIZED)
    async def initialized(params: lsp.InitializedParams) -> None:
        if configuration.client.watches_files:
            await _watch(server)
        await refresh()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def settings_changed(params: lsp.DidChangeConfigurationParams) -> None:
        await refresh(plain(params.settings))


async def _pull(server: LanguageServer) -> dict[str, Any] | None:
    item = lsp.ConfigurationItem(section="texgeist")
    try:
        async with asyncio.timeout(5):
            answer = await server.workspace_configuration_async(lsp.ConfigurationParams([item]))
    except Exception as error:  # noqa: BLE001  (an editor that cannot say keeps the defaults)
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
