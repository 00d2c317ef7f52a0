"""What `verify` finds, in an editor over the real server process: on save alone, in its place, with its fix."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_latex.reading.draft import read_draft
from texgeist_server.bibliography_checks.checking import of_draft
from texgeist_server.bibliography_checks.corrections import unused_finds
from texgeist_server.bibliography_checks.places import Find, place

from .editor import Editor, editor
from .registry_server import Known, Registries, environment, serving

MAIN = r"""\documentclass{article}

\title{On Things}\author{Ada Lovelace}
\begin{document}
So \cite{late,early}.
\bibliography{refs}
\end{document}
"""
LATE = "@article{late, title={A Paper from Tomorrow}, author={Kurt Weill}, journal={Songs}, year={2999}}\n"
EARLY = """@misc{early,
  title = {Steady Tracking of Distant Objects with Learned Memories},
  author = {Ada Lovelace and Charles Babbage},
  year = {2020},
  eprint = {2006.00001},
  archivePrefix = {arXiv},
  keywords = {memories, {\\"a}},
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(LATE + EARLY)
    return tmp_path


def shown(one: Editor, path: Path) -> dict[str, lsp.Diagnostic]:
    found = one.client.diagnostics.get(one.uri(path), [])
    return {str(diagnostic.code): diagnostic for diagnostic in found}


async def test_on_save_and_where_the_words_still_stand(folder: Path, env: dict[str, str]) -> None:
    bib, main = folder / "refs.bib", folder / "main.tex"
    async with editor(folder, env=env) as one:
        one.open(main)
        one.open(bib)
        one.type(main, 0, "% typed\n")
        await one.until(lambda: one.uri(main) in one.client.diagnostics)
        assert "year-ahead" not in shown(one, bib)
        one.save(main)
        await one.until(lambda: "year-ahead" in shown(one, bib), 60)
        late = shown(one, bib)["year-ahead"]
        assert late.message == "late: The year 2999 is in the future." and late.range == one.range(
            bib, "@article{late"
        )
        assert late.severity == lsp.DiagnosticSeverity.Warning
        one.type(bib, 0, "% a line before\n\n")  # it moves along
        await one.until(lambda: shown(one, bib)["year-ahead"].range == one.range(bib, "@article{late"))
        one.type(bib, one.texts[bib].index("2999"), "1999", 4)  # the words are gone, and it with them
        await one.until(lambda: "year-ahead" not in shown(one, bib))


@pytest.fixture
def registries() -> Iterator[Registries]:
    title, people = (
        "Steady Tracking of Distant Objects with Learned Memories",
        ("Ada Lovelace", "Charles Babbage"),
    )
    venue = "Conference on Computer Vision and Pattern Recognition"
    more = {"page": "12-34", "volume": "7"}
    published = Known(title, people, 2021, venue, doi="10.1109/cvpr.2021.77", more=more)
    with serving(
        Registries([published, Known(title, people, 2020, arxiv="2006.00001", kind="posted-content")])
    ) as state:
        yield state


async def test_a_published_preprint_is_taken_over(
    folder: Path, env: dict[str, str], registries: Registries
) -> None:
    settings: dict[str, object] = {"papers": {"registries": ["crossref", "arxiv"]}}
    env = {**env, **environment(registries.address)}
    bib = folder / "refs.bib"
    async with editor(folder, env=env, settings=settings) as one:
        one.open(bib)
        one.save(bib)
        await one.until(lambda: "published" in shown(one, bib), 60)
        one.client.set_configuration({"texgeist": {**settings, "diagnostics": {"off": ["published"]}}})
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
        await one.until(lambda: "published" not in shown(one, bib))
        assert await one.fixes(bib, one.range(bib, "@misc{early")) == [], "what is not shown is not corrected"
        one.client.set_configuration({"texgeist": settings})
        one.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams({}))
        await one.until(lambda: "published" in shown(one, bib))
        assert shown(one, bib)["published"].severity == lsp.DiagnosticSeverity.Information
        (action,) = await one.fixes(bib, one.range(bib, "@misc{early"))
        assert isinstance(action, lsp.CodeAction) and action.edit
        assert action.title.startswith("texgeist: take over the published version of early")
        one._apply_edit(lsp.ApplyWorkspaceEditParams(action.edit))
    assert one.texts[bib] == LATE + (
        "@inproceedings{early,\n"
        "  title = {Steady Tracking of Distant Objects with Learned Memories},\n"
        "  booktitle = {Conference on Computer Vision and Pattern Recognition},\n"
        "  author = {Ada Lovelace and Charles Babbage},\n"
        "  year = {2021},\n"
        "  doi = {10.1109/cvpr.2021.77},\n"
        "  eprint = {2006.00001},\n"
        "  archivePrefix = {arXiv},\n"
        "  volume = {7},\n"
        "  pages = {12--34},\n"
        '  keywords = {memories, {\\"a}},\n'
        "}\n"
    )  # fmt: skip


SLIP = (
    EARLY.replace("Charles Babbage", "Charlie Babbage").replace("2020", "2021").replace("@misc", "@article")
)
SLIP = re.sub(r"eprint.*\n.*arXiv", "journal = {Conference on Computer Vision and Pattern Recognition", SLIP)


async def test_the_report_is_shown_and_all_slips_are_corrected_in_one_edit(
    folder: Path, env: dict[str, str], registries: Registries
) -> None:
    bib, other = folder / "refs.bib", folder / "more.bib"
    (folder / "main.tex").write_text(MAIN.replace("{refs}", "{refs,more}"))
    bib.write_text(LATE + SLIP)
    other.write_text(SLIP.replace("early", "again"))
    settings: dict[str, object] = {"papers": {"registries": ["crossref"]}}
    async with editor(folder, env={**env, **environment(registries.address)}, settings=settings) as one:
        one.open(bib)
        one.type(bib, 0, "% not saved\n")
        await one.execute("verify", {"uri": one.uri(bib)})
        said = await one.said("2 entries can be corrected")
        assert "3 entries: 1 suspect, 2 to-correct." in said
        report = one.panels[0]["markdown"]
        assert (
            "## suspect: contradicted" in report
            and "- **late**: " in report
            and "Charles Babbage" in report
            and "Crossref" in report
        )
        await one.idle()
        one.save(bib)
        await one.until(lambda: "author-name" in shown(one, bib), 60)
        actions = await one.fixes(bib, one.range(bib, "@article{early"))
        (every,) = [action.command for action in actions if action.command]
        await one.run(every)
        await one.said("2 entries corrected.")
    for file in (bib, other):
        assert "Charles Babbage" in one.texts[file]
    assert one.texts[bib] == "% not saved\n" + LATE + SLIP.replace("Charlie", "Charles")


def test_places() -> None:
    find = Find("a.bib", 10, "@misc{a}", 8, "", "", "hint")
    assert place(find, " " * 10 + "@misc{a}") == 10
    assert place(find, " " * 13 + "@misc{a}", moved=3) == 13
    assert place(find, " " * 40 + "@misc{a}", moved=3) == 40
    assert (
        place(find, "@misc{b}") is None
        and place(find, "") is None
        and place(find, "@misc{a}", moved=-99) == 0
    )


IDLE = "@misc{idle, title={An Idle Thing}, author={Jane Roe}, year={2001}}\n"


async def test_entries_that_nobody_cites_are_faded(folder: Path, env: dict[str, str]) -> None:
    bib, main = folder / "refs.bib", folder / "main.tex"
    bib.write_text(LATE + EARLY + IDLE + IDLE.replace("idle", "elsewhere").replace("An Idle", "Another"))
    (folder / "talk.tex").write_text(
        "\\documentclass{article}\\begin{document}\\cite{elsewhere}\\bibliography{refs}\\end{document}"
    )
    async with editor(folder, env=env) as one:
        one.open(main)
        one.open(bib)
        one.save(main)
        await one.until(lambda: "unused" in shown(one, bib), 60)
        found = [d for d in one.client.diagnostics[one.uri(bib)] if d.code == "unused"]
        assert [d.message for d in found] == ["idle is not cited."], "the other paper cites the other one"
        assert found[0].range == one.range(bib, "@misc{idle") and lsp.DiagnosticTag.Unnecessary in (
            found[0].tags or ()
        )
        assert found[0].severity == lsp.DiagnosticSeverity.Hint
        one.type(main, main.read_text().index("early"), "idle,")
        main.write_text(one.texts[main])
        one.save(main)
        await one.until(lambda: "unused" not in shown(one, bib), 60)


@pytest.mark.parametrize(
    "more", ["\\input{../other/part}", "\\input{part}" + "\\a" * 160_000, "\\input{gone}"]
)
def test_of_a_document_that_was_not_read_whole_nothing_is_idle(tmp_path: Path, more: str) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "part.tex").write_text("\\cite{idle}")
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "refs.bib").write_text(LATE + EARLY + IDLE)
    (folder / "main.tex").write_text(MAIN)
    whole = read_draft(folder / "main.tex", workspace=folder, programs=False)
    assert len(unused_finds(whole, set())) == 1 and of_draft(whole).citations
    (folder / "main.tex").write_text(MAIN.replace("\\end{document}", more + "\\end{document}"))
    part = read_draft(folder / "main.tex", workspace=folder, programs=False)
    said = 1 if "gone" in more else 0  # a file that is nowhere cites nothing
    assert len(unused_finds(part, set())) == said and (of_draft(part).citations is None) == (said == 0)
