"""Completion of citation keys by key, author and title."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ..documents import path_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Completion, Workspace

    from ..configuration import Configuration
    from ..documents import Document, Documents
    from ..reader import Reader

MOST = 200


def register(
    server: LanguageServer, documents: Documents, reader: Reader, configuration: Configuration
) -> None:
    options = lsp.CompletionOptions(trigger_characters=["{", ","])

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = documents.get(path_of(params.text_document.uri))
        if document is None:
            return lsp.CompletionList(False, [])
        offset = document.lines.offset(params.position)
        found = await reader.read(lambda workspace: _found(workspace, configuration, document, offset))
        spans = {completion.span for completion in found}
        ranges = {span: document.lines.range(span.start, span.end) for span in spans}
        items = [_item(completion, ranges[completion.span]) for completion in found]
        return lsp.CompletionList(is_incomplete=len(found) >= MOST, items=items)


def _found(
    workspace: Workspace, configuration: Configuration, document: Document, offset: int
) -> list[Completion]:
    editor = configuration.settings.editor
    if editor.beside or not editor.completion:
        return []
    return workspace.complete(document.path, offset)


def _item(completion: Completion, replaced: lsp.Range) -> lsp.CompletionItem:
    entry = completion.entry
    about = ", ".join(filter(None, [completion.authors, completion.year]))
    return lsp.CompletionItem(
        label=completion.key,
        kind=lsp.CompletionItemKind.Reference,
        detail=about,
        documentation=lsp.MarkupContent(lsp.MarkupKind.PlainText, completion.title),
        sort_text=f"{completion.rank:05d}",
        filter_text=completion.filter,
        text_edit=lsp.TextEdit(replaced, completion.key),
        label_details=lsp.CompletionItemLabelDetails(description=about),
        tags=None,
        commit_characters=None,
        data=entry.type,
    )
