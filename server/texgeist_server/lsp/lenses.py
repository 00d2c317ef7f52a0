"""Has the editor ask for its code lenses and inlay hints again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from .clients import Client


def refresh(server: LanguageServer, client: Client) -> None:
    if client.lens_refresh:
        server.workspace_code_lens_refresh(None)


def refresh_hints(server: LanguageServer, client: Client) -> None:
    if client.hint_refresh:
        server.workspace_inlay_hint_refresh(None)
