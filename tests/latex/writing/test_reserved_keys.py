"""What only BibTeX or only biber takes for an entry keeps its key, and nothing is appended where one of them stops."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.errors import NoPlace, Unfit
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Reference
from texgeist_latex.writing.habits import document_charset
from texgeist_latex.writing.new_entries import new_entries
from texgeist_latex.writing.renaming import plan_renaming

from benchmarks.latex.real_programs import Build, by_biber, by_bibtex

from .conftest import KINGMA

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
@pytest.mark.parametrize("build", [by_bibtex, by_biber])
def test_bibtex_and_biber_print_the_papers_as_before(build: Build, tmp_path: Path) -> None:
    last = SOUND.replace("sound", "last")  # BibTeX passes over an entry in the comment that ends a file
    documents, free, keys, after = [], [], [], []
    for number, unseen in enumerate(UNSEEN.values()):
        (folder := tmp_path / str(number)).mkdir()
        free.append(with_paper(project(folder, SOUND), KINGMA)[0])
        project(folder, SOUND + unseen.replace("KEY", free[-1]) + "\n" + last)
        key, text = with_paper(folder / "main.tex", KINGMA)
        documents.append(project(folder, (folder / "r.bib").read_text(), f"sound}}\\cite{{{free[-1]}"))
        keys.append(key)
        after.append(text)
    before = build(documents)
    for document, text, taken, key in zip(documents, after, free, keys, strict=True):
        project(document.parent, text, f"sound}}\\cite{{{taken}}}\\cite{{{key}")
    assert sum(not old for old in before) == (build is by_bibtex), "BibTeX refuses a % before the type"
    for old, now, key in zip(before, build(documents), keys, strict=True):
        assert not old or (old.items() <= now.items() and "Adam" in now[key])


@pytest.mark.latex
@pytest.mark.parametrize("tail", TAILS)
def test_nothing_is_appended_behind_a_damaged_end(tmp_path: Path, tail: str) -> None:
    main = project(tmp_path, SOUND + tail + "\n")
    with pytest.raises(NoPlace, match="line 2"):
        with_paper(main, KINGMA)
    fresh = SOUND.replace("sound", "fresh")
    main = project(tmp_path, f"{SOUND}{tail}\n{fresh}", "fresh")
    assert not all("fresh" in build([main])[0] for build in (by_bibtex, by_biber)), (
        "one of them loses what follows"
    )


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
