"""Links on citation keys, and on DOIs and arXiv ids in bibliographies. The target of a key is resolved when
the user follows the link."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls.uris import from_fs_path
from texgeist_latex.bib.identity import ARXIV_ID, arxiv_id_of, doi_of, dois_in

from ...plain_text import visible
from ..connection.clients import plain
from ..connection.documents import path_of

if TYPE_CHECKING:
    from pathlib import Path

    from texgeist_latex.reading.workspace import Workspace
    from texgeist_latex.types import BibEntry

    from ..connection.documents import Document
    from ..connection.editor import Editor

MOST = 5000  # links in a document
LONGEST = 3_000_000  # code points of a bibliography that is searched
_PAGE = re.compile(
    r"https?://[^\s\"<>{}\\^`/?#@]+(?:[/?#][^\s\"<>{}\\^`]*)?"
)  # no user name before the host, which would mislead
_ARXIV = re.compile(
    rf"(?:\beprint\s*=\s*[{{\"]\s*|arxiv\s*:\s*|arxiv\.org/(?:abs|pdf)/)({ARXIV_ID})",
    re.I,
)


def register(editor: Editor) -> None:
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
    from texgeist_retrieval.fulltext.attached import attached_pdfs, lies_within
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
