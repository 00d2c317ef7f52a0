"""Completion of citation keys by key, author and title: from the project's bibliographies, then from the user's own
library, whose papers get their entry and key when they are taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.reading.completion import citation_context, complete

from ..documents import path_of

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Completion, Workspace

    from ..configuration import Configuration
    from ..documents import Document, Documents
    from ..own_library import OwnLibrary
    from ..reader import Reader

MOST = 200
MOST_OF_LIBRARY = 20
_LEAST = 3  # letters that are typed before the library is asked


def register(
    server: LanguageServer,
    documents: Documents,
    reader: Reader,
    configuration: Configuration,
    library: OwnLibrary,
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
        more = _of_library(library, configuration, document, offset, {one.title.lower() for one in found})
        items += [_library_item(document, completion) for completion in more or ()]
        return lsp.CompletionList(is_incomplete=more is not None or len(found) >= MOST, items=items)


def _found(
    workspace: Workspace, configuration: Configuration, document: Document, offset: int
) -> list[Completion]:
    editor = configuration.settings.editor
    if editor.beside or not editor.completion:
        return []
    return workspace.complete(document.path, offset)


def _of_library(
    library: OwnLibrary, configuration: Configuration, document: Document, offset: int, titles: set[str]
) -> list[Completion] | None:
    """Papers of the library that the project's bibliographies have not under these words; None where none is to
    be had by typing on."""
    editor = configuration.settings.editor
    if not editor.completion or editor.beside or not configuration.client.completes_with_commands:
        return None
    if (context := citation_context(document.text, offset)) is None or not library.want():
        return None
    if library.papers is None or len(context.typed) < _LEAST:
        return []
    found = complete(library.papers, context, document.path)
    return [one for one in found if one.title.lower() not in titles][:MOST_OF_LIBRARY]


def _library_item(document: Document, completion: Completion) -> lsp.CompletionItem:
    """The id stands for the paper until its entry is there."""
    span = completion.span
    range_ = document.lines.range(span.start, span.end)
    place = {"line": range_.start.line, "character": range_.start.character}
    given = {"uri": document.uri, "position": place}
    return lsp.CompletionItem(
        label=completion.title,
        kind=lsp.CompletionItemKind.Reference,
        detail=", ".join(filter(None, [completion.authors, completion.year])),
        documentation=lsp.MarkupContent(lsp.MarkupKind.PlainText, "From your library; its entry is added."),
        sort_text=f"~{completion.rank:05d}",
        filter_text=completion.filter,
        text_edit=lsp.TextEdit(range_, completion.key),
        label_details=lsp.CompletionItemLabelDetails(description="your library"),
        command=lsp.Command("Add the entry", "texgeist.server.addEntry", arguments=[given]),
    )


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
