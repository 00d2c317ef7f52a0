"""Another key everywhere, or nowhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.errors import OutOfBounds, Unfit
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace
from texgeist_latex.tex.sentences import renamed
from texgeist_latex.writing.apply import apply_plan
from texgeist_latex.writing.renaming import plan_renaming, with_sources_of
from texgeist_latex.writing.taking import correct

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


def test_an_entry_that_latex_writes_again_is_left_alone(tmp_path: Path) -> None:
    root = project(tmp_path)
    root.write_text(
        f"\\begin{{filecontents*}}[overwrite]{{refs.bib}}\n{REFS}\\end{{filecontents*}}\n{MAIN}", "utf-8"
    )
    draft = read_draft(root, programs=False)
    with pytest.raises(Unfit, match="filecontents"):
        plan_renaming(draft, "old", "new")
    entry = next(e for b in draft.bibliographies for e in b.entries if e.key == "old")
    with pytest.raises(Unfit, match="filecontents"):
        correct(draft, entry, [])


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (
            "cannot be a citation key",
            ["", "a b", "a,b", "a}b", "x%y", "\\x", "*", "#1", "a\nb", "x" * 300, "a~b"],
        ),
        ("is the key of another entry", ["older", "OLDER", "a"]),
    ],
)
def test_a_key_that_is_refused(tmp_path: Path, words: str, keys: list[str]) -> None:
    draft = read_draft(project(tmp_path), programs=False)
    for new in keys:
        with pytest.raises(Unfit, match=words):
            plan_renaming(draft, "old", new)
    assert {edit.text for edit in plan_renaming(draft, "old", "Old").edits} == {"Old"}


def test_a_key_in_a_file_outside_is_left_alone_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    root = project(inside)
    (inside / "refs.bib").rename(tmp_path / "refs.bib")
    root.write_text(MAIN.replace("refs,more", "../refs,more"), "utf-8")
    draft = read_draft(root, programs=False)
    with pytest.raises(OutOfBounds):
        plan_renaming(draft, "old", "new")
    with pytest.raises(Unfit, match="is not a key of this project"):
        plan_renaming(draft, "nowhere", "new")
    (inside / "more.bib").write_text("@IEEEtranBSTCTL{old, CTLuse_url = {no}}\n")
    root.write_text(MAIN.replace("refs,more", "more"), "utf-8")
    with pytest.raises(Unfit, match="old is not a paper"):  # but the options of a style
        plan_renaming(read_draft(root, programs=False), "old", "new")
    monkeypatch.setattr("texgeist_latex.tex.scan.MAX_TOKENS", 12)
    with pytest.raises(Unfit, match="nothing was renamed"):  # the rest, which was not read, may cite it
        plan_renaming(read_draft(project(inside), programs=False), "old", "new")


def test_the_text_that_we_keep_is_renamed_by_its_citations_alone() -> None:
    text = "\\citet{old} say old; \\citep[p. 2]{a, old}, {old}, \\cites[1]{ old }[2]{a}[3]{old}"
    wanted = "\\citet{n} say old; \\citep[p. 2]{a, n}, {old}, \\cites[1]{ n }[2]{a}[3]{n}"
    assert renamed(text, {"old": "n"}) == wanted


def two_papers(folder: Path) -> tuple[Path, Path]:
    root = project(folder)
    (folder / "talk").mkdir()
    talk = folder / "talk" / "slides.tex"
    talk.write_text(
        "\\documentclass{beamer}\\begin{document}\\cite{old}\\input{more}\\bibliography{../refs}\\end{document}"
    )
    (folder / "talk" / "more.tex").write_text("\\cite{older,old}")
    apart = "\\documentclass{article}\\begin{document}\\cite{old}\\bibliography{own}\\end{document}"
    (folder / "apart.tex").write_text(apart)
    (folder / "own.bib").write_text("@misc{old, title={Another old}}")
    return root, talk


@pytest.mark.parametrize("named", [None, "main.tex"])
def test_a_second_document_with_the_same_bibliography_is_renamed_too(
    tmp_path: Path, named: str | None
) -> None:
    """Also where a setting names the root document."""
    root, talk = two_papers(tmp_path)
    model = Workspace([tmp_path], tmp_path / named if named else None, programs=False)
    draft = model.draft(root)
    others = model.sharing(draft, "old")
    assert [other.root for other in others] == [talk], "not the one with an entry of its own"
    assert model.sharing(draft, "a") == [], "its entry stands in a bibliography that nobody else reads"
    apply_plan(plan_renaming(draft, "old", "new", others), with_sources_of(draft, others))
    assert (
        "\\cite{new}" in talk.read_text()
        and (tmp_path / "talk" / "more.tex").read_text() == "\\cite{older,new}"
    )
    assert "@article{new" in (tmp_path / "refs.bib").read_text()
    assert "\\cite{old}" in (tmp_path / "apart.tex").read_text()
    assert "{old" in (tmp_path / "own.bib").read_text()


def test_a_key_that_another_document_has_taken_is_refused(tmp_path: Path) -> None:
    root, talk = two_papers(tmp_path)
    talk.write_text(talk.read_text().replace("../refs", "../refs,mine"))
    (talk.parent / "mine.bib").write_text("@misc{taken, title={T}}")
    model = Workspace([tmp_path], programs=False)
    draft = model.draft(root)
    with pytest.raises(Unfit, match="taken is the key of another entry"):
        plan_renaming(draft, "old", "taken", model.sharing(draft, "old"))


@pytest.mark.parametrize("which", ["main", "talk"])
def test_what_was_not_read_is_named_and_nothing_renamed(tmp_path: Path, which: str) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    root, talk = two_papers(folder)
    (tmp_path / "elsewhere.tex").write_text("\\cite{old}")
    host = root if which == "main" else talk
    up = "../elsewhere" if which == "main" else "../../elsewhere"
    host.write_text(host.read_text().replace("\\begin{document}", f"\\begin{{document}}\\input{{{up}}}"))
    model = Workspace([folder], programs=False)
    draft = model.draft(root)
    with pytest.raises(
        Unfit, match=r"elsewhere\.tex, which was not read and may cite old; nothing was renamed"
    ):
        plan_renaming(draft, "old", "new", model.sharing(draft, "old"))


@pytest.mark.parametrize(
    ("written", "host"),
    [
        ("\\foreach \\x in {part}{\\input{\\x}}", "main.tex"),
        ("\\newcommand{\\dir}[1]{#1}\\input{\\dir{part}}", "main.tex"),
        ("\\foreach \\x in {more}{\\input{\\x}}", "part.tex"),
    ],
)
def test_a_file_included_by_a_computed_name_may_cite_it(tmp_path: Path, written: str, host: str) -> None:
    root = project(tmp_path)
    file = tmp_path / host
    text = file.read_text("utf-8")
    file.write_text(text + written if host == "part.tex" else text.replace("\\input{part}", written), "utf-8")
    with pytest.raises(Unfit, match=rf"{host} includes .*, by a computed name, .* nothing was renamed"):
        plan_renaming(read_draft(root, programs=False), "old", "new")


@pytest.mark.parametrize(
    "written",
    [
        "\\def\\parts{.}\\input{\\parts/part}",
        "\\newcommand{\\chapter}[1]{\\input{#1}}\\input{part}",
        "\\verb|\\input{\\x}|\\input{part}",
        "% \\input{\\x}\n\\input{part}",
        "\\input{}\\input{part}",
        "\\input{\\jobname-tables}\\input{part}",
        "\\subfile{part}",
    ],
)
def test_what_is_read_or_never_included_hinders_no_renaming(tmp_path: Path, written: str) -> None:
    root = project(tmp_path)
    root.write_text(MAIN.replace("\\input{part}", written), "utf-8")
    if "subfile" in written:  # its preamble is no part of the document
        head = "\\documentclass[main]{subfiles}\\input{\\home/preamble}\\begin{document}"
        (tmp_path / "part.tex").write_text(f"{head}\\cite{{old}}\\end{{document}}")
    files = {edit.file.name for edit in plan_renaming(read_draft(root, programs=False), "old", "new").edits}
    assert files == {"main.tex", "part.tex", "refs.bib", "more.bib"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("note = {see \\citep[p. 2]{older, old}},", "note = {see \\citep[p. 2]{older, new}},"),
        ('note = "after " # "\\citet*{old}, not {old}",', 'note = "after " # "\\citet*{new}, not {old}",'),
        ("annote = {50% of \\mine{old}, \\cite{older} and \\textcites{a}{old}},",
         "annote = {50% of \\mine{new}, \\cite{older} and \\textcites{a}{new}},"),
    ],
)  # fmt: skip
def test_citations_in_the_fields_of_entries_are_renamed(tmp_path: Path, before: str, after: str) -> None:
    root, more = project(tmp_path), tmp_path / "more.bib"
    root.write_text(MAIN.replace("\\begin{document}", "\\begin{document}\\mine{a}"), "utf-8")
    string = "@string{say = {as \\cite{old} say}}\n"
    more.write_text(f"{string}@misc{{a, {before} title = {{A}}}}\n")
    draft = read_draft(root, programs=False)
    apply_plan(plan_renaming(draft, "old", "new"), draft)
    assert more.read_text() == f"{string.replace('old', 'new')}@misc{{a, {after} title = {{A}}}}\n"


def test_what_keeps_the_old_key_is_named(tmp_path: Path) -> None:
    root = project(tmp_path)
    (tmp_path / "draft.tex").write_text("Words.\nOn \\cite{a,old}.\n")
    (tmp_path / "other.tex").write_text("\\cite{older}, old")
    (tmp_path / "apart.tex").write_text("\\documentclass{article}\\begin{document}\\cite{old}\\end{document}")
    model = Workspace([tmp_path], programs=False)
    draft = model.draft(root)
    notes = plan_renaming(draft, "old", "new", (), model.loose(draft, "old")).notes
    assert notes == (
        "old remains in main.tex:4, part.tex:1 (commented out or not read by LaTeX).",
        "old remains in draft.tex:2 (no document includes it).",
    )
    assert plan_renaming(draft, "a", "new").notes == ()
    model.stop()
