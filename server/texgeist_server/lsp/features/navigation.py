"""Definition and references of citation keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls.uris import from_fs_path

from ..documents import path_of
from ..positions import Lines

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.types import Span

    from ..session import Session


def register(server: LanguageServer, session: Session) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return await _locate(session, params, "definition")

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        return await _locate(session, params, "references")


async def _locate(
    session: Session, params: lsp.DefinitionParams | lsp.ReferenceParams, what: str
) -> list[lsp.Location]:
    document = session.documents.get(path_of(params.text_document.uri))
    if document is None:
        return []
    offset = document.lines.offset(params.position)

    def find() -> list[lsp.Location]:
        if session.settings.editor.beside:
            return []
        workspace = session.workspace
        spans = (
            workspace.definition(document.path, offset)
            if what == "definition"
            else workspace.references(document.path, offset)
        )
        return [location for span in spans if (location := location_of(session, span))]

    return await session.read(find)


def location_of(session: Session, span: Span) -> lsp.Location | None:
    """A span as a place in the client's units; None when its file cannot be read any more."""
    if document := session.documents.get(span.file):
        return lsp.Location(document.uri, document.lines.range(span.start, span.end))
    text = session.workspace.text(span.file)
    if text is None or (uri := from_fs_path(str(span.file))) is None:
        return None
    return lsp.Location(uri, Lines(text, session.client.units).range(span.start, span.end))
