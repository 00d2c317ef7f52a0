"""What the editor shows of citations, from the reading model: hover, completion, definition, diagnostics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_latex.bib.parser import read_bib
from texgeist_server.sections import provenance

from .editor import PROFILES, editor

MAIN = """\\documentclass{article}
\\begin{document}
\\section{Introduction}
Before 𝒳😀 it stands \\cite{smith2020things}, and here \\cite{nowhere}.
\\include{missing}
\\bibliography{refs}
\\end{document}
"""
BIB = """@article{smith2020things,
  title = {Things <b>that</b> [matter](http://evil.example) to {TeX}},
  author = {Smith, Ann and Müller, Bob},
  journal = {Journal of *Things*},
  year = {2020},
  eprint = {2001.00001},
  abstract = {What things are.},
}

@article{smith2020things, title = {Other}, author = {Else, E.}, year = {2019}}

@misc{broken, title = {unclosed
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(BIB)
    return tmp_path


@pytest.mark.parametrize("profile", PROFILES)
async def test_hover_on_an_authors_own_citation(folder: Path, env: dict[str, str], profile: str) -> None:
    async with editor(folder, profile, env) as one:
        path = folder / "main.tex"
        one.open(path)
        text = await one.hover(path, "smith2020things")
        elsewhere = await one.hover(path, "Introduction")
    assert elsewhere == ""
    assert "Ann Smith" in text or "Smith, Ann" in text
    assert "2020" in text and "What things are" in text
    if profile == "eglot" and "**" not in text:
        assert "Things <b>that</b>" in text
    else:
        assert "](http://evil.example)" not in text.replace("\\]", "")
        assert "https://arxiv.org/abs/2001.00001" in text


async def test_hover_from_provenance_beats_the_bibliography(folder: Path, env: dict[str, str]) -> None:
    record = {
        "version": 1,
        "sections": {},
        "citations": {
            "smith2020things": {
                "paper": {"title": "Things", "authors": ["Ann Smith"], "year": 2020, "arxiv": "2001.00001"},
                "evidence": [{"text": "x " * 2000, "page": 3, "similarity": 0.5}] * 9,
                "why": "2nd of 60 by similarity to your abstract, 0.71",
                "summary": "It matters here. " * 100,
                "date": "2026-01-01",
                "writer": "extractive",
                "index": "your own library",
                "model": "all-mpnet-base-v2",
            }
        },
    }
    provenance.file_of(folder / "main.tex").parent.mkdir()
    provenance.file_of(folder / "main.tex").write_text(json.dumps(record))
    async with editor(folder, env=env) as one:
        path = folder / "main.tex"
        one.open(path)
        text = await one.hover(path, "smith2020things")
        why = await one.execute("why", one.at(path, "smith2020things"))
    assert "2nd of 60 by similarity to your abstract, 0.71" in text
    assert "(page 3)" in text and "2026-01-01" in text
    assert len(text.split("\n")) <= 25
    assert why["markdown"] == text


async def test_definition_and_references(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, env=env) as one:
        path = folder / "main.tex"
        one.open(path)
        found = await one.definition(path, "smith2020things")
        context = lsp.ReferenceContext(include_declaration=True)
        params = lsp.ReferenceParams(context, one.document(path), one.position(path, "smith2020things"))
        references = await one.client.text_document_references_async(params)
    assert isinstance(found, list | tuple)
    assert {Path(one.uri(folder / "refs.bib")).name} == {Path(place.uri).name for place in found}
    assert found[0].range.start.line == 0
    assert any(place.uri.endswith("main.tex") for place in references or ())


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11"])
async def test_completion_by_author(folder: Path, env: dict[str, str], profile: str) -> None:
    async with editor(folder, profile, env) as one:
        path = folder / "main.tex"
        one.open(path)
        one.type(path, one.texts[path].index("nowhere"), "müller", replacing=len("nowhere"))
        at = one.position(path, "müller", inside=len("müller"))
        item = (await one.completions(path, "müller", len("müller"))).items[0]
        assert item.label == "smith2020things" and isinstance(item.text_edit, lsp.TextEdit)
        start = one.position(path, "müller", inside=0)
        assert item.text_edit.range == lsp.Range(start, at)


async def test_diagnostics_come_go_and_can_be_switched_off(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, "neovim-0.11", env) as one:
        path = folder / "main.tex"
        uri = one.open(path)
        await one.until(lambda: len(one.client.diagnostics.get(uri, ())) >= 2)
        codes = {d.code for d in one.client.diagnostics[uri]}
        assert {"undefined-citation", "missing-file"} <= codes
        undefined = next(d for d in one.client.diagnostics[uri] if d.code == "undefined-citation")
        assert undefined.range == one.range(path, "nowhere") and undefined.source == "texgeist"
        bib = one.uri(folder / "refs.bib")
        await one.until(lambda: bool(one.client.diagnostics.get(bib)))
        in_bib = {d.code for d in one.client.diagnostics[bib]}
        assert {"duplicate-key", "broken-entry"} <= in_bib
        one.type(path, one.texts[path].index("nowhere"), "smith2020things", replacing=len("nowhere"))
        await one.until(lambda: "undefined-citation" not in {d.code for d in one.client.diagnostics[uri]})
        one.type(path, one.texts[path].index("smith2020things}."), "x")
        await one.until(lambda: "undefined-citation" in {d.code for d in one.client.diagnostics[uri]})
        wrong = next(d for d in one.client.diagnostics[uri] if d.code == "undefined-citation")
        assert wrong.message.endswith("Did you mean “smith2020things”?")
        asked = lsp.CodeActionParams(one.document(path), wrong.range, lsp.CodeActionContext([wrong]))
        fixes = [
            f
            for f in await one.client.text_document_code_action_async(asked) or ()
            if isinstance(f, lsp.CodeAction)
        ]
        assert [fix.edit for fix in fixes if fix.title == "texgeist: cite smith2020things"] == [
            lsp.WorkspaceEdit(changes={uri: (lsp.TextEdit(wrong.range, "smith2020things"),)})
        ]
        settings = {"texgeist": {"diagnostics": {"off": ["undefined-citation", "missing-file"]}}}
        one.client.set_configuration(settings)
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
        await one.until(lambda: not one.client.diagnostics[uri])


async def test_what_a_closed_bibliography_had_not_saved_is_missing_again(
    folder: Path, env: dict[str, str]
) -> None:
    async with editor(folder, env=env) as one:
        path, bib = folder / "main.tex", folder / "refs.bib"
        uri = one.open(path)

        def codes() -> set[object]:
            return {d.code for d in one.client.diagnostics.get(uri, ())}

        await one.until(lambda: {"undefined-citation", "missing-file"} <= codes())  # kpsewhich has answered
        one.open(bib)
        one.type(bib, 0, "@misc{nowhere, title = {Here}, author = {A, B}, year = 2020}\n")
        await one.until(lambda: "undefined-citation" not in codes())
        one.client.text_document_did_close(lsp.DidCloseTextDocumentParams(one.document(bib)))
        await one.until(lambda: "undefined-citation" in codes())


async def test_beside_another_server_nothing_is_said_twice(folder: Path, env: dict[str, str]) -> None:
    settings = {"editor": {"beside": ["texlab"]}}
    async with editor(folder, env=env, settings=settings) as one:
        path = folder / "main.tex"
        uri = one.open(path)
        bib = one.uri(folder / "refs.bib")
        await one.until(lambda: bool(one.client.diagnostics.get(bib)))
        assert {d.code for d in one.client.diagnostics[bib]} == {"broken-entry"}
        assert not one.client.diagnostics[uri]
        assert await one.hover(path, "smith2020things") == ""
        assert not (await one.completions(path, "smith2020things", 3)).items
        assert not await one.definition(path, "smith2020things", 3)


async def test_files_that_change_outside_are_noticed(folder: Path, env: dict[str, str]) -> None:
    async with editor(folder, env=env) as one:
        path, bib = folder / "main.tex", folder / "refs.bib"
        uri = one.open(path)
        await one.until(lambda: bool(one.client.diagnostics.get(uri)))
        bib.write_text(BIB + "}}\n\n@misc{nowhere, title = {Here}, author = {A, B}, year = 2020}\n")
        change = lsp.FileEvent(one.uri(bib), lsp.FileChangeType.Changed)
        one.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([change]))
        await one.until(lambda: "undefined-citation" not in {d.code for d in one.client.diagnostics[uri]})
        assert "Here" in await one.hover(path, "nowhere")


async def test_a_form_feed_and_a_line_separator_do_not_shift_anything(
    folder: Path, env: dict[str, str]
) -> None:
    path = folder / "main.tex"
    path.write_text(MAIN.replace("Before", "A\fB\u2028C\x85D Before"))
    async with editor(folder, env=env) as one:
        one.open(path)
        one.type(path, one.texts[path].index("\\include"), "Typed. ")
        assert "What things are" in await one.hover(path, "smith2020things")
        assert await one.definition(path, "smith2020things", 14)


@pytest.mark.model
async def test_the_abstract_comes_from_the_library_when_the_entry_has_none(
    folder: Path, searching: dict[str, str]
) -> None:
    from .conftest import ROOT

    source = ROOT / "examples" / "library.bib"
    fields = read_bib(source, source.read_text()).entries[0].fields
    abstract = " ".join(fields["abstract"].split())[:30]
    (folder / "refs.bib").write_text(f"@misc{{nowhere, title={{T}}, eprint={{{fields['eprint']}}}}}\n")
    async with editor(folder, env=searching) as one:
        path = folder / "main.tex"
        one.open(path)
        assert abstract not in await one.hover(path, "nowhere")
        look = lambda: one.hover(path, "nowhere")  # noqa: E731
        await one.until_found(look, lambda shown: abstract in shown.replace("\\", ""))
