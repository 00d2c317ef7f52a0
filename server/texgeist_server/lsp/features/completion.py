"""Completion of citation keys by key, author and title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ..documents import path_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Completion

    from ..documents import Document
    from ..session import Session

MOST = 200


def register(server: LanguageServer, session: Session) -> None:
    options = lsp.CompletionOptions(trigger_characters=["{", ","])

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = session.documents.get(path_of(params.text_document.uri))
        if document is None:
            return lsp.CompletionList(False, [])
        offset = document.lines.offset(params.position)
        found = await session.read(lambda: _found(session, document, offset))
        items = [_item(document, completion) for completion in found]
        return lsp.CompletionList(is_incomplete=len(found) >= MOST, items=items)


def _found(session: Session, document: Document, offset: int) -> list[Completion]:
    editor = session.settings.editor
    if editor.beside or not editor.completion:
        return []
    return session.workspace.complete(document.path, offset)


def _item(document: Document, completion: Completion) -> lsp.CompletionItem:
    entry = completion.entry
    about = ", ".join(filter(None, [completion.authors, completion.year]))
    span = completion.span
    return lsp.CompletionItem(
        label=completion.key,
        kind=lsp.CompletionItemKind.Reference,
        detail=about,
        documentation=lsp.MarkupContent(lsp.MarkupKind.PlainText, completion.title),
        sort_text=f"{completion.rank:05d}",
        filter_text=completion.filter,
        text_edit=lsp.TextEdit(document.lines.range(span.start, span.end), completion.key),
        label_details=lsp.CompletionItemLabelDetails(description=about),
        tags=None,
        commit_characters=None,
        data=entry.type,
    )
