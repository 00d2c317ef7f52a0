"""Another key everywhere, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.errors import OutOfBounds, Unfit
from texgeist_latex.reading.project import read_draft
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.renaming import plan_renaming
from texgeist_latex.writing.sentences import renamed

MAIN = r"""\documentclass{article}
\newcommand{\mine}[1]{\cite{#1}}
\begin{document}
\cite{old} and \citep[see][p. 3]{a, old ,older} and \nocite{old} % \cite{old} stays
\input{part}
\bibliography{refs,more}
\end{document}
"""
PART = "Ünïcödé 😀 \\textcite{older,old}\\verb|\\cite{old}|\n"
REFS = "@article{old, title={On old things}, year=2020}\n@misc{older, title={Older}, crossref = {OLD}, note={old}}\n"
MORE = '@set{both, entryset = "a, old"}\n@misc ( a, title = {old}, related = {old,b} )\n'


def project(folder: Path) -> Path:
    for name, text in (("main.tex", MAIN), ("part.tex", PART), ("refs.bib", REFS), ("more.bib", MORE)):
        (folder / name).write_text(text, "utf-8")
    return folder / "main.tex"


def test_every_place_and_no_other(tmp_path: Path) -> None:
    root = project(tmp_path)
    draft = read_draft(root, programs=False)
    apply_plan(plan_renaming(draft, "old", "new:2020"), draft)
    main, part = root.read_text("utf-8"), (tmp_path / "part.tex").read_text("utf-8")
    assert r"\cite{new:2020} and \citep[see][p. 3]{a, new:2020 ,older} and \nocite{new:2020}" in main
    assert r"% \cite{old} stays" in main
    assert part == "Ünïcödé 😀 \\textcite{older,new:2020}\\verb|\\cite{old}|\n"
    refs = (tmp_path / "refs.bib").read_text("utf-8")
    assert refs == REFS.replace("@article{old", "@article{new:2020").replace("{OLD}", "{new:2020}")
    more = (tmp_path / "more.bib").read_text("utf-8")
    assert more == MORE.replace('"a, old"', '"a, new:2020"').replace("{old,b}", "{new:2020,b}")
    again = read_draft(root, programs=False)
    assert not any(c.key == "old" for c in again.citations)
    assert {c.key for c in again.citations} <= {"new:2020", "a", "older"}


def test_back_again_gives_the_same_files(tmp_path: Path) -> None:
    root = project(tmp_path)
    for old, new in (("old", "some-other.key+1"), ("some-other.key+1", "old")):
        draft = read_draft(root, programs=False)
        apply_plan(plan_renaming(draft, old, new), draft)
    assert root.read_text("utf-8") == MAIN and (tmp_path / "more.bib").read_text() == MORE
    assert (tmp_path / "refs.bib").read_text() == REFS.replace("{OLD}", "{old}")


def test_an_item_of_a_thebibliography(tmp_path: Path) -> None:
    root = tmp_path / "main.tex"
    items = (
        "\\begin{thebibliography}{9}\n\\bibitem[Old(2020)]{old} old\n\\bibitem{b} B\n\\end{thebibliography}"
    )
    root.write_text(f"\\documentclass{{article}}\\begin{{document}}\\cite{{old,b}}\n{items}\\end{{document}}")
    draft = read_draft(root, programs=False)
    apply_plan(plan_renaming(draft, "old", "new"), draft)
    assert "\\cite{new,b}" in root.read_text() and "\\bibitem[Old(2020)]{new} old" in root.read_text()


@pytest.mark.parametrize("new", ["", "a b", "a,b", "a}b", "x%y", "\\x", "*", "#1", "a\nb", "x" * 300, "a~b"])
def test_what_cannot_be_a_key_is_refused(tmp_path: Path, new: str) -> None:
    draft = read_draft(project(tmp_path), programs=False)
    with pytest.raises(Unfit, match="cannot be a citation key"):
        plan_renaming(draft, "old", new)


@pytest.mark.parametrize("new", ["older", "OLDER", "a"])
def test_the_key_of_another_entry_is_refused(tmp_path: Path, new: str) -> None:
    draft = read_draft(project(tmp_path), programs=False)
    with pytest.raises(Unfit, match="is the key of another entry"):
        plan_renaming(draft, "old", new)


def test_another_case_of_the_same_key_is_free(tmp_path: Path) -> None:
    draft = read_draft(project(tmp_path), programs=False)
    assert {edit.text for edit in plan_renaming(draft, "old", "Old").edits} == {"Old"}


def test_a_key_in_a_file_outside_is_left_alone_everywhere(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    root = project(inside)
    (inside / "refs.bib").rename(tmp_path / "refs.bib")
    root.write_text(MAIN.replace("refs,more", "../refs,more"), "utf-8")
    draft = read_draft(root, programs=False)
    with pytest.raises(OutOfBounds):
        plan_renaming(draft, "old", "new")
    with pytest.raises(Unfit, match="is no key of this project"):
        plan_renaming(draft, "nowhere", "new")


def test_the_text_that_we_keep_is_renamed_by_its_citations_alone() -> None:
    text = "\\citet{old} say old; \\citep[p. 2]{a, old}, {old}, \\cites[1]{ old }[2]{a}[3]{old}"
    wanted = "\\citet{n} say old; \\citep[p. 2]{a, n}, {old}, \\cites[1]{ n }[2]{a}[3]{n}"
    assert renamed(text, {"old": "n"}) == wanted


@pytest.mark.parametrize(("old", "new"), [("alias", "new"), ("a", "alias"), ("main-key", "other")])
def test_another_name_of_an_entry_is_told(tmp_path: Path, old: str, new: str) -> None:
    root = project(tmp_path)
    (tmp_path / "part.tex").write_text("\\cite{alias,main-key}\n")
    (tmp_path / "refs.bib").write_text("@misc{main-key, title={T}, ids = {alias, other}}\n")
    with pytest.raises(Unfit, match="another name of main-key"):
        plan_renaming(read_draft(root, programs=False), old, new)
