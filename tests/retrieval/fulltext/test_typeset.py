"""Papers as TeX typesets them: two columns, ligatures, hyphens, a bibliography, an appendix."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from texgeist_retrieval.fulltext import read_pdf

SENTENCE = (
    "We efficiently reconfigure the differential representation of heterogeneous retrieval systems, whose "
    "state-of-the-art configurability significantly influences classification [1, 2], as shown in [3]."
)
NAMES = ("shape", "colour", "weight", "sound", "taste", "age", "name", "end", "use", "fit")
ENTRIES = "\n".join(
    rf"\bibitem{{{name}}} A.~Smith and B.~Jones. On the {name} of things. "
    r"In \emph{Proc.\ of ICML}, pages 1--9, 2019."
    for name in NAMES
)


def paper(options: str) -> str:
    section = "\n\n".join([SENTENCE] * 14)
    return rf"""\documentclass[{options}]{{article}}
\title{{A Paper}}\author{{A. Author}}
\begin{{document}}\maketitle
\begin{{abstract}}{SENTENCE}\end{{abstract}}
\section{{Introduction}}{section}
\section{{Method}}{section}
\section{{Conclusion}}It ends with flying fishes.
\section*{{Acknowledgements}}We thank the committee for its patience.
\begin{{thebibliography}}{{9}}{ENTRIES}\end{{thebibliography}}
\appendix\section{{Proofs}}Here the secret of the proof is told.
\end{{document}}"""


@pytest.fixture
def pdflatex(tmp_path: Path) -> Callable[[str], bytes]:
    if shutil.which("pdflatex") is None:
        (pytest.fail if os.environ.get("CI") else pytest.skip)("pdflatex is not installed")

    def run(text: str) -> bytes:
        (tmp_path / "paper.tex").write_text(text, encoding="utf-8")
        command = ["pdflatex", "-interaction=batchmode", "-halt-on-error", "paper.tex"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=120)
        return (tmp_path / "paper.pdf").read_bytes()

    return run


@pytest.mark.latex
@pytest.mark.parametrize("options", ["10pt", "10pt,twocolumn"])
def test_the_body_comes_out_as_it_was_written(options: str, pdflatex: Callable[[str], bytes]) -> None:
    pages = read_pdf(pdflatex(paper(options)))
    text = " ".join(pages)
    whole = text.count(SENTENCE)
    assert whole >= 20, text[:2000]  # the others are divided by a page or by a heading
    assert "ends with flying fishes." in text
    for gone in ("thank the committee", "On the shape", "secret of the proof", "Acknowledgements"):
        assert gone not in text
    assert not re.search(r"[ﬀ-ﬆ]", text)
