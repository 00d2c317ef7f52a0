"""What only BibTeX or only biber takes for an entry keeps its key, and nothing is appended where one of them stops."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.errors import NoPlace, Unfit
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Reference
from texgeist_latex.writing.charsets import document_charset
from texgeist_latex.writing.new_entries import new_entries
from texgeist_latex.writing.renaming import plan_renaming

from .conftest import KINGMA
from .test_shared_bibliographies import biber_of, by_bibtex

SOUND = "@misc{sound, title = {A Sound Entry}, author = {Ada Byron}, year = 1990}\n"
UNSEEN = {
    "a type with a hyphen": "@my-misc{KEY, title = {Another Paper}}",
    "a type with a digit": "@misc2{KEY, title = {Another Paper}}",
    "a type on the next line": "@\nmisc{KEY, title = {Another Paper}}",
    "in a comment": "@comment{jabref: x; @misc{KEY, title = {Another Paper}}}",
    "behind a percent sign": "% @misc{KEY, title = {Another Paper}}",
    "a percent sign before the type": "@ % note\nmisc{KEY, title = {Another Paper}}",
    "in parentheses": "@misc(KEY, title = {Another Paper})",
    "an alias": "@misc{other, ids = {old, KEY}, title = {Another Paper}}",
}
TAILS = (
    "@article",
    "@comment{ unfinished",
    "@string( x = {y}",
    "@misc(q1, title = {x}",
    "@misc{q1, title={x}, % }",
    "@misc{q1, title={x}",
)


def project(folder: Path, bib: str, cited: str = "sound") -> Path:
    text = (
        f"\\documentclass{{article}}\\begin{{document}}\\cite{{{cited}}}\\bibliography{{r}}\\end{{document}}"
    )
    (folder / "main.tex").write_text(text)
    (folder / "r.bib").write_text(bib)
    return folder / "main.tex"


def with_paper(main: Path, paper: Reference) -> tuple[str, str]:
    """The key that a new paper gets, and the text of the bibliography with it."""
    draft = read_draft(main, programs=False)
    made = new_entries(draft, [paper], None, main, document_charset(draft, main))
    [edit] = made.edits
    return made.keys[paper.id], (main.parent / "r.bib").read_text() + edit.text


@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_what_either_program_may_read_keeps_its_key(tmp_path: Path, unseen: str) -> None:
    free, _ = with_paper(project(tmp_path, SOUND), KINGMA)
    main = project(tmp_path, SOUND + unseen.replace("KEY", free) + "\n")
    key, _ = with_paper(main, KINGMA)
    assert key.lower() != free.lower()
    with pytest.raises(Unfit):
        plan_renaming(read_draft(main, programs=False), "sound", free)


@pytest.mark.latex
@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_bibtex_and_biber_print_the_papers_as_before(tmp_path: Path, unseen: str) -> None:
    free, _ = with_paper(project(tmp_path, SOUND), KINGMA)
    last = SOUND.replace("sound", "last")  # BibTeX passes over an entry in the comment that ends a file
    before = SOUND + unseen.replace("KEY", free) + "\n" + last
    key, after = with_paper(project(tmp_path, before), KINGMA)
    (tmp_path / "template").mkdir()
    for build in (by_bibtex, biber_of(tmp_path / "template")):
        printed = []
        for text in (before, after):
            (tmp_path / "r.bib").write_text(text)
            printed.append(build(tmp_path, ["sound", free], ["r"])[1])
        assert printed[1] == printed[0]
        (tmp_path / "x.bbl").unlink(missing_ok=True)
        assert "Adam" in build(tmp_path, [key], ["r"])[1][key]


@pytest.mark.latex
@pytest.mark.parametrize("tail", TAILS)
def test_nothing_is_appended_behind_a_damaged_end(tmp_path: Path, tail: str) -> None:
    main = project(tmp_path, SOUND + tail + "\n")
    with pytest.raises(NoPlace, match="line 2"):
        with_paper(main, KINGMA)
    (tmp_path / "template").mkdir()
    fresh = SOUND.replace("sound", "fresh")
    (tmp_path / "r.bib").write_text(f"{SOUND}{tail}\n{fresh}")
    builds = [build(tmp_path, ["fresh"], ["r"]) for build in (by_bibtex, biber_of(tmp_path / "template"))]
    assert not all(ok and "fresh" in printed for ok, printed in builds), "one of them loses what follows"


@pytest.mark.parametrize(
    "tail",
    [
        "",
        "% @misc{off",
        "Questions? Write to me.\n",
        "@comment{jabref: x}",
        "@string{a = {b}}",
        "@preamble{{x}}",
    ],
)
def test_a_sound_end_is_appended_to(tmp_path: Path, tail: str) -> None:
    _, text = with_paper(project(tmp_path, SOUND + tail + "\n"), KINGMA)
    assert text.startswith(SOUND + tail)
