"""Code lenses over the abstract and over generated sections, and inlay hints with author and year."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from texgeist_latex.errors import LatexError
from texgeist_retrieval.text.words import number_of

from ...plain_text import visible
from ...sections import provenance
from ...sections.generated_sections import block_kind
from ...sections.provenance_changes import restored
from .actions import blocks

if TYPE_CHECKING:
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import BibEntry

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
    if span is not None and span.file == document.path:
        given = {"uri": document.uri, "from": "abstract"}
        lenses.append(_lens(document, span.start, "Write related work", "relatedWork", given))
    found = list(blocks(document))
    data = provenance.read(root)
    sections = restored(data, [section for section, _, _ in found]).sections
    for section, start, _ in found:
        given = {"uri": document.uri, "section": section}
        kind = block_kind(data, section)
        reviewed = "review" if kind == "related work" else ""
        lenses.append(_lens(document, start, age(sections.get(section)), reviewed, given))
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


def register_hints(editor: Editor) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = editor.document(params.text_document.uri)
        if document is None or "inlayHints" not in (await editor.configuration.loaded()).editor.show:
            return []
        low, high = document.lines.offsets(params.range)
        found = await editor.reader.read(lambda workspace: hints_of(workspace, document.path, low, high))
        return [
            lsp.InlayHint(
                document.lines.position(at), visible(words), padding_left=True, tooltip=title or None
            )
            for at, words, title in found
        ]


def hints_of(workspace: Workspace, path: Path, low: int, high: int) -> list[tuple[int, str, str]]:
    """For each citation between the offsets `low` and `high`: its end, its author and year, and its title."""
    shown = []
    for one in workspace.citations_in(path):
        found = workspace.entry(path, one.key) if low <= one.span.start and one.span.end <= high else None
        if found and (words := author_and_year(found[1])):
            shown.append((one.span.end, words, visible(found[1].fields.get("title", ""))))
    return shown


def author_and_year(entry: BibEntry) -> str:
    """Author and year as far as known, such as "Smith et al. 2020"."""
    from texgeist_latex.bib.authors import OTHERS, parse_name, split_authors
    from texgeist_latex.tex.plaintext import plain

    names = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
    last = [" ".join(plain(parse_name(name).last).split()) for name in names[:2]]
    who = f"{last[0]} et al." if len(names) > 2 or last[1:] == [OTHERS] else " and ".join(last)
    year = (entry.fields.get("year") or entry.fields.get("date", ""))[:4]
    return " ".join(filter(None, [who, year]))
