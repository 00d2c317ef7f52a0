"""Completes citation keys by relevance to the sentence, and by key, author and title. Offers citations at the end of
a sentence: as inline completion, or as a quick fix in editors without inline completion.

The project's bibliographies come first, then the user's library; when the user accepts a paper of the
library, its entry and key are created. Typing never waits for the index: the first citation starts a listing
of the library in the worker, and completion searches that list like a bibliography.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.reading.completion import MOST, citation_context, complete
from texgeist_latex.types import BibEntry, Bibliography, Span

from ...errors import ServerError
from ...index_places import can_be_read, index_place
from ...plain_text import cut, visible
from ...sections.requests import ListedPaper, PaperList
from ..connection.configuration import Configuration
from ..jobs.jobs import Tasks

if TYPE_CHECKING:
    from texgeist_latex.bib.library import Library
    from texgeist_latex.reading.offers import OfferedEntry
    from texgeist_latex.reading.workspace import Completion

    from ..connection.documents import Document
    from ..connection.editor import Editor

MOST_OF_LIBRARY = 20
_LABEL = 36  # characters of a title; beside a longer label, VS Code hides the words "your library"
_LEAST = 3  # characters typed before the library is searched


def register(editor: Editor, library: OwnLibrary) -> None:
    options = lsp.CompletionOptions(trigger_characters=["{", ",", "@"])

    @editor.server.feature(lsp.TEXT_DOCUMENT_COMPLETION, options)
    async def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        document = editor.document(params.text_document.uri)
        if document is None:
            return lsp.CompletionList(False, [])
        offset = document.lines.offset(params.position)
        # Read first: at the start, the settings are still being loaded, and a check for diagnostics would go first.
        found = await editor.reader.read(lambda workspace: workspace.complete(document.path, offset))
        settings = (await editor.configuration.loaded()).editor
        if settings.beside or "completion" not in settings.show:
            return lsp.CompletionList(False, [])
        spans = {completion.span for completion in found}
        ranges = {span: document.lines.range(span.start, span.end) for span in spans}
        items = [_item(completion, ranges[completion.span]) for completion in found]
        more = _of_library(library, editor, document, offset, {one.title.lower() for one in found})
        items += [_library_item(document, completion) for completion in more or ()]
        return lsp.CompletionList(is_incomplete=more is not None or len(found) >= MOST, items=items)


def _of_library(
    library: OwnLibrary, editor: Editor, document: Document, offset: int, titles: set[str]
) -> list[Completion] | None:
    """Papers of the library that the project's bibliographies lack. Returns None if no further typing can
    make a paper match."""
    if not editor.client.completes_with_commands:
        return None
    if (context := citation_context(document.path, document.text, offset)) is None or not library.want():
        return None
    if library.papers is None or len(context.typed) < _LEAST:
        return []
    found = complete(library.papers, context, document.path)
    return [one for one in found if one.title.lower() not in titles][:MOST_OF_LIBRARY]


def _library_item(document: Document, completion: Completion) -> lsp.CompletionItem:
    """A completion item that inserts the paper's id. Its command then adds the entry and replaces the id by
    the key."""
    span = completion.span
    range_ = document.lines.range(span.start, span.end)
    place = {"line": range_.start.line, "character": range_.start.character}
    given = {"uri": document.uri, "position": place}
    return lsp.CompletionItem(
        label=cut(completion.title, _LABEL),
        kind=lsp.CompletionItemKind.Reference,
        detail=visible(", ".join(filter(None, [completion.authors, completion.year]))),
        documentation=lsp.MarkupContent(
            lsp.MarkupKind.PlainText,
            f"{visible(completion.title)}\nFrom your library or discovered papers. Accepting it adds its entry.",
        ),
        sort_text=f"~{completion.rank:05d}",
        filter_text=completion.filter,
        text_edit=lsp.TextEdit(range_, completion.key),
        label_details=lsp.CompletionItemLabelDetails(description="your library"),
        command=lsp.Command("Add the entry", "texgeist.server.addEntry", arguments=[given]),
    )


def _item(completion: Completion, replaced: lsp.Range) -> lsp.CompletionItem:
    about = visible(", ".join(filter(None, [completion.authors, completion.year])))
    documented = "\n".join(filter(None, [visible(completion.title), visible(completion.why)]))
    return lsp.CompletionItem(
        label=visible(completion.key),
        kind=lsp.CompletionItemKind.Reference,
        detail=about,
        documentation=lsp.MarkupContent(lsp.MarkupKind.PlainText, documented),
        sort_text=f"{completion.rank:05d}",
        filter_text=completion.filter,
        text_edit=lsp.TextEdit(replaced, completion.written),
        label_details=lsp.CompletionItemLabelDetails(description=about),
    )


def register_inline(editor: Editor) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_INLINE_COMPLETION, lsp.InlineCompletionOptions())
    async def inline_completion(params: lsp.InlineCompletionParams) -> lsp.InlineCompletionList:
        document = editor.document(params.text_document.uri)
        offset = document.lines.offset(params.position) if document else 0
        found = await offer_at(editor, document, offset) if document else None
        if document is None or found is None:
            return lsp.InlineCompletionList([])
        range_ = document.lines.range(found.at, offset)  # includes the full stop if the cursor is behind it
        return lsp.InlineCompletionList(
            [lsp.InlineCompletionItem(found.latex + document.text[found.at : offset], range=range_)]
        )


async def offer_at(editor: Editor, document: Document, offset: int) -> OfferedEntry | None:
    """The citation to offer for the sentence that ends at `offset`; None if the user turned offers off."""
    if "inlineCompletion" not in (await editor.configuration.loaded()).editor.show:
        return None
    return await editor.reader.read(lambda workspace: workspace.offer(document.path, offset))


async def offered_fix(editor: Editor, document: Document, offset: int) -> list[lsp.CodeAction]:
    """The offer as a quick fix; empty if nothing is offered."""
    found = await offer_at(editor, document, offset)
    if found is None:
        return []
    edit = lsp.TextEdit(document.lines.range(found.at, found.at), found.latex)
    title = f"texgeist: cite {visible(found.entry.key)}"
    return [
        lsp.CodeAction(title, lsp.CodeActionKind.QuickFix, edit=lsp.WorkspaceEdit({document.uri: [edit]}))
    ]


log = logging.getLogger(__name__)
LISTED_S = 600.0  # seconds after which the papers are listed again
_IN_A_CITATION = re.compile(r"[\w./:-]+")  # ids that are safe inside a citation command


class OwnLibrary:
    """The papers of the user's index, for completion. Used only on the event loop. `papers` is None until the
    papers are listed; it is replaced as a whole and may be given to other threads. Its entries have paper ids
    as keys, by which `addEntry` identifies the paper."""

    def __init__(self, configuration: Configuration, tasks: Tasks) -> None:
        self._configuration = configuration
        self._tasks = tasks
        self.papers: Library | None = None
        self._listed = 0.0
        self._place = ""
        self._task: asyncio.Task[None] | None = None

    def want(self) -> bool:
        """Starts listing the papers if there is no recent list. Returns whether there is a list or a list is
        being made."""
        settings, keys = self._configuration.settings, self._configuration.keys
        place = index_place(settings, keys)
        if place.location != self._place:
            self.papers, self._place, self._listed = None, place.location, 0.0
        if not self._configuration.trusted or not can_be_read(place):
            return False
        lately = self._listed and time.monotonic() - self._listed < LISTED_S
        if not lately and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._list(place.location))
        return self.papers is not None or bool(self._task and not self._task.done())

    async def _list(self, location: str) -> None:
        self._listed = time.monotonic()
        try:
            found = await self._tasks.do(PaperList())
        except ServerError as error:
            log.info("no papers from the library: %s", error)
            return
        papers = await asyncio.to_thread(library_of, found)
        if location == self._place:
            self.papers = papers


def library_of(papers: Sequence[ListedPaper]) -> Library:
    """The papers as a bibliography for completion."""
    from texgeist_latex.bib.index import BibIndex
    from texgeist_latex.bib.library import Library
    from texgeist_latex.bib.pasted import paper_id

    nowhere = Span(Path(), 0, 0)
    entries = [
        BibEntry(
            paper.id.removeprefix("doi:"),
            "misc",
            {"title": paper.title, "author": paper.authors, "year": paper.year},
            nowhere,
            0,
        )
        for paper in papers
        if _IN_A_CITATION.fullmatch(paper.id)
        and (read := paper_id(paper.id.removeprefix("doi:")))
        is not None  # as `addEntry` identifies the paper
        and paper.id == (read.id if read.kind == "arxiv" else f"doi:{read.id}")
    ]
    made = BibIndex(Bibliography(Path(), tuple(entries)))
    made.prepare()
    return Library([made])
