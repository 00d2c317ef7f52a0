"""Completion of a paper that is in the user's own library and not yet in the bibliography."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_server.lsp.features.completion import library_of
from texgeist_server.sections.requests import ListedPaper

from .editor import Editor, editor, plain


async def completed(one: Editor, path: Path, typed: str) -> lsp.CompletionList:
    return await one.completions(path, typed, len(typed))


async def listed(one: Editor, path: Path, typed: str) -> list[lsp.CompletionItem]:
    """As an editor does it: asked again while more is to come."""
    look = lambda: completed(one, path, typed)  # noqa: E731
    found = await one.until_found(look, lambda now: bool(now.items) or not now.is_incomplete)
    return list(found.items)


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11"])
async def test_a_paper_of_the_library_gets_its_entry_when_it_is_taken(
    paper: Path, searching: dict[str, str], profile: str
) -> None:
    path, bib = paper / "main.tex", paper / "references.bib"
    async with editor(paper, profile, searching) as one:
        one.open(path)
        one.open(bib)
        before = one.texts[bib]
        one.type(path, one.texts[path].index("\\end{document}"), "As in \\cite{In}.\n")
        assert (await completed(one, path, "\\cite{")).is_incomplete  # typing on asks again
        assert (await completed(one, path, "\\cite{In")).is_incomplete
        one.type(path, one.texts[path].index("\\cite{In}") + len("\\cite{In"), "Pars augmentation")
        [item] = await listed(one, path, "InPars augmentation")
        assert item.label.startswith("InPars") and "Bonifacio" in (item.detail or "")
        assert isinstance(item.text_edit, lsp.TextEdit) and item.command and item.command.arguments
        start = one.texts[path].index("InPars augmentation")
        one.type(path, start, item.text_edit.new_text, replacing=len("InPars augmentation"))
        assert "error" not in await one.execute(item.command.command, plain(item.command.arguments[0]))
        await one.said("was added")
        assert "As in \\cite{bonifacio2022inpars}." in one.texts[path]
        assert one.texts[bib].startswith(before.rstrip("\n")) and "{bonifacio2022inpars," in one.texts[bib]
        assert not (await completed(one, path, "As in")).items


@pytest.mark.parametrize("profile", ["eglot", "neovim-0.7"])
async def test_where_the_entry_would_not_be_added_the_paper_is_not_offered(
    paper: Path, searching: dict[str, str], profile: str
) -> None:
    path = paper / "main.tex"
    async with editor(paper, profile, searching) as one:
        one.open(path)
        one.type(path, one.texts[path].index("\\end{document}"), "As in \\cite{InPars}.\n")
        found = await completed(one, path, "\\cite{InPars")
        assert not found.items and not found.is_incomplete


def test_only_papers_that_are_found_again_by_their_id_are_listed() -> None:
    ids = ["2211.09085", "doi:10.1000/kind.1", "doi:10.1000/KIND.2", "pdf:3f2a", "openalex:W12", "bib:smith"]
    made = library_of([ListedPaper(id, f"Title of {id}", "Ann Smith", "2020") for id in ids])
    assert {entry.key for index in made.indexes for entry in index.bibliography.entries} == {
        "2211.09085",
        "10.1000/kind.1",
    }
