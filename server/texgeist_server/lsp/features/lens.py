"""Code lens: over the abstract, and over generated sections."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError

from ...sections import provenance
from ...sections.block_kinds import block_kind
from ...sections.laid_aside import restored
from ..closest import title_of
from ..documents import path_of
from .actions import blocks

if TYPE_CHECKING:
    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace

    from ...sections.closest import Closest
    from ..closest import ClosestWork
    from ..configuration import Configuration
    from ..documents import Document, Documents
    from ..reader import Reader


def register(
    server: LanguageServer,
    documents: Documents,
    reader: Reader,
    configuration: Configuration,
    closest: ClosestWork,
) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    async def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = documents.get(path_of(params.text_document.uri))
        if document is None or document.path.suffix == ".bib":
            return []
        if not (await configuration.loaded()).editor.code_lens:
            return []
        known = closest.known
        return await reader.read(lambda workspace: _lenses(workspace, document, known))


def _lenses(workspace: Workspace, document: Document, known: Mapping[Path, Closest]) -> list[lsp.CodeLens]:
    try:
        span = workspace.abstract_span(document.path)
        root = workspace.root(document.path)
    except LatexError:
        return []
    lenses = []
    if span is not None and span.file == document.path:
        given = {"uri": document.uri, "from": "abstract"}
        lenses.append(_lens(document, span.start, "Write related work", "relatedWork", given))
        if one := known.get(root):
            lenses.append(_lens(document, span.start, title_of(one), "closestWork", {"uri": document.uri}))
    found = list(blocks(document))
    data = provenance.read(root)
    sections = restored(data, [section for section, _, _ in found])["sections"]
    for section, start, _ in found:
        given = {"uri": document.uri, "section": section}
        kind = block_kind(data, section)
        reviewed = "review" if kind == "related work" else ""
        lenses.append(_lens(document, start, age(sections.get(section, {})), reviewed, given))
        if kind != "answer":
            lenses.append(_lens(document, start, "Update", "updateSection", given))
        if reviewed:
            lenses.append(_lens(document, start, "Review", reviewed, given))
    return lenses


def age(record: dict[str, Any]) -> str:
    """ "10 papers, 3 days old", of a section's provenance."""
    count = int(record.get("papers", 0))
    papers = "1 paper" if count == 1 else f"{count} papers"
    try:
        days = (date.today() - date.fromisoformat(str(record.get("date")))).days
    except ValueError:
        return "texgeist"
    old = "from today" if days <= 0 else "1 day old" if days == 1 else f"{days} days old"
    return f"{papers}, {old}"


def _lens(document: Document, offset: int, title: str, command: str, given: dict[str, Any]) -> lsp.CodeLens:
    """Without a command it says something and does nothing."""
    position = document.lines.position(offset)
    does = (
        lsp.Command(title, f"texgeist.server.{command}", arguments=[given])
        if command
        else lsp.Command(title, "")
    )
    return lsp.CodeLens(lsp.Range(position, position), does)
