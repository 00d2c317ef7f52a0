"""Author and year behind every citation key, for those who cannot tell `abc17b` from `abc18`. Off by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from ..documents import path_of

if TYPE_CHECKING:
    from pathlib import Path

    from pygls.lsp.server import LanguageServer
    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import BibEntry

    from ..configuration import Configuration
    from ..documents import Documents
    from ..reader import Reader


def register(
    server: LanguageServer, documents: Documents, reader: Reader, configuration: Configuration
) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    async def hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        document = documents.get(path_of(params.text_document.uri))
        if document is None or not (await configuration.loaded()).editor.inlay_hints:
            return []
        low, high = document.lines.offsets(params.range)
        found = await reader.read(lambda workspace: hints_of(workspace, document.path, low, high))
        return [
            lsp.InlayHint(document.lines.position(at), words, padding_left=True, tooltip=title or None)
            for at, words, title in found
        ]


def hints_of(workspace: Workspace, path: Path, low: int, high: int) -> list[tuple[int, str, str]]:
    """Where, what and the title, for the citations between two offsets."""
    shown = []
    for one in workspace.citations_in(path):
        found = workspace.entry(path, one.key) if low <= one.span.start and one.span.end <= high else None
        if found and (words := author_and_year(found[1])):
            shown.append((one.span.end, words, " ".join(found[1].fields.get("title", "").split())))
    return shown


def author_and_year(entry: BibEntry) -> str:
    """ "Smith et al. 2020"; what of it is known."""
    from texgeist_latex.bib.authors import parse_name, split_authors
    from texgeist_latex.tex.plaintext import plain

    names = split_authors(entry.fields.get("author") or entry.fields.get("editor", ""))
    last = [" ".join(plain(parse_name(name).last).split()) for name in names[:2]]
    who = " and ".join(last) if len(names) <= 2 else f"{last[0]} et al."
    year = (entry.fields.get("year") or entry.fields.get("date", ""))[:4]
    return " ".join(filter(None, [who, year]))
