"""What authors use all day: renaming a key, links, hints, an entry from a pasted id, the PDF of a citation."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.bib.pasted import PaperId, paper_id
from texgeist_server.lsp.features.navigation import address_of
from texgeist_server.lsp.jobs.changing_jobs import pasted_at
from texgeist_server.sections import provenance

from .editor import Editor, editor
from .records import provenance_with
from .registry_server import Known, Registries, environment, serving
from .test_cli import texgeist

KEY = "karpukhin2020dense"
FOUND = Known(
    "Steady Tracking of Distant Objects", ("Ada Lovelace", "Charles Babbage"), 2021, "Journal of Stars",
    kind="journal-article", doi="10.1109/stars.2021.77",
)  # fmt: skip
OURS = Known("Quiet Oceans", ("Ann Smith",), 2022, arxiv="2201.00001", retracted=False)


@pytest.fixture
def registries() -> Iterator[Registries]:
    with serving(Registries([FOUND, OURS])) as state:
        yield state


ASKING = {"papers": {"registries": ["crossref", "arxiv"]}}


async def renamed(one: Editor, path: Path, needle: str, new: str) -> lsp.WorkspaceEdit | None:
    params = lsp.RenameParams(one.document(path), one.position(path, needle), new)
    return await one.client.text_document_rename_async(params)


@pytest.mark.parametrize("profile", ["vscode", "neovim-0.11", "eglot"])
async def test_a_key_is_renamed_everywhere(paper: Path, env: dict[str, str], profile: str) -> None:
    path, bib = paper / "sections" / "introduction.tex", paper / "references.bib"
    root = paper / "main.tex"
    record = {"paper": {"title": "Dense"}, "section": "related-work"}
    text = f"% texgeist:begin related-work\nAs \\citet{{{KEY}}} say.\n% texgeist:end related-work\n"
    sections = {"related-work": {"text": text}}
    old = provenance_with(provenance.read(root), citations={KEY: record}, sections=sections)
    provenance.write(root, old)
    async with editor(paper, profile, env) as one:
        one.open(path)
        prepared = await one.prepare_rename(path, KEY)
        assert isinstance(prepared, lsp.PrepareRenamePlaceholder) and prepared.placeholder == KEY
        edit = await renamed(one, path, KEY, "dpr")
        assert edit
        cited = sum(f.read_text().count(KEY) for f in paper.rglob("*.tex"))
        one._apply_edit(lsp.ApplyWorkspaceEditParams(edit))
        assert cited and all(KEY not in text for text in one.texts.values()), "in all files that hold it"
        assert "{dpr," in one.texts[bib] and "dpr" in one.texts[path]
        assert "dpr" in await one.hover(path, "dpr")
    assert provenance.read(root) == old, "whose keys are found by the entries"


async def test_a_renaming_that_cannot_be_is_refused_in_words(paper: Path, env: dict[str, str]) -> None:
    path = paper / "sections" / "introduction.tex"
    async with editor(paper, env=env) as one:
        one.open(path)
        for new, words in (("a b", "cannot be a citation key"), ("gao2023enabling", "key of another entry")):
            with pytest.raises(JsonRpcException, match=words):
                await renamed(one, path, KEY, new)
        assert await one.prepare_rename(path, r"\section") is None
        bib = paper / "references.bib"
        bib.write_text(bib.read_text() + "\n@ misc{odd, title = {Odd}}\n")
        one.open(bib)
        one.type(path, len(one.texts[path]), "\nSo \\citep{odd}.\n")
        assert await one.prepare_rename(path, "odd}"), "the renaming itself says why not"
        with pytest.raises(JsonRpcException, match="was not found in the entry of"):
            await renamed(one, path, "odd}", "even")
        assert await one.prepare_rename(bib, "odd, title") is None, "no error of the server's"
    assert not (paper / ".texgeist").exists()


async def test_a_renaming_that_typing_overtakes_is_refused(paper: Path, env: dict[str, str]) -> None:
    path = paper / "sections" / "introduction.tex"
    async with editor(paper, env=env) as one:
        one.open(path)
        await one.hover(path, KEY)
        asked = asyncio.ensure_future(renamed(one, path, KEY, "dpr"))
        await asyncio.sleep(0)
        one.type(path, 0, "typed ")
        with pytest.raises(JsonRpcException, match="changed meanwhile"):
            await asked
    assert not (paper / ".texgeist").exists()


async def test_links_lead_to_papers_and_are_looked_up_when_followed(paper: Path, env: dict[str, str]) -> None:
    path, bib = paper / "sections" / "introduction.tex", paper / "references.bib"
    async with editor(paper, env=env) as one:
        one.open(path)
        one.open(bib)
        links = await one.links(path)
        assert len(links) > 3 and not any(link.target for link in links)
        resolved = [await one.client.document_link_resolve_async(link) for link in links]
        assert all(
            (link.target or "").startswith(
                ("https://arxiv.org/abs/", "https://doi.org/", one.uri(bib) + "#L")
            )
            for link in resolved
        )
        lines = one.texts[path].split("\n")
        keys = [lines[k.range.start.line][k.range.start.character : k.range.end.character] for k in links]
        assert KEY in keys and all(key and "," not in key for key in keys)
        inside = await one.links(bib)
    assert inside and all(link.target for link in inside)


async def test_an_escaped_sign_ends_no_doi(paper: Path, env: dict[str, str]) -> None:
    bib, doi = paper / "references.bib", "10.1007/978-3-030-12345-6_7"
    escaped = doi.replace("_", "\\_")
    bib.write_text(f"{escaped}\n@misc{{one, doi = {{{escaped}}}}}\n")
    assert paper_id(f"https://doi.org/{escaped}") == PaperId("doi", doi)
    assert pasted_at(f"As {escaped} says", 5) == (3, 3 + len(escaped))
    assert pasted_at(f"A [link](https://doi.org/{doi}) in Markdown", 12) is None
    async with editor(paper, env=env) as one:
        one.open(bib)
        links = await one.links(bib)
    assert len(links) == 2 and all((link.target or "").endswith("12345-6_7") for link in links)
    assert links[0].range.end.character == len(escaped)


@pytest.mark.parametrize(
    ("pasted", "line", "wanted"),
    [
        ("10.1109/stars.2021.77", "As shown PASTED before.", r"As shown \\citep\{(\S+)\} before\."),
        (
            "https://doi.org/10.1109/stars.2021.77",
            "As \\citet{PASTED} say.",
            r"As \\citet\{([^\s{}]+)\} say\.",
        ),
        ("https://arxiv.org/abs/2201.00001v3", "So PASTED.", r"So \\citep\{(\S+)\}\."),
        ("10.1109/stars.2021.77", "See (doi:PASTED) more.", r"See \(\\citep\{(\S+)\}\) more\."),
        (
            "https://example.org/doi/10.1109/stars.2021.77/12345",
            f"As \\citet{{{KEY},\n  PASTED}} say.",
            rf"\\citet\{{{KEY},\n  ([^\s{{}}]+)\}} say\.",
        ),
    ],
)
async def test_an_entry_from_what_was_pasted(
    paper: Path, env: dict[str, str], registries: Registries, pasted: str, line: str, wanted: str
) -> None:
    import re

    path, bib = paper / "sections" / "method.tex", paper / "references.bib"
    path.write_text(path.read_text() + "\n\n" + line.replace("PASTED", pasted) + "\n")
    async with editor(paper, env={**env, **environment(registries.address)}, settings=ASKING) as one:
        one.open(path)
        place = one.range(path, pasted)
        actions = await one.actions(path, lsp.Range(place.start, place.start))
        await one.run(actions["texgeist: add an entry for this paper"])
        said = await one.said("was added, as")
        found = re.search(wanted, one.texts[path])
        assert found, one.texts[path][-200:]
        entry = one.texts[bib].split(f"{{{found[1]},")[1]
        assert ("Lovelace, Ada" in entry) == ("2021.77" in pasted) and found[1] in said
        one.type(path, len(one.texts[path]), f"\n\nAgain {pasted} here.\n")
        before = one.texts[bib]
        await one.execute("addEntry", one.at(path, f"Again {pasted}", len("Again 10")))
        await one.said("is there already")
    assert one.texts[bib] == before and one.texts[path].count(found[1]) == 2
    assert len(registries.asked) <= 2


async def test_nobody_is_asked_unasked_and_a_bibliography_takes_a_pasted_line(
    paper: Path, env: dict[str, str], registries: Registries
) -> None:
    bib = paper / "references.bib"
    old = bib.read_text()
    bib.write_text(old + "\n10.1109/stars.2021.77\n")
    quiet: dict[str, Any] = {"papers": {"registries": []}}
    async with editor(paper, env=env, settings=quiet) as one:
        one.open(paper / "main.tex")
        one.open(bib)
        await one.execute("addEntry", one.at(bib, "10.1109"))
        await one.said("no registry may be asked")
        assert one.edits == [] and registries.asked == []
        missing = await one.execute("addEntry", one.at(bib, "@"))
        assert "no DOI" in missing["error"]
    async with editor(paper, env={**env, **environment(registries.address)}, settings=ASKING) as one:
        one.open(paper / "main.tex")
        one.open(bib)
        await one.execute("addEntry", one.at(bib, "10.1109"))
        await one.said("was added, as")
    assert one.texts[bib].startswith(old) and one.texts[bib].count("10.1109/stars.2021.77") == 1
    assert one.texts[bib].count("@") == old.count("@") + 1


async def test_an_id_inside_an_entry_or_an_address_stays(
    paper: Path, env: dict[str, str], registries: Registries
) -> None:
    path, bib = paper / "sections" / "method.tex", paper / "references.bib"
    doi = "10.18653/v1/2020.emnlp-main.550"
    address = f"\\url{{\n  https://doi.org/{doi}}}"
    path.write_text(path.read_text() + f"\n\nSee {address} here.\n")
    old = path.read_text(), bib.read_text()
    async with editor(paper, env={**env, **environment(registries.address)}, settings=ASKING) as one:
        for file in (paper / "main.tex", path, bib):
            one.open(file)
        for file in (path, bib):
            start = one.range(file, doi).start
            assert "texgeist: add an entry for this paper" not in await one.actions(
                file, lsp.Range(start, start)
            )
        assert "no DOI" in (await one.execute("addEntry", one.at(path, doi)))["error"]
        await one.execute("addEntry", one.at(bib, doi))
        await one.said("inside an entry")
        assert (one.texts[path], one.texts[bib]) == old and not registries.asked


def test_add_on_the_command_line(
    paper: Path, env: dict[str, str], registries: Registries, tmp_path: Path
) -> None:
    bib = paper / "references.bib"
    env = {**env, **environment(registries.address)}
    refused = texgeist(env, "add", FOUND.doi, "--bib", str(bib))
    assert "--online" in refused.stderr and registries.asked == [] and refused.returncode == 1
    old = bib.read_text()
    made = json.loads(
        texgeist(env, "add", f"https://doi.org/{FOUND.doi}", "--bib", str(bib), "--online", "--json").stdout
    )
    assert made["added"] and made["source"] == "Crossref" and bib.read_text().startswith(old)
    assert f"{{{made['key']}," in bib.read_text() and "Lovelace, Ada" in made["entry"]
    again = json.loads(texgeist(env, "add", FOUND.doi, str(paper / "main.tex"), "--online", "--json").stdout)
    assert not again["added"] and again["key"] == made["key"]
    elsewhere, part = tmp_path / "elsewhere.tex", paper / "part.tex"
    shutil.copy(paper / "main.tex", elsewhere)
    part.write_text(f"% !TEX root = {elsewhere}\nWords.\n")
    before = bib.read_text()
    doubted = texgeist(env, "add", OURS.arxiv, str(part), "--online")
    assert doubted.returncode == 1 and "TEX root" in doubted.stderr and bib.read_text() == before
    for wrong in ("hello", "10.5555/nobody-has-it"):
        said = texgeist(env, "add", wrong, "--bib", str(bib), "--online")
        assert said.returncode == 1 and ("no DOI" in said.stderr or "was not found at" in said.stderr)


@pytest.mark.parametrize("owned", [True, False])
async def test_the_pdf_is_the_users_own_or_the_papers_page(
    paper: Path, env: dict[str, str], tmp_path: Path, owned: bool
) -> None:
    folder = tmp_path / "my pdfs"
    folder.mkdir()
    (folder / "dense.pdf").write_bytes(b"%PDF-1.4\n")
    bib, path = paper / "references.bib", paper / "sections" / "introduction.tex"
    field = f"  file = {{{folder / 'dense.pdf'}}},\n"
    head = f"{{{KEY},\n"
    bib.write_text(bib.read_text().replace(head, head + field))
    settings = {"papers": {"folders": [str(folder)]}} if owned else {}
    async with editor(paper, env=env, settings=settings) as one:
        one.open(path)
        await one.execute("openPdf", one.at(path, KEY))
        [shown] = one.client.shown_documents
        nothing = await one.execute("openPdf", one.at(path, "\\section"))
    assert shown.external and "No paper was found" in nothing["error"]
    assert shown.uri.startswith("file:") == owned
    assert (
        shown.uri.endswith("dense.pdf")
        if owned
        else shown.uri == "https://doi.org/10.18653/v1/2020.emnlp-main.550"
    )


@pytest.mark.parametrize(
    ("field", "value", "leads"),
    [
        ("url", "https://example.org/a?b=c@d#e", "https://example.org/a?b=c@d#e"),
        ("url", "javascript:alert(1)", ""),
        ("url", "file:///etc/passwd", ""),
        ("url", "command:workbench.action.terminal.new", ""),
        ("url", "vscode://evil.ext/run", ""),
        ("url", "https://arxiv.org@evil.example/", ""),
        ("url", 'https://example.org/"><script>', ""),
        ("url", "https://example.org/\nfile:///etc", ""),
        ("url", "https://example.org/\x1b[31m", ""),
        ("url", "https://example.org/\u202egpj.exe", ""),
        ("eprint", "../../etc/passwd", ""),
        ("doi", 'javascript:10.1000/"><script>', ""),
        ("file", "/etc/hostname.pdf;~/.ssh/id.pdf;file:///etc/x.pdf;:C\\:\\\\x.pdf:PDF", ""),
    ],
)
def test_a_strangers_entry_leads_to_pages_alone(tmp_path: Path, field: str, value: str, leads: str) -> None:
    text = f"@misc{{k, title = {{T}}, {field} = {{{value}}}}}\n"
    (entry,) = read_bib(tmp_path / "r.bib", text).entries
    assert address_of(entry) == leads
