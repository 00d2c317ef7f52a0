"""A new entry leaves every document that reads the same bibliography as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Draft
from texgeist_latex.writing.edits import plan_citation

from .conftest import KINGMA


def shared(folder: Path, own: str) -> tuple[Path, Path]:
    text = "\\documentclass{article}\\begin{document}\nHere.\n\\bibliography{NAMES}\\end{document}\n"
    (folder / "a.tex").write_text(text.replace("NAMES", "refs"))
    (folder / "b.tex").write_text(text.replace("NAMES", "refs,own"))
    (folder / "refs.bib").write_text("@misc{some, title={Some}}\n")
    (folder / "own.bib").write_text(own)
    return folder / "a.tex", folder / "own.bib"


def key_for(draft: Draft) -> str:
    return plan_citation(draft, draft.root, draft.sources[draft.root].text.index("Here"), [KINGMA]).keys[
        KINGMA.id
    ]


@pytest.mark.parametrize(
    "own",
    [
        "@misc{kingma2014adam, title={Other}}",
        "@misc{KINGMA2014Adam, title={Other}}",
        "@misc{kingma2014adam, title={",
    ],
)
def test_a_key_of_a_document_that_shares_the_file_is_not_given(tmp_path: Path, own: str) -> None:
    assert key_for(read_draft(shared(tmp_path, own)[0], programs=False)) == "kingma2014adama"
    (tmp_path / "b.tex").unlink()
    assert key_for(read_draft(tmp_path / "a.tex", programs=False)) == "kingma2014adam"
