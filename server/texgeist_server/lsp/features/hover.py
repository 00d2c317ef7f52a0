"""Hover: why is this citation here. Offline, from provenance, else from the bibliography."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_latex.types import SourceFile
from texgeist_latex.writing.blocks import find_blocks

from ...sections import provenance
from ...sections.hover_text import described, why
from ..documents import path_of

if TYPE_CHECKING:
    from pathlib import Path

    from pygls.lsp.server import LanguageServer

    from ..session import Session


def register(server: LanguageServer, session: Session) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = session.documents.get(path_of(params.text_document.uri))
        if document is None:
            return None
        found = await session.read(
            lambda: (
                explain(session, document.path, document.lines.offset(params.position))
                if session.settings.editor.hover
                else None
            )
        )
        if found is None:
            return None
        text, start, end = found
        session.abstracts.wanted(session)
        if not session.client.markdown_hover:
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, unmarked(text)))
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, text), document.lines.range(start, end))


def explain(session: Session, path: Path, offset: int, always: bool = False) -> tuple[str, int, int] | None:
    """Markdown on the citation at `offset` and where its key stands. On the reading thread."""
    citation = session.workspace.citation_at(path, offset)
    if citation is None:
        return None
    span = (citation.span.start, citation.span.end)
    if record := _record(session, path, citation.key):
        return why(citation.key, record), *span
    if session.settings.editor.beside and not always:
        return None
    if entry := session.workspace.entry(path, citation.key):
        abstract = "" if entry[1].fields.get("abstract") else session.abstracts.of(entry[1])
        return described(entry[1], abstract), *span
    return None


def _record(session: Session, path: Path, key: str) -> dict[str, Any] | None:
    try:
        root = session.workspace.root(path)
    except LatexError:
        return None
    standing = [block.id for block in find_blocks([SourceFile(path, session.workspace.text(path) or "")])]
    record = provenance.restored(provenance.read(root), standing)
    found: dict[str, Any] | None = record["citations"].get(key)
    return found


def unmarked(markdown: str) -> str:
    """The Markdown of `why.py` as plain text."""
    text = re.sub(r"\[((?:\\.|[^\]\\])*)\]\(([^)]*)\)", r"\1 <\2>", markdown)
    text = re.sub(r"(?<!\\)[*`]+", "", text)
    return re.sub(r"\\([\\`*_{}\[\]<>#|!~$&])", r"\1", text)
