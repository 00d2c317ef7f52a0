"""Code lenses over the abstract and over generated sections."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_latex.tex.markdown import is_markdown
from texgeist_retrieval.text.words import number_of

from ...plain_text import visible
from ...sections import provenance
from ...sections.safeguards import block_kind
from .actions import blocks

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace

    from ...sections.provenance_model import SectionRecord
    from ..connection.documents import Document
    from ..connection.editor import Editor


def register(editor: Editor) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_CODE_LENS, lsp.CodeLensOptions())
    async def code_lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        document = editor.document(params.text_document.uri)
        if document is None or document.path.suffix == ".bib":
            return []
        if "codeLens" not in (await editor.configuration.loaded()).editor.show:
            return []
        return await editor.reader.read(lambda workspace: _lenses(workspace, document))


def _lenses(workspace: Workspace, document: Document) -> list[lsp.CodeLens]:
    try:
        span = workspace.abstract_span(document.path)
        root = workspace.root(document.path)
    except LatexError:
        return []
    lenses = []
    if span is not None and span.file == document.path and not is_markdown(document.path):
        given = {"uri": document.uri, "from": "abstract"}
        lenses.append(_lens(document, span.start, "Write related work", "relatedWork", given))
    data = provenance.read(root)
    for section, start, _ in blocks(document):
        given = {"uri": document.uri, "section": section}
        kind = block_kind(data, section)
        reviewed = "review" if kind == "related work" else ""
        lenses.append(_lens(document, start, age(data.sections.get(section)), reviewed, given))
        if kind != "answer":
            lenses.append(_lens(document, start, "Update", "updateSection", given))
        if reviewed:
            lenses.append(_lens(document, start, "Review", reviewed, given))
    return lenses


def age(record: SectionRecord | None) -> str:
    """The age of a generated section from its record, such as "10 papers, 3 days old"."""
    if record is None:
        return "texgeist"
    papers = number_of(record.papers, "paper")
    try:
        days = (date.today() - date.fromisoformat(record.date)).days
    except ValueError:
        return "texgeist"
    old = "from today" if days <= 0 else "1 day old" if days == 1 else f"{days} days old"
    return f"{papers}, {old}"


def _lens(document: Document, offset: int, title: str, command: str, given: dict[str, Any]) -> lsp.CodeLens:
    """A lens at `offset`. Without a command the lens only shows its title."""
    position, title = document.lines.position(offset), visible(title)
    does = (
        lsp.Command(title, f"texgeist.server.{command}", arguments=[given])
        if command
        else lsp.Command(title, "")
    )
    return lsp.CodeLens(lsp.Range(position, position), does)
