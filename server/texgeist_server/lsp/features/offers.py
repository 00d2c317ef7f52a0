"""Offers citations at the end of a sentence: as inline completion, or as a quick fix in editors without inline
completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ...plain_text import visible

if TYPE_CHECKING:
    from texgeist_latex.reading.offers import OfferedEntry

    from ..connection.documents import Document
    from ..connection.editor import Editor

SWITCH = "inlineCompletion"  # of the setting `editor.show`


def register(editor: Editor) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_INLINE_COMPLETION, lsp.InlineCompletionOptions())
    async def inline_completion(params: lsp.InlineCompletionParams) -> lsp.InlineCompletionList:
        document = editor.document(params.text_document.uri)
        offset = document.lines.offset(params.position) if document else 0
        found = await offer_at(editor, document, offset) if document else None
        if document is None or found is None:
            return lsp.InlineCompletionList([])
        range_ = document.lines.range(found.at, offset)  # the full stop, if the cursor is behind it
        return lsp.InlineCompletionList(
            [lsp.InlineCompletionItem(found.latex + document.text[found.at : offset], range=range_)]
        )


async def offer_at(editor: Editor, document: Document, offset: int) -> OfferedEntry | None:
    """The citation to offer for the sentence that ends at `offset`; None if the user turned offers off."""
    if SWITCH not in (await editor.configuration.loaded()).editor.show:
        return None
    return await editor.reader.read(lambda workspace: workspace.offer(document.path, offset))


async def quick_fix(editor: Editor, document: Document, offset: int) -> list[lsp.CodeAction]:
    """The offer as a quick fix; empty if nothing is offered."""
    found = await offer_at(editor, document, offset)
    if found is None:
        return []
    edit = lsp.TextEdit(document.lines.range(found.at, found.at), found.latex)
    title = f"texgeist: cite {visible(found.entry.key)}"
    return [
        lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=lsp.WorkspaceEdit({document.uri: [edit]}))
    ]
