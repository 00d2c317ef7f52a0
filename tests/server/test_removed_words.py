"""Removing a section takes nothing of the author's along unasked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .editor import Editor, editor
from .records import provenance_with

BLOCK = (
    "% texgeist:begin related-work\n\\section{Related Work}\n\nAlpha reads whole papers.\n"
    "Beta writes short abstracts.\n% texgeist:end related-work\n"
)
PAPER = f"\\documentclass{{article}}\n\\begin{{document}}\nWords.\n\n{BLOCK}\n\\end{{document}}\n"
MINE = "Nobody has tried this by hand, MINE is the first."


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "main.tex").write_text(PAPER)
    return tmp_path


def recorded(folder: Path) -> None:
    from texgeist_server.sections import provenance

    record = provenance_with(sections={"related-work": {"text": BLOCK}})
    provenance.write(folder / "main.tex", record)


async def remove(one: Editor, path: Path) -> Any:
    return await one.execute("removeSection", {"uri": one.uri(path), "section": "related-work"})


async def test_a_section_as_it_was_written_goes_unasked(folder: Path, env: dict[str, str]) -> None:
    recorded(folder)
    path = folder / "main.tex"
    async with editor(folder, env=env) as one:
        one.open(path)
        for old, new in (("Alpha reads whole papers.\n", ""), ("Beta writes", "Beta\nwrites")):
            one.type(path, one.texts[path].index(old), new, replacing=len(old))
        await remove(one, path)
        await one.said("was removed")
    assert one.questions == [] and "texgeist" not in one.texts[path] and "Words." in one.texts[path]


@pytest.mark.parametrize("profile", ["vscode", "eglot"])
@pytest.mark.parametrize("on_record", [True, False])
async def test_the_authors_words_go_only_when_that_is_said(
    folder: Path, env: dict[str, str], on_record: bool, profile: str
) -> None:
    if on_record:
        recorded(folder)
    path = folder / "main.tex"
    async with editor(folder, profile, env) as one:
        one.open(path)
        one.type(path, one.texts[path].index("Beta"), MINE + "\n")  # not saved
        before = one.texts[path]
        one.picks = "Keep it"
        await remove(one, path)
        await one.said("was kept")
        assert one.texts[path] == before and one.edits == []
        if profile == "eglot":  # which cannot be asked
            return
        one.picks = "Remove it all"
        await remove(one, path)
        await one.said("was removed")
    assert len(one.questions) == 2 and f"+{MINE}" in one.questions[0]
    assert ("Alpha" in one.questions[0]) != on_record
    assert "texgeist" not in one.texts[path] and "Words." in one.texts[path]
