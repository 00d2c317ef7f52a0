"""Completion of a paper that is in the user's own library and not yet in the bibliography."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types as lsp

from .editor import Editor, editor, plain


async def completed(one: Editor, path: Path, typed: str) -> list[lsp.CompletionItem]:
    at = one.position(path, typed, inside=len(typed))
    found = await one.client.text_document_completion_async(
        lsp.CompletionParams(lsp.TextDocumentIdentifier(one.uri(path)), at)
    )
    assert isinstance(found, lsp.CompletionList)
    return list(found.items)


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11", "eglot"])
async def test_a_paper_of_the_library_gets_its_entry_when_it_is_taken(
    paper: Path, searching: dict[str, str], profile: str
) -> None:
    path, bib = paper / "main.tex", paper / "references.bib"
    async with editor(paper, profile, searching) as one:
        one.open(path)
        one.open(bib)
        before = one.texts[bib]
        one.type(path, one.texts[path].index("\\end{document}"), "As in \\cite{InPars augmentation}.\n")
        await completed(one, path, "InPars augmentation")  # which has the library listed
        items: list[lsp.CompletionItem] = []
        for _ in range(600):
            if items := await completed(one, path, "InPars augmentation"):
                break
            await asyncio.sleep(0.1)
        [item] = items
        assert item.label.startswith("InPars") and "Bonifacio" in (item.detail or "")
        assert isinstance(item.text_edit, lsp.TextEdit) and item.command and item.command.arguments
        start = one.texts[path].index("InPars augmentation")
        one.type(path, start, item.text_edit.new_text, replacing=len("InPars augmentation"))
        assert "error" not in await one.execute(item.command.command, plain(item.command.arguments[0]))
        await one.said("was added")
        assert "As in \\cite{bonifacio2022inpars}." in one.texts[path]
        assert one.texts[bib].startswith(before.rstrip("\n")) and "{bonifacio2022inpars," in one.texts[bib]
        assert not await completed(one, path, "As in")


async def test_beside_another_server_and_without_a_library_nothing_is_offered(
    paper: Path, env: dict[str, str]
) -> None:
    path = paper / "main.tex"
    async with editor(paper, env=env) as one:
        one.open(path)
        one.type(path, one.texts[path].index("\\end{document}"), "As in \\cite{InPars augmentation}.\n")
        for _ in range(3):
            assert not await completed(one, path, "InPars augmentation")
