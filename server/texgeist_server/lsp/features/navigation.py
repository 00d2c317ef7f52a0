"""Definition and references of citation keys."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from ..documents import path_of
from ..positions import Units, lines_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import Span

    from ..configuration import Configuration
    from ..documents import Documents, Opened
    from ..reader import Reader


def register(
    server: LanguageServer, documents: Documents, reader: Reader, configuration: Configuration
) -> None:
    async def locate(
        params: lsp.DefinitionParams | lsp.ReferenceParams, ask: Callable[[Workspace, Path, int], list[Span]]
    ) -> list[lsp.Location]:
        opened = documents.now
        document = opened.get(path_of(params.text_document.uri))
        if document is None:
            return []
        path, offset = document.path, document.lines.offset(params.position)

        def find(workspace: Workspace) -> list[lsp.Location]:
            if configuration.settings.editor.beside:
                return []
            spans, units = ask(workspace, path, offset), configuration.client.units
            return [place for span in spans if (place := location_of(workspace, opened, span, units))]

        return await reader.read(find)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return await locate(params, lambda workspace, *at: workspace.definition(*at))

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        return await locate(params, lambda workspace, *at: workspace.references(*at))


def location_of(workspace: Workspace, opened: Opened, span: Span, units: Units) -> lsp.Location | None:
    """A span as a place in the client's units; None when its file cannot be read any more."""
    if document := opened.get(span.file):
        return lsp.Location(document.uri, document.lines.range(span.start, span.end))
    text = workspace.text(span.file)
    if text is None or (uri := from_fs_path(str(span.file))) is None:
        return None
    return lsp.Location(uri, lines_of(text, units).range(span.start, span.end))
