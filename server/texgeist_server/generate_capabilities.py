"""`lsp/capabilities.json` from the features that are registered: what `first_answer` offers before they are. For
`generate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from lsprotocol.types import ClientCapabilities, ServerCapabilities
from pygls.capabilities import ServerCapabilitiesBuilder

from .lsp.server import create_server


def offered(client: ClientCapabilities) -> dict[str, Any]:
    """What the server itself answers to a client of these capabilities."""
    server, _ = create_server()
    features = server.protocol.fm
    builder = ServerCapabilitiesBuilder(
        client,
        {*features.features, *features.builtin_features},
        features.feature_options,
        list(features.commands),
        server._text_document_sync_kind,
        server._notebook_document_sync,
        ServerCapabilitiesBuilder.choose_position_encoding(client),
    )
    build: Callable[[], ServerCapabilities] = builder.build
    found: dict[str, Any] = server.protocol._converter.unstructure(build())
    return found


def file(_: str) -> str:
    return json.dumps(offered(ClientCapabilities()), indent=2) + "\n"
