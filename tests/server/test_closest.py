"""The closest work that a draft does not cite: named over its abstract, and once after the index grew."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_retrieval.types import Candidate, Paper
from texgeist_server.sections import provenance
from texgeist_server.sections.closest import nearest_uncited, plan_entry
from texgeist_server.sections.provenance_changes import dismissed, without_section
from texgeist_server.sections.provenance_model import DismissedRecord

from .editor import Editor, editor

NEAR = Paper("2001.00001", "Alpha Reads", "We propose Alpha, a reader of whole papers.", ("Ann Ash",), 2020)
FAR = Paper("2002.00002", "Beta Writes", "Beta is a writer of abstracts.", ("Bo Birch", "C. Cedar"), 2020)
MAIN = (
    "\\documentclass{article}\n\\begin{document}\n\\section{Introduction} Words~\\cite{a}.\n"
    "\\bibliography{refs}\n\\end{document}\n"
)


@pytest.fixture
def main(tmp_path: Path) -> Path:
    (tmp_path / "refs.bib").write_text("@misc{a, title = {Alpha Reads}, eprint = {2001.00001}}\n")
    (tmp_path / "main.tex").write_text(MAIN)
    return tmp_path / "main.tex"


def test_the_nearest_that_is_neither_cited_nor_dismissed(main: Path) -> None:
    found = [Candidate(NEAR, 0.9, 1), Candidate(FAR, 0.5, 2)]
    one = nearest_uncited(read_draft(main), found, set())
    assert one is not None and one.paper == FAR
    assert nearest_uncited(read_draft(main), found, {FAR.id}) is None
    main.write_text(MAIN.replace("~\\cite{a}", ""))
    one = nearest_uncited(read_draft(main), found, set())
    assert one is not None and one.paper == NEAR, "an entry that nobody cites is no citation"


def test_what_is_not_relevant_is_remembered(main: Path) -> None:
    data = dismissed(provenance.read(main), FAR.id, FAR.title, "2026-01-02")
    provenance.write(main, data)
    assert provenance.read(main).dismissed == {FAR.id: DismissedRecord(title=FAR.title, date="2026-01-02")}
    provenance.write(main, without_section(provenance.read(main), "related-work"))
    assert FAR.id in provenance.read(main).dismissed


def test_citing_adds_the_entry_alone(main: Path) -> None:
    plan = plan_entry(read_draft(main), FAR)
    assert {edit.file.name for edit in plan.edits} == {"refs.bib"} and "Beta Writes" in plan.entries
    assert plan_entry(read_draft(main), NEAR).keys == {NEAR.id: "a"}
    assert plan_entry(read_draft(main), NEAR).edits == ()


@pytest.mark.model
async def test_the_lens_names_it_and_not_relevant_names_another(
    paper: Path, searching: dict[str, str]
) -> None:
    path = paper / "sections" / "abstract.tex"

    async def title(one: Editor) -> str:
        titles = (command.title for command in await one.lenses(path))
        return next((text for text in titles if text.startswith("Closest work not cited")), "")

    async with editor(paper, env=searching) as one:
        uri = one.open(path)
        assert await title(one) == "", "nothing is looked for before a document is saved"
        one.save(path)
        first = await one.until_found(lambda: title(one), bool)
        assert "—" in first
        one.picks = "Not relevant"
        await one.execute("closestWork", {"uri": uri})
        await one.until_found(lambda: title(one), lambda now: now not in ("", first))
    record = json.loads(provenance.file_of(paper / "main.tex").read_text())
    [left] = record["dismissed"].values()
    assert left["title"] in first
