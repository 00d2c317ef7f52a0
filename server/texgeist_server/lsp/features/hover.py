"""Hover on a citation: explains why it was chosen. Works offline, from the provenance record or else the
bibliography."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from texgeist_latex.diagnostic_codes import OF_SENTENCES
from texgeist_latex.errors import LatexError
from texgeist_latex.types import SourceFile
from texgeist_latex.writing.blocks import find_blocks
from texgeist_retrieval.types import CitedPaper

from ...bibliography_checks.places import place
from ...sections import provenance
from ...sections.provenance_changes import restored
from ...sections.renamed_keys import has_gone_on
from ..hover_text import entry_text, judged_text, others_say, paper_facts, recorded_facts, unmarked, why
from .hover_lookups import Descriptions, Lookups, name_of, paper_of, work_of

if TYPE_CHECKING:
    from pathlib import Path

    from texgeist_latex.reading.workspace import Workspace

    from ...sections.provenance_model import CitationRecord
    from ..connection.documents import Document
    from ..connection.editor import Editor
    from ..jobs.saved_checks import Finds, SavedChecks


@dataclass(frozen=True, slots=True)
class Explanation:
    """Markdown on the citation with its key from `start` to `end`. `lacks`: the id of the paper if its
    abstract is missing."""

    markdown: str
    start: int
    end: int
    lacks: str = ""
    work: CitedPaper | None = None  # the paper, to look for descriptions of it in other papers


def register(editor: Editor, lookups: Lookups, checks: SavedChecks) -> None:
    @editor.server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document = editor.document(params.text_document.uri)
        if document is None:
            return None
        offset, settings = (
            document.lines.offset(params.position),
            (await editor.configuration.loaded()).editor,
        )
        known, said = lookups.abstracts, lookups.descriptions

        def look(workspace: Workspace) -> Explanation | None:
            return explain(workspace, document.path, offset, known, said, written_alone=bool(settings.beside))

        if "hover" not in settings.show:
            return None
        found = await editor.reader.read(look)
        if judged := judged_at(document, offset, checks.shown):
            found = beside(judged, found)
        if found is None:
            return None
        lookups.want(found.lacks, found.work)
        if not editor.client.markdown_hover:
            return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.PlainText, unmarked(found.markdown)))
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.markdown)
        return lsp.Hover(content, document.lines.range(found.start, found.end))


def judged_at(document: Document, offset: int, finds: Finds) -> Explanation | None:
    """The judge's message on the sentence at `offset`. Editors that mark hints with three dots show the text
    only in the hover."""
    for one in (one for of_root in finds.values() for one in of_root):
        if one.code in OF_SENTENCES and one.file == str(document.path):
            start = place(one, document.text)
            if start is not None and start <= offset <= start + len(one.anchor):
                return Explanation(judged_text(one.message), start, start + len(one.anchor))
    return None


def beside(judged: Explanation, found: Explanation | None) -> Explanation:
    """The judge's message, followed by the explanation of the citation, if any."""
    if found is None:
        return judged
    return replace(found, markdown=f"{judged.markdown}\n\n---\n\n{found.markdown}")


def explain(
    workspace: Workspace,
    path: Path,
    offset: int,
    known: Mapping[str, str],
    said: Mapping[str, Descriptions],
    written_alone: bool = False,
) -> Explanation | None:
    """Explains the citation at `offset`. `known`: abstracts by paper id; `said`: descriptions in other
    papers. `written_alone`: explain only citations that texgeist wrote, because another server explains the
    rest."""
    citation = workspace.citation_at(path, offset)
    if citation is None:
        return None
    start, end = citation.span.start, citation.span.end
    if record := _record(workspace, path, citation.key):
        work = work_of(recorded_facts(record.paper))
        return Explanation(why(citation.key, record) + _others(said, work), start, end, work=work)
    if written_alone or not (entry := workspace.entry(path, citation.key)):
        return None
    paper = "" if entry[1].fields.get("abstract") else paper_of(entry[1])
    work = work_of(paper_facts(entry[1]))
    return Explanation(
        entry_text(entry[1], known.get(paper, "")) + _others(said, work), start, end, paper, work
    )


def _others(said: Mapping[str, Descriptions], work: CitedPaper) -> str:
    return others_say(said.get(name_of(work), ()))


def _record(workspace: Workspace, path: Path, key: str) -> CitationRecord | None:
    try:
        root = workspace.root(path)
    except LatexError:
        return None
    standing = [block.id for block in find_blocks([SourceFile(path, workspace.text(path) or "")])]
    record = restored(provenance.read(root), standing)
    found = record.citations.get(key)
    names = {name for name in record.renamed.values() if found and workspace.entry(path, name)}
    return None if has_gone_on(record, key, names) else found
