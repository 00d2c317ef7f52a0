"""Finds definitions and references of citation keys, and renames them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path
from texgeist_latex.errors import LatexError
from texgeist_latex.writing.renaming import places_of, plan_renaming, with_sources_of

from ...errors import EditRefused, ServerError
from ...sections.safeguards import check_certain
from ..connection.documents import path_of
from ..connection.positions import Units, lines_of
from ..edits.applying import is_still_so, workspace_edit

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import Draft, EditPlan, Span

    from ..connection.documents import Document, Opened
    from ..connection.editor import Editor


def register(editor: Editor) -> None:
    async def locate(
        params: lsp.DefinitionParams | lsp.ReferenceParams, ask: Callable[[Workspace, Path, int], list[Span]]
    ) -> list[lsp.Location]:
        opened = editor.documents.now
        document = opened.get(path_of(params.text_document.uri))
        if document is None:
            return []
        path, offset = document.path, document.lines.offset(params.position)

        def find(workspace: Workspace) -> list[lsp.Location]:
            if editor.settings.editor.beside:
                return []
            spans, units = ask(workspace, path, offset), editor.client.units
            return [place for span in spans if (place := location_of(workspace, opened, span, units))]

        return await editor.reader.read(find)

    @editor.server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return await locate(params, lambda workspace, *at: workspace.definition(*at))

    @editor.server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    async def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        return await locate(params, lambda workspace, *at: workspace.references(*at))


def location_of(workspace: Workspace, opened: Opened, span: Span, units: Units) -> lsp.Location | None:
    """A span as a location in the client's units; None if its file cannot be read any more."""
    if document := opened.get(span.file):
        return lsp.Location(document.uri, document.lines.range(span.start, span.end))
    text = workspace.text(span.file)
    if text is None or (uri := from_fs_path(str(span.file))) is None:
        return None
    return lsp.Location(uri, lines_of(text, units).range(span.start, span.end))


_FAILED = -32803  # RequestFailed: the message is shown to the user
_CHANGED = EditRefused("The document changed meanwhile; try again.")


def register_rename(editor: Editor) -> None:
    def at(params: lsp.PrepareRenameParams | lsp.RenameParams) -> tuple[Path, int] | None:
        document = editor.document(params.text_document.uri)
        return (document.path, document.lines.offset(params.position)) if document else None

    def still_so(asked: Document, draft: Draft, plan: EditPlan) -> bool:
        now = editor.documents.get(asked.path)
        same = now is not None and now.version == asked.version
        return same and all(is_still_so(editor, draft, edit.file) for edit in plan.edits)

    @editor.server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    async def prepare(params: lsp.PrepareRenameParams) -> lsp.PrepareRenamePlaceholder | None:
        document = editor.document(params.text_document.uri)
        if document is None or (place := at(params)) is None:
            return None
        path, offset = place

        def look(workspace: Workspace) -> tuple[str, Span] | None:
            key = workspace.key_at(path, offset)
            spans = places_of(workspace.draft(path), key) if key else ()
            here = (one for one in spans if one.file == path and one.start <= offset <= one.end)
            return next(((key, one) for one in here if key), None)  # only keys can be renamed

        try:
            found = await editor.reader.read(look)
        except LatexError:
            return None
        if found is None:
            return None
        key, here = found
        return lsp.PrepareRenamePlaceholder(document.lines.range(here.start, here.end), key)

    @editor.server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    async def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        document = editor.document(params.text_document.uri)
        if document is None or (place := at(params)) is None:
            return None
        try:
            draft = await editor.reader.draft(place[0])
            key = await editor.reader.read(lambda workspace: workspace.key_at(*place))
            check_certain(draft)
            if not key or key == params.new_name:
                return None
            others = await editor.reader.sharing(draft, key)
            loose = await editor.reader.loose(draft, key)
            plan = await asyncio.to_thread(plan_renaming, draft, key, params.new_name, others, loose)
        except (LatexError, ServerError) as error:
            _refuse(error)
        draft = with_sources_of(draft, others)
        if not still_so(document, draft, plan):
            _refuse(_CHANGED)
        if plan.notes:
            editor.say(" ".join(plan.notes))
        # No await since the comparison, so places belong to the text that was just compared.
        return workspace_edit(editor, draft, plan.edits)


def _refuse(error: LatexError | ServerError) -> NoReturn:
    raise JsonRpcException(error.sentence(), _FAILED) from None
