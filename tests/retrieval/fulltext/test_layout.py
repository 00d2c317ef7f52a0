"""Sections of PDFs as TeX typesets them."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from texgeist_retrieval.fulltext.layout import sections_of_pages
from texgeist_retrieval.fulltext.pdf import extract
from texgeist_retrieval.fulltext.sections import bare_heading, chunks_of

HEADINGS = (
    "Introduction", "Prior Work", "Scoring Candidates", "Definition of the Grammar", "Time-lines for Several News Stories and their Uses",
    "Experimental Evaluation", "Conclusions",
)  # fmt: skip
SENTENCE = (
    "We efficiently reconfigure the differential representation of heterogeneous retrieval systems, whose "
    "configurability significantly influences classification, as was shown in earlier studies of it. "
)
EQUATION = (
    r"\begin{equation}\mathcal{L}(\theta) = \sum_{i=1}^{N} \log p_\theta(y_i \mid x_i) - \lambda \|\theta\|^2"
    r"\end{equation}"
)
ENTRIES = "\n".join(
    rf"\bibitem{{k{n}}} A.~Smith and B.~Jones. On things. In \emph{{Proc.\ of ICML}}, pages 1--9, 2019."
    for n in range(12)
)


def paper(options: str, star: str) -> str:
    parts = "\n".join(
        rf"\section{star}{{{heading}}}{SENTENCE * 5}{EQUATION}{SENTENCE * 6}{EQUATION}{SENTENCE * 5} End of {n}."
        for n, heading in enumerate(HEADINGS)
    )
    return rf"""\documentclass[{options}]{{article}}
