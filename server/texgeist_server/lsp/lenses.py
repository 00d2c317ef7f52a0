"""Has the editor ask for its code lenses again."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer

    from .clients import Client


def refresh(server: LanguageServer, client: Client) -> None:
    if client.lens_refresh:
        server.workspace_code_lens_refresh(None)
