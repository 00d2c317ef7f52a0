"""Citations in the forms of the packages, declared ones among them, and the style that is learned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Draw = Callable[[str], Any]


def cited(draw: Draw, body: str, preamble: str = "") -> list[tuple[str, str]]:
    draft = draw(
        f"\\documentclass{{article}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}"
    ).draft()
    return [(c.command, c.key) for c in draft.citations]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("\\cite{a}", [("cite", "a")]),
        ("\\citep[see][p.~3]{a,b}", [("citep", "a"), ("citep", "b")]),
        ("\\citet*{a}", [("citet*", "a")]),
        ("\\cite{a,\n  b, % why\n  c}", [("cite", "a"), ("cite", "b"), ("cite", "c")]),
        ("\\textcites(see)(and)[1]{a}[2]{b,c}", [("textcites", k) for k in "abc"]),
        ("\\parencites{a}[p. 3]{b}", [("parencites", "a"), ("parencites", "b")]),
        ("\\autocite{a} \\footcite[12]{b} \\smartcite{c} \\supercite{d}",
         [("autocite", "a"), ("footcite", "b"), ("smartcite", "c"), ("supercite", "d")]),
        ("\\citeA<see>[p.~3]{a} \\citeNP{b}", [("citeA", "a"), ("citeNP", "b")]),
        ("\\volcite{2}[3]{a}", [("volcite", "a")]),
        ("\\nocite{*} \\nocite{a}", [("nocite", "*"), ("nocite", "a")]),
        ("\\cite{DBLP:conf/x/Y-Z12} \\cite{a_b+c/d}", [("cite", "DBLP:conf/x/Y-Z12"), ("cite", "a_b+c/d")]),
        ("\\cite{Größe2020,李2021}", [("cite", "Größe2020"), ("cite", "李2021")]),
        ("\\cite{} \\cite{,} \\cite", []),
        ("\\cite{a", []),
        ("\\citestyle{plain} \\setcitestyle{square} \\citetext{see there}", []),
        ("\\citesup{a}", [("citesup", "a")]),
        ("\\needcite{a long remark here}", []),
        ("\\bstctlcite{IEEEexample:BSTcontrol} \\newcites{sup}{More} \\setcite{x} \\newcite{a}", [("newcite", "a")]),
        ("\\footcitet{a} \\ftvolcite{2}{b} \\foreigntextcquote{german}{c}{Worte}",
         [("footcitet", "a"), ("ftvolcite", "b"), ("foreigntextcquote", "c")]),
        ("\\onlinecite{a} \\bibentry{b} \\citealias{c}", [("onlinecite", "a"), ("bibentry", "b"), ("citealias", "c")]),
    ],
)  # fmt: skip
def test_forms(body: str, expected: list[tuple[str, str]], draw: Draw) -> None:
    assert cited(draw, body) == expected


@pytest.mark.parametrize(
    ("preamble", "body", "expected"),
    [
        ("\\newcommand{\\see}[1]{(see \\citep{#1})}", "\\see{a,b}", [("see", "a"), ("see", "b")]),
        ("\\newcommand\\on[2]{#1 \\cite{#2}}", "\\on{words here}{a}", [("on", "a")]),
        ("\\def\\C#1{\\cite{#1}}", "\\C{a}", [("C", "a")]),
        ("\\let\\ct\\citet", "\\ct[p.~1]{a}", [("ct", "a")]),
        ("\\newcommand{\\ct}{\\citet}\\let\\cu\\ct", "\\cu{a}", [("cu", "a")]),
        ("\\NewDocumentCommand{\\cc}{o m}{\\citep[#1]{#2}}", "\\cc[x]{a}", [("cc", "a")]),
        ("\\DeclareCiteCommand{\\mycite}{}{}{}{}", "\\mycite[2]{a}", [("mycite", "a")]),
        ("\\newcommand{\\mycite}[1]{\\textcolor{red}{[cite: #1]}}", "\\mycite{somebody}", []),
        ("\\newcommand{\\tool}{Tool~\\cite{t20}\\xspace}", "\\tool", [("cite", "t20")]),
    ],
)
def test_declared_commands(preamble: str, body: str, expected: list[tuple[str, str]], draw: Draw) -> None:
    assert cited(draw, body, preamble) == expected


@pytest.mark.parametrize(
    ("preamble", "body", "style"),
    [
        ("", "\\cite{a}", ("plain", "cite", "cite")),
        ("\\usepackage{natbib}", "", ("natbib", "citep", "citet")),
        ("\\usepackage[numbers]{natbib}", "\\cite{a} \\cite{b}", ("natbib", "cite", "citet")),
        ("\\usepackage[style=authoryear]{biblatex}", "", ("biblatex", "parencite", "textcite")),
        (
            "\\usepackage{biblatex}",
            "\\autocite{a} \\autocite{b} \\parencite{c}",
            ("biblatex", "autocite", "textcite"),
        ),
        ("\\usepackage[natbib=true]{biblatex}", "\\citep{a} \\citet{b}", ("biblatex", "citep", "citet")),
        ("\\usepackage{apacite}", "\\citeA{a} \\cite{b}", ("apacite", "cite", "citeA")),
        ("\\usepackage[natbibapa]{apacite}", "\\citep{a}", ("natbib", "citep", "citet")),
        ("\\addbibresource{x.bib}", "", ("biblatex", "parencite", "textcite")),
        ("", "\\citep{a}", ("natbib", "citep", "citet")),
        (
            "\\usepackage{natbib}\\newcommand{\\see}[1]{\\citealp{#1}}",
            "\\see{a}\\see{b}",
            ("natbib", "citealp", "citet"),
        ),
    ],
)
def test_style(preamble: str, body: str, style: tuple[str, str, str], draw: Draw) -> None:
    found = (
        draw(f"\\documentclass{{article}}{preamble}\\begin{{document}}{body}\\end{{document}}").draft().style
    )
    assert (found.package, found.parenthetical, found.textual) == style
