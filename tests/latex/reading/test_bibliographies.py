"""The bibliographies of a project together, as BibTeX reads them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from texgeist_latex.bib.parser import read_bib
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.workspace import Workspace

from benchmarks.latex.real_programs import by_biber, by_bibtex

Draw = Callable[[str], Any]
TWO = """
%! main.tex
\\documentclass{article}\\begin{document}\\cite{a}\\bibliography{names,papers}\\end{document}
%! names.bib
@string{jmlr = "Journal of Machine Learning Research"}
%! papers.bib
@article{a, title = {On A}, author = {Ann Ash}, journal = JMLR # " 5"}
@article{b, title = {On B}, journal = nowhere, month = may}
"""


def fields(draft: Any) -> dict[str, dict[str, str]]:
    return {e.key: e.fields for b in draft.bibliographies for e in b.entries}


def test_strings_reach_across_files(draw: Draw) -> None:
    found = fields(draw(TWO).draft())
    assert found["a"]["journal"] == "Journal of Machine Learning Research 5"
    assert found["b"]["journal"] == "nowhere" and found["b"]["month"] == "May"


def test_strings_hold_only_from_their_file_on(draw: Draw) -> None:
    found = fields(draw(TWO.replace("{names,papers}", "{papers,names}")).draft())
    assert found["a"]["journal"] == "JMLR 5"


def test_a_string_that_changes_reaches_the_other_file_at_once(draw: Draw) -> None:
    drawn = draw(TWO)
    model = Workspace([drawn.folder], programs=False)
    main, names = drawn.folder / "main.tex", drawn.folder / "names.bib"
    model.open(main, drawn.texts["main.tex"])
    model.open(names, drawn.texts["names.bib"])

    def journal() -> str:
        known = model.entry(main, "a")
        assert known
        return known[1].fields["journal"]

    assert journal() == "Journal of Machine Learning Research 5"
    model.change(names, drawn.texts["names.bib"].replace("Journal of Machine Learning Research", "Other"))
    assert journal() == "Other 5"
    project = model._projects.of(main)
    model.change(main, drawn.texts["main.tex"] + "\n")
    assert model._projects.of(main).library is project.library  # typing in the text joins nothing anew


COMMENTED = """@misc{a, title = {Fifty 50% of}, % a note
  % doi = {10.1/x},
  %author = {Ada Byron},
  year = 1990
  % }
}
@misc{% before the key
b % and behind it
, title = % before the value
  {Joined} % and
  # { words}, year = "1991"}
@misc{c, title = {Plain \\\\% sign}, url = {https://a.example/%20}}
"""


@pytest.mark.latex
def test_comments_between_fields_are_read_as_biber_reads_them(tmp_path: Path) -> None:
    (tmp_path / "r.bib").write_text(COMMENTED)
    (tmp_path / "main.tex").write_text("\\cite{a}\\cite{b}\\cite{c}\\bibliography{r}")
    read = read_bib(tmp_path / "r.bib", COMMENTED)
    assert [{entry.key: entry.fields["title"] for entry in read.entries}] == by_biber([tmp_path / "main.tex"])
    assert [sorted(entry.fields) for entry in read.entries] == [["title", "year"]] * 2 + [["title", "url"]]
    assert not read.problems and len(read.comments) == 2
    assert by_bibtex([tmp_path / "main.tex"]) == [{}], "it reports an error"


@pytest.mark.parametrize(
    ("preamble", "lines"),
    [
        ("\\usepackage{natbib}", [1, 7]),
        ("\\usepackage[backend=bibtex]{biblatex}", [1, 7]),
        ("\\usepackage{biblatex}", []),
        ("\\usepackage[%backend=bibtex,\n  backend=biber]{biblatex}", []),
    ],
)
def test_comments_between_fields_are_reported_where_bibtex_reads_them(
    preamble: str, lines: list[int], tmp_path: Path
) -> None:
    (tmp_path / "r.bib").write_text(COMMENTED)
    main = tmp_path / "main.tex"
    main.write_text(
        f"\\documentclass{{article}}{preamble}\\begin{{document}}\\cite{{b}}\\bibliography{{r}}\\end{{document}}"
    )
    problems = read_draft(main, programs=False).problems
    assert all(problem.code == "comment-in-entry" for problem in problems)
    assert [COMMENTED.count("\n", 0, problem.span.start) + 1 for problem in problems] == lines


def test_nothing_is_missing_in_a_bibliography_that_latex_has_not_written_yet(draw: Draw) -> None:
    made = "\\begin{filecontents}[overwrite]{papers.bib}\n@misc{a, title={A}}\n\\end{filecontents}\n"
    without = TWO.partition("%! papers.bib")[0].replace("\\documentclass", made + "\\documentclass")
    assert draw(without).draft().problems == ()
