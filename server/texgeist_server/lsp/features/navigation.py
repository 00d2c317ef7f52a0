"""Definitions, references and new names of citation keys; links on keys, and on DOIs and arXiv ids in
bibliographies. The target of a key's link is resolved when the user follows the link."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.uris import from_fs_path
from texgeist_latex.bib.identity import ARXIV_ID, arxiv_id_of, doi_of, dois_in
from texgeist_latex.errors import LatexError
from texgeist_latex.writing.renaming import places_of, plan_renaming, with_sources_of

from ...errors import EditRefused, ServerError
from ...plain_text import visible
from ...sections.safeguards import check_certain
from ..connection.configuration import plain
from ..connection.documents import Units, lines_of, path_of
from ..edits.applying import is_still_so, workspace_edit

if TYPE_CHECKING:
    from pathlib import Path

    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import BibEntry, Draft, EditPlan, Span

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


MOST = 5000  # links in a document
LONGEST = 3_000_000  # code points of a bibliography that is searched
# No user name before the host, which would mislead.
_PAGE = re.compile(r"https?://[^\s\"<>{}\\^`/?#@]+(?:[/?#][^\s\"<>{}\\^`]*)?")
_ARXIV = re.compile(
    rf"(?:\beprint\s*=\s*[{{\"]\s*|arxiv\s*:\s*|arxiv\.org/(?:abs|pdf)/)({ARXIV_ID})",
    re.I,
)


def register_links(editor: Editor) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_LINK, lsp.DocumentLinkOptions(resolve_provider=True))
    async def links(params: lsp.DocumentLinkParams) -> list[lsp.DocumentLink]:
        document = editor.document(params.text_document.uri)
        if document is None or "links" not in (await editor.configuration.loaded()).editor.show:
            return []
        if document.path.suffix.lower() == ".bib":
            return list(await asyncio.to_thread(in_bibliography, document))
        found = await editor.reader.read(lambda workspace: workspace.citations_in(document.path))
        data = {"uri": document.uri}
        return [
            lsp.DocumentLink(
                document.lines.range(one.span.start, one.span.end),
                tooltip=f"Open {visible(one.key)}",
                data={**data, "key": one.key},
            )
            for one in found[:MOST]
            if one.key != "*"
        ]

    @editor.server.feature(lsp.DOCUMENT_LINK_RESOLVE)
    async def resolve(link: lsp.DocumentLink) -> lsp.DocumentLink:
        given = plain(link.data)
        path, key = path_of(str(given.get("uri", ""))), str(given.get("key", ""))
        if target := await editor.reader.read(lambda workspace: target_of(workspace, path, key)):
            link.target = target
        return link


def target_of(workspace: Workspace, path: Path, key: str) -> str:
    """The address of the paper's page; if its entry has none, the place of the entry; "" if there is no
    entry."""
    found = workspace.entry(path, key)
    if found is None:
        return ""
    entry = found[1]
    if address := address_of(entry):
        return address
    uri = from_fs_path(str(entry.span.file)) or ""
    return f"{uri}#L{entry.line}"


def address_of(entry: BibEntry) -> str:
    """The address of a paper, made from its ids; else the `url` of its entry."""
    if doi := doi_of(entry):
        return "https://doi.org/" + quote(doi, safe="/.:;-()")
    if arxiv := arxiv_id_of(entry):
        return "https://arxiv.org/abs/" + quote(arxiv, safe="/.")
    url = entry.fields.get("url", "").strip()
    return (
        url if _PAGE.fullmatch(url) and url.isprintable() else ""
    )  # no control character or bidirectional mark, which would mislead


def document_of(workspace: Workspace, path: Path, offset: int, folders: Sequence[str]) -> str:
    """The PDF for the citation or entry at `offset`: the user's own file, if it is in `folders`; else
    arXiv's; else the paper's page; "" if there is none. Files outside the user's folders are not opened,
    because a project's bibliography may name any file."""
    from texgeist_retrieval.fulltext.local import attached_pdfs, lies_within
    from texgeist_retrieval.paths import expanded

    key = workspace.key_at(path, offset)
    found = workspace.entry(path, key) if key else None
    if found is None:
        return ""
    entry, own = found[1], [expanded(folder) for folder in folders]
    named = attached_pdfs(entry.fields.get("file", ""), entry.span.file.parent, own) if own else ()
    if pdf := next((one for one in named if lies_within(one, own)), None):
        return from_fs_path(str(pdf)) or ""
    if arxiv := arxiv_id_of(entry):
        return "https://arxiv.org/pdf/" + quote(arxiv, safe="/.")
    return address_of(entry)


@lru_cache(maxsize=4)
def in_bibliography(document: Document) -> tuple[lsp.DocumentLink, ...]:
    """The links of a bibliography, cached for each version. Must not be called on the event loop: a megabyte
    takes 0.2 s."""
    text = document.text
    if len(text) > LONGEST:
        return ()
    found = [
        (start, end, "https://doi.org/" + quote(doi, safe="/.:;-()")) for start, end, doi in dois_in(text)
    ]
    found += [
        (m.start(1), m.end(1), "https://arxiv.org/abs/" + quote(m[1], safe="/."))
        for m in _ARXIV.finditer(text)
    ]
    return tuple(
        lsp.DocumentLink(document.lines.range(start, end), target=target)
        for start, end, target in sorted(found)[:MOST]
    )
