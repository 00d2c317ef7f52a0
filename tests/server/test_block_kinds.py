"""What a generated block may be replaced by: a drafted section by a drafted one, an answer by nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_server.sections import provenance, safeguards
from texgeist_server.sections.provenance_model import NOTHING
from texgeist_server.sections.safeguards import block_kind

from .editor import editor


def block(name: str) -> str:
    return f"% texgeist:begin {name}\nGenerated for {name}.\n% texgeist:end {name}\n"


TEXT = (
    "\\documentclass{article}\n\\begin{document}\n\\begin{abstract}\nDense retrievers encode questions and "
    "passages as vectors.\n\\end{abstract}\n\\section{A new name}\nMy own words.\n"
    f"{block('introduction')}\nMy question?\n{block('answer-1')}\n{block('related-work')}\\end{{document}}\n"
)
KINDS = {"introduction": "section", "answer-1": "question", "related-work": "abstract"}


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    main = tmp_path / "project" / "main.tex"
    main.parent.mkdir()
    main.write_text(TEXT)
    file = provenance.file_of(main)
    file.parent.mkdir()
    sections = {name: {"query": kind, "abstract": "Other words."} for name, kind in KINDS.items()}
    file.write_text(json.dumps({"version": 2, "citations": {}, "sections": sections}))
    return main


async def test_a_drafted_section_is_drafted_again_and_an_answer_is_left(
    paper: Path, env: dict[str, str]
) -> None:
    async with editor(paper.parent, env=env) as one:
        uri = one.open(paper)
        lenses = await one.lenses(paper)
        shown: dict[str, list[Any]] = {}
        for name in KINDS:
            actions = await one.actions(paper, one.range(paper, f"Generated for {name}"))
            shown[name] = [title for title in actions if "this section" in title]
        for name in ("updateSection", "writeAnew", "review"):
            refused = await one.execute(name, {"uri": uri, "section": "answer-1", "force": True})
            assert "cannot be written again" in refused["error"]
        refused = await one.execute("review", {"uri": uri, "section": "introduction"})
        assert "There is no review of papers" in refused["error"]
        assert "error" not in await one.execute("updateSection", {"uri": uri, "section": "introduction"})
        await one.until(lambda: "the section, with your edits" in str(one.statuses))
    titles = [command.title for command in lenses if command]
    assert titles.count("Update") == 2 and titles.count("Review") == 1
    assert [title.split("texgeist: ")[1] for title in shown["answer-1"]] == ["remove this section"]
    assert len(shown["introduction"]) == len(shown["related-work"]) == 3
    assert one.edits == [] and paper.read_text() == TEXT


def test_an_answer_does_not_drift_from_the_abstract(paper: Path) -> None:
    draft = read_draft(paper)
    places = {found.span.start for found in safeguards.check_sections(draft) if found.span}
    assert places == {TEXT.index(f"% texgeist:begin {name}") for name in ("introduction", "related-work")}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("answer-12", "answer"),
        ("methods-2", "section"),
        ("related-work", "related work"),
        ("x", "related work"),
    ],
)
def test_without_a_record_the_name_tells(name: str, kind: str) -> None:
    assert block_kind(NOTHING, name) == kind
