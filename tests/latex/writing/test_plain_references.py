"""Printed references, read as entries."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.bib.bbl import read_item
from texgeist_latex.bib.embedded import read_thebibliography
from texgeist_latex.bib.plain_references import LONGEST, PRINTED, read_reference

STYLES = {
    "plain": "[3] Ryan P. Adams and David J. C. MacKay. Is it a point? On change. In Proc. of Int. Conf. X, "
    "volume 36, pages 5–9. ACM, 2022.",
    "ieeetr": "[3] R. P. Adams and D. J. C. MacKay, “Is it a point? On change,” in Proc. of Int. Conf. X, vol. 36, "
    "pp. 5–9, 2022.",
    "apalike": "Adams, R. P. and MacKay, D. J. C. (2022). Is it a point? On change. In Roe, A., editor, Proc. of Int. "
    "Conf. X, volume 36, pages 5–9. ACM.",
    "acm": "[3] Adams, R. P., and MacKay, D. J. C. Is it a point? On change. In Proc. of Int. Conf. X (2022), vol. 36, "
    "ACM, pp. 5–9.",
    "lncs": "3. Adams, R.P., MacKay, D.J.C.: Is it a point? On change. In: Proc. of Int. Conf. X. vol. 36, pp. 5–9. "
    "ACM (2022)",
}  # fmt: skip


@pytest.mark.parametrize("style", STYLES)
def test_a_paper_in_five_styles(style: str) -> None:
    read = read_reference("k", STYLES[style])
    fields = read.fields
    assert read.type == "inproceedings" and "MacKay" in fields["author"].split(" and ")[1]
    del fields["author"], fields[PRINTED]
    assert fields == {
        "title": "Is it a point? On change", "booktitle": "Proc. of Int. Conf. X", "year": "2022", "volume": "36",
        "pages": "5–9",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "A. Smith, B. van der Doe, Deep Learning, Nature 5 (2001) 1–10. https://doi.org/10.1000/x1",
            {"author": "A. Smith and B. van der Doe", "title": "Deep Learning", "journal": "Nature", "volume": "5",
             "doi": "10.1000/x1"},
        ),
        ("Smith JA, Doe B, et al. A title. Appl Math Lett. 1995;8:5-11.", {"author": "Smith, JA and Doe, B and others"}),
        (
            "Smith JA, van der Doe B (2009) A title. In: Proc. of X, pp 5–9",
            {"author": "Smith, JA and van der Doe, B", "year": "2009", "title": "A title", "booktitle": "Proc. of X"},
        ),
        ("A. Smith. A title. CoRR, abs/1706.03762, 2017.", {"eprint": "1706.03762", "volume": "abs/1706.03762"}),
        ("OpenAI. A report. Technical notes, 2023.", {"author": "OpenAI", "year": "2023"}),
    ],
)  # fmt: skip
def test_names_numbers_and_ids(text: str, wanted: dict[str, str]) -> None:
    assert wanted.items() <= read_reference("k", text).fields.items()


@pytest.mark.parametrize(
    ("item", "wanted"),
    [
        (
            r"{\sc Smith, J., and Doe, A.} \newblock A {B}ayesian title. \newblock {\em J. Tests 5\/} (2001).",
            {"author": "Smith, J. and Doe, A.", "title": "A Bayesian title", "journal": "J. Tests", "volume": "5"},
        ),
        (
            r"Ch.~M\"uller and odd nam\'e. \newblock A title. \newblock In \emph{Proc. X}, pages 1--2, 2001.",
            {"author": "Ch. Müller and others", "booktitle": "Proc. X", "pages": "1–2"},
        ),
        (
            r"\bibfield{author}{\bibinfo{person}{A. Smith}.} \bibinfo{year}{2001}. \newblock \showarticletitle{A title}."
            r" In \bibinfo{booktitle}{\emph{Proc. X}} \bibinfo{editor}{\bibinfo{person}{E. D.}}",
            {"author": "A. Smith", "title": "A title", "booktitle": "Proc. X", "year": "2001"},
        ),
        (
            r"Auer, P.; and Ortner, R. \newblock 2010{\natexlab{a}}. \newblock A title. \newblock {\em J. Tests} 61(1):5--9.",
            {"author": "Auer, P. and Ortner, R.", "year": "2010", "title": "A title", "journal": "J. Tests"},
        ),
        (
            r"Matt Hoffman. \newblock Stochastic inference, 2012. \newblock URL \url{https://arxiv.org/abs/1206.7051}.",
            {"year": "2012", "title": "Stochastic inference"},
        ),
        (r"OpenAI. \newblock (2023a). \newblock A report.", {"author": "OpenAI", "year": "2023", "title": "A report"}),
        (
            r"P.~Halmos and H. Smith, \emph{A title of two words}, J. Tests \textbf{5} (2010), 5--9.",
            {"title": "A title of two words", "journal": "J. Tests", "year": "2010"},
        ),
        (r"G. Orwell. \newblock {\em 1984}. \newblock Secker, 1949.", {"year": "1949", "title": "1984"}),
    ],
)  # fmt: skip
def test_the_parts_of_a_bibitem(item: str, wanted: dict[str, str]) -> None:
    text = rf"\begin{{thebibliography}}{{1}}\bibitem{{k}} {item}\end{{thebibliography}}"
    listed = read_thebibliography(Path("/a.bbl"), text)
    assert listed is not None
    assert wanted.items() <= read_item(listed.entries[0]).fields.items()


@pytest.mark.parametrize(
    "text", ["", "A sentence without names", "1989.", "“", "A. B. " * 900, "Smith, " * 700]
)
def test_what_is_no_reference_gets_no_title(text: str) -> None:
    read = read_reference("k", text)
    assert read.type == "misc" and len(text) <= LONGEST + 400
