"""Drafts for blind reviewers, drawn: what tells who wrote them, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.entry_checks.anonymity import check_anonymity
from texgeist_latex.reading.draft import read_draft

AUTHORS = r"\author{Ada Lovelace \and Charles Babbage}"
TITLE = r"\title{Steady Tracking of Distant Objects}"


def found(
    folder: Path, preamble: str, body: str, bib: str = "", authors: str = AUTHORS
) -> list[tuple[str, str]]:
    text = f"{preamble}\n{TITLE}\n{authors}\n\\begin{{document}}\n\\maketitle\n{body}\n\\bibliography{{refs}}\n\\end{{document}}\n"
    (folder / "main.tex").write_text(text, encoding="utf-8")
    (folder / "refs.bib").write_text(bib, encoding="utf-8")
    problems = check_anonymity(read_draft(folder / "main.tex"))
    return [(problem.code, text[problem.span.start : problem.span.end]) for problem in problems]


NAMED = "Following the plan of Ada Lovelace, we track."
BLIND = r"\documentclass{article}\usepackage{neurips_2024}"


@pytest.mark.parametrize(
    "preamble",
    [
        BLIND,
        r"\documentclass[sigconf,anonymous,review]{acmart}",
        r"\documentclass{article}\usepackage[review]{acl}",
        r"\documentclass{article}\usepackage[review]{cvpr}",
        r"\documentclass{article}\usepackage{iclr2024_conference,times} % \iclrfinalcopy",
        r"\documentclass{article}\usepackage{icml2024}",
        r"\documentclass{article}\usepackage{emnlp2020}",
        r"\documentclass{article}\usepackage[submission]{aaai24}",
        r"\documentclass{article}\usepackage{tmlr}",
        r"\documentclass{article}\usepackage{nips12submit_e,times}",
    ],
)
def test_blind(tmp_path: Path, preamble: str) -> None:
    assert found(tmp_path, preamble, NAMED) == [("names-in-text", "Ada Lovelace")]


@pytest.mark.parametrize(
    "preamble",
    [
        r"\documentclass{article}",
        r"\documentclass[review]{elsarticle}",
        r"\documentclass[sigconf,review]{acmart}",
        r"\documentclass{article}\usepackage[final]{neurips_2024}",
        r"\documentclass{article}\usepackage[preprint]{neurips_2024}",
        r"\documentclass{article}\usepackage[accepted]{icml2024}",
        "\\documentclass{article}\\usepackage{iclr2024_conference}\n\\iclrfinalcopy",
        r"\documentclass{article}\usepackage{acl}",
        r"\documentclass{article}\usepackage[final]{acl}",
        r"\documentclass{article}\usepackage{cvpr}",
        "\\documentclass{article}\n%\\usepackage[review]{cvpr}\n\\usepackage{cvpr}",
        "\\documentclass{article}\\usepackage{nips10submit_e}\n\\nipsfinalcopy",
        r"\documentclass{article}\iffalse\usepackage{neurips_2024}\fi",
    ],
)
def test_not_blind(tmp_path: Path, preamble: str) -> None:
    assert found(tmp_path, preamble, NAMED + r"\hypersetup{pdfauthor={Ada Lovelace}}") == []


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("We thank Ada~Lovelace.", ["Ada~Lovelace"]),
        ("By Ada King Lovelace and\nCharles\nBabbage.", ["Ada King Lovelace", "Charles\nBabbage"]),
        ("Lovelace did; so did Adam Lovelaced and Charles the Babbage.", []),
        ("% Ada Lovelace wrote this\n\\begin{comment}Ada Lovelace\\end{comment}", []),
        ("x\\begin{thebibliography}{9}\\bibitem{a} Ada Lovelace, A Paper\\end{thebibliography}", []),
    ],
)
def test_names_in_the_text(tmp_path: Path, body: str, names: list[str]) -> None:
    assert [text for code, text in found(tmp_path, BLIND, body)] == names


def test_names_that_are_none(tmp_path: Path) -> None:
    for authors in (r"\author{Anonymous Author(s)}", r"\author{First Author \and Second Author}", ""):
        assert found(tmp_path, BLIND, "The first author and First Author agree.", authors=authors) == []


@pytest.mark.parametrize(
    ("preamble", "codes"),
    [
        (r"\usepackage[pdfauthor={Ada Lovelace}]{hyperref}", ["names-in-metadata"]),
        (r"\hypersetup{pdftitle={X}, pdfauthor={Ada Lovelace, {\'E}mile Zola}}", ["names-in-metadata"]),
        (r"\pdfinfo{/Title (X) /Author (Ada Lovelace)}", ["names-in-metadata"]),
        (r"\hypersetup{pdfauthor={Anonymous}}\hypersetup{pdfauthor={}}\hypersetup{pdfauthor={\@author}}", []),
        (r"% \hypersetup{pdfauthor={Ada Lovelace}}", []),
    ],
)
def test_metadata(tmp_path: Path, preamble: str, codes: list[str]) -> None:
    assert [code for code, _ in found(tmp_path, f"{BLIND}\n{preamble}", "We track.")] == codes


def test_acknowledgements(tmp_path: Path) -> None:
    ((code, text),) = found(tmp_path, BLIND, "We track.\n\\section*{Acknowledgments}\nTo Mr. Weill.")
    assert code == "acknowledgements" and "Acknowledgments" in text


OWN = "@misc{own, title={Steady Tracking of Distant Objects}, author={A. Lovelace and C. Babbage}, year=2024, eprint={2401.00001}}"
NEAR = "@misc{own, title={Steady Tracking of Distant Objects with Memories}, author={Ada Lovelace and Charles Babbage}, year=2024}"
OTHERS = (
    "@misc{own, title={Steady Tracking of Distant Subjects}, author={Kurt Weill and Lotte Lenya}, year=2024}"
)
EARLIER = "@misc{own, title={Fast Tracking in the Fog}, author={Ada Lovelace and Charles Babbage}, year=2020}"


@pytest.mark.parametrize(("bib", "told"), [(OWN, True), (NEAR, True), (OTHERS, False), (EARLIER, False)])
def test_own_preprint(tmp_path: Path, bib: str, told: bool) -> None:
    got = found(tmp_path, BLIND, r"As \cite{own} and again \cite{own}.", bib)
    assert got == ([("own-preprint", "own")] if told else [])


def test_own_preprint_by_hidden_authors(tmp_path: Path) -> None:
    assert found(tmp_path, BLIND, r"\cite{own}", OWN, r"\author{Anonymous}") == [("own-preprint", "own")]
    assert found(tmp_path, BLIND, "Not cited.", OWN) == []