\title{{A Paper about Papers}}\author{{A. Author \and Bea Writer}}
\begin{{document}}\maketitle
\begin{{abstract}}{SENTENCE}\end{{abstract}}
{parts}
\begin{{thebibliography}}{{9}}{ENTRIES}\end{{thebibliography}}
\end{{document}}"""


@pytest.mark.latex
@pytest.mark.parametrize("options", ["10pt", "10pt,twocolumn"])
@pytest.mark.parametrize("star", ["", "*"])
def test_headings_are_found_and_nothing_crosses_a_border(tmp_path: Path, options: str, star: str) -> None:
    if shutil.which("pdflatex") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("pdflatex is not installed")
    (tmp_path / "paper.tex").write_text(paper(options, star), encoding="utf-8")
    command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "paper.tex"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
    said = extract((tmp_path / "paper.pdf").read_bytes())

    sections = sections_of_pages(said.pages, said.fonts)
    assert [bare_heading(s.heading) for s in sections if s.heading] == ["Abstract", *HEADINGS]
    chunks = chunks_of("p", sections)
    for number, heading in enumerate(HEADINGS):
        own = [chunk for chunk in chunks if bare_heading(chunk.heading) == heading]
        assert f"End of {number}." in own[-1].text
        assert not any(
            f"End of {other}." in chunk.text for chunk in own for other in range(7) if other != number
        )
    whole = [block for section in sections for block in section.blocks if block.whole]
    assert len(whole) >= 2 * len(HEADINGS)
    assert all(any(block.text in chunk.text for chunk in chunks) for block in whole), "an equation was cut"
    pages = [chunk.page or 0 for chunk in chunks]
    assert pages == sorted(pages) and pages[0] == 1 and pages[-1] > 1
    kinds = {chunk.section for chunk in chunks if chunk.heading}
    assert {"abstract", "introduction", "related work", "results", "conclusion"} <= kinds


def test_a_headings_last_word_is_no_heading_of_its_own() -> None:
    """Though it could be one: "3 Fertility Hidden Markov / Model" in a narrow column."""
    lines = ["1 Introduction", "Sleep is long.", "2 Fertility Hidden Markov", "Model", "Naps are short."]
    (first, second) = sections_of_pages(
        ["\n".join(lines)],
        [[(14.0 if number in (0, 2, 3) else 10.0, number in (0, 2, 3)) for number in range(5)]],
    )
    assert bare_heading(first.heading) == "Introduction"
    assert bare_heading(second.heading) == "Fertility Hidden Markov Model"
    unnumbered = sections_of_pages(["Introduction\nSleep is long.\nRelated Work\nMethods\nNaps are short."])
    assert "Methods" in [section.heading for section in unnumbered]


def test_theorems_and_labels_of_axes_are_no_headings() -> None:
    lines = ["1 Introduction", "Sleep is long.", "Claim 2 (Naps)", "Assumption A1", "Naps help.", "0.2 0.4 0.6", "Hours of Sleep",
             "0 5 10", "Recall falls.", "A Large Study", "Naps are short."]  # fmt: skip
    bold = {0, 2, 3, 6, 9}
    fonts = [[(14.0 if number in bold else 10.0, number in bold) for number in range(len(lines))]]
    headings = [section.heading for section in sections_of_pages(["\n".join(lines)], fonts)]
    assert headings == ["1 Introduction", "A Large Study"]


TITLE_BLOCK = "Naps and the Recall of Words\nAda Lindqvist and Omar Reyes\nUniversity of Somewhere, ada@some.where\n2021"


def test_title_and_authors_are_no_passage() -> None:
    after = "1 Introduction\nSleep is long and naps are short."
    held = sections_of_pages([f"{TITLE_BLOCK}\nAbstract\nWe study naps.\n{after}"])
    assert [section.heading for section in held] == ["Abstract", "1 Introduction"]
    assert [section.heading for section in sections_of_pages([f"{TITLE_BLOCK}\n{after}"])] == [
        "1 Introduction"
    ]


def test_an_abstract_without_its_heading_stays() -> None:
    abstract = "We study whether a nap of ninety minutes after learning improves the recall of word pairs."
    first, _ = sections_of_pages([f"{TITLE_BLOCK}\n{abstract}\n1 Introduction\nSleep is long."])
    assert not first.heading and any("ninety minutes" in block.text for block in first.blocks)
    (alone,) = sections_of_pages([TITLE_BLOCK])
    assert "Lindqvist" in alone.blocks[0].text, "all that there is stays"


@pytest.mark.parametrize(
    "text, heading",
    [
        ("We tested forty mice. Recall rose by ten. None of them slept. All of them ate.", "Methods"),
        ("我们在四十只小鼠上测试了该模型的性能和速度。", "1 Introduction"),
        (
            "We tested forty mice for ten days, and found that all of them “slept much better”.",
            "1 Introduction",
        ),
        (
            "We tested forty mice for ten days, and found that all of them slept much better. Their recall of the "
            "words that they had learned before the nap rose by twelve points in all of the groups.",
            "Abstract",
        ),
    ],
)
def test_a_papers_own_sentences_stay_before_its_first_heading(text: str, heading: str) -> None:
    page = f"{TITLE_BLOCK}\n{text}\n{heading}\nSleep is long.\nMethods\nNaps are short."
    assert text[:20] in " ".join(block.text for block in sections_of_pages([page])[0].blocks)


def test_a_sentence_has_the_page_on_which_it_begins() -> None:
    """Also where each page ends within a sentence, so that all of them are one run."""
    names = [f"mouse {chr(97 + n // 10)}{chr(97 + n % 10)}kle" for n in range(60)]  # no running heads
    lines = [f"Sleep of {name} was long, and went\non to the end of {name}. Then comes" for name in names]
    pages = ["\n".join(lines[start : start + 10]) for start in range(0, 60, 10)]
    (section,) = sections_of_pages(["1 Introduction\n" + pages[0], *pages[1:]])
    begun = [b.page for b in section.blocks if b.text.startswith("Then comes Sleep")]
    assert begun == [1 + n // 10 for n in range(59)]  # with the line before their own


@pytest.mark.parametrize("piece", ["x", "漢", "1", "x-\n", "(", "1.1 ", "[1] A. B, ", "References\n"])
def test_a_page_without_end_is_read_in_linear_time(piece: str) -> None:
    """As long as the reader of PDFs lets a page be: 40,000 letters without a space took 12 s, 150 pages half an hour."""
    started = time.process_time()
    sections_of_pages([(piece * 40_000)[:40_000]] * 3)
    assert time.process_time() - started < 10
