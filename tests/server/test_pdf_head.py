"""Title, authors and year of a PDF: what the first page clearly says, and nothing else."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from texgeist_server.library.sources.pdfs import Head, names_in, read_head, record_of_pdf

from ..conftest import absent

PAPER = [
    (8.0, "Proceedings of the 12th Conference on Traps, 2019"),
    (17.2, "Cooling Isotopes in"),
    (17.2, "Very Small Traps"),
    (12.0, "Jo Smith1,∗, María José Ñúñez2 and R. Q. van der Berg1"),
    (10.0, "1University of Somewhere, 2Institute of Elsewhere"),
    (10.0, "{jo,maria}@example.org"),
    (12.0, "Abstract"),
    (10.0, "We cool isotopes."),
]


def test_the_largest_letters_are_the_title_and_the_names_below_the_authors() -> None:
    head = read_head(PAPER)
    assert head == Head(
        "Cooling Isotopes in Very Small Traps", ("Jo Smith", "María José Ñúñez", "R. Q. van der Berg"), 2019
    )


def test_an_arxiv_id_says_the_year() -> None:
    assert read_head(PAPER, "2003.01234").year == 2020
    assert read_head(PAPER, "hep-th/9711200").year == 1997
    assert read_head([line for line in PAPER if "2019" not in line[1]]).year is None


@pytest.mark.parametrize(
    "lines",
    [
        [line for line in PAPER if line[1] != "Abstract"],  # a letter, a slide, a form
        [(10.0, "Abstract"), (10.0, "We cool isotopes.")],
        [(20.0, "TRAPS"), (10.0, "Abstract")],  # one word is a journal's name
        [],
    ],
)
def test_what_is_no_papers_first_page_says_nothing(lines: list[tuple[float, str]]) -> None:
    assert (read_head(lines).title, read_head(lines).authors) == ("", ())


@pytest.mark.parametrize(
    "line",
    ["University of Somewhere", "Google Research, New York", "jo@example.org", "The Authors", "and", "", "x y",
     "Department of Physics and Jo Smith", "Cooling of isotopes"],
)  # fmt: skip
def test_what_is_no_name_is_no_author(line: str) -> None:
    assert names_in(line) == ()


@pytest.mark.latex
def test_a_paper_as_latex_sets_it(tmp_path: Path) -> None:
    if not shutil.which("pdflatex"):
        absent("pdflatex is not installed")
    (tmp_path / "a.tex").write_text(
        r"""\documentclass[twocolumn]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}
\title{On the Cooling of Isotopes:\\ A Study of Traps}
\author{Jo Smith\thanks{University of Somewhere} \and Zoë Müller}\date{}
\begin{document}\maketitle\begin{abstract}
Isotopes are held in traps that we cool, by light and by patience, until they stand still enough to be
counted one by one by whoever wants to count them.\end{abstract}
\section{Introduction} Much was said before. \newpage Text. \end{document}""",
        "utf-8",
    )
    command = ["pdflatex", "-interaction=batchmode", "a.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    paper = record_of_pdf(tmp_path / "a.pdf").paper
    assert paper.title == "On the Cooling of Isotopes: A Study of Traps"
    assert paper.authors == ("Jo Smith", "Zoë Müller") and paper.year is None
    assert paper.abstract.startswith("Isotopes are held")
