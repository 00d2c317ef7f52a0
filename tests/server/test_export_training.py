"""`texgeist export-training`, from a project to a file."""

from __future__ import annotations

import json
from pathlib import Path

from .test_cli import texgeist

PAPER = r"""\documentclass{article}
\title{Searching graphs}
\begin{document}
\begin{abstract}We search graphs by their \emph{kernels}.\end{abstract}
\section{Introduction} Hello \cite{never}.
\section{Related Work}
\paragraph{Kernels.} Kernels are old \citep{kernels,citegeist}.

Others \cite[p.~3]{hash} hash.
\section{Conclusion} Bye.
\bibliography{own}
\end{document}
"""
BIB = r"""@article{kernels, title={{G}raph {K}ernels -- revisited}, year=2010,
  abstract={Kernels compare graphs. They are \"uber alles.}}
@misc{citegeist, title={{Citegeist}: Automated Generation of Related Work Analysis on the {arXiv} Corpus}, year=2025}
@article{hash, title={Hashing}, year=1999}
"""


def test_training_data_of_a_project_is_plain_text(tmp_path: Path, searching: dict[str, str]) -> None:
    (tmp_path / "main.tex").write_text(PAPER)
    (tmp_path / "own.bib").write_text(BIB)
    out = tmp_path / "out.jsonl"
    command = ("export-training", str(tmp_path / "main.tex"), "--out", str(out))

    done = texgeist(searching, *command)

    assert done.returncode == 0, done.stderr
    assert "2 of 3 cited papers have no abstract" in " ".join(done.stderr.split())
    done = texgeist(searching, *command, "--index", "library", "--force")
    assert "1 of 3 cited papers have no abstract" in " ".join(done.stderr.split())
    expansion, writing = (json.loads(line)["messages"] for line in out.read_text().splitlines())
    papers = json.loads(expansion[2]["content"])["papers"]
    assert papers[0] == {"title": "Graph Kernels – revisited", "abstract": "Kernels compare graphs."}
    assert papers[1]["title"].startswith("Citegeist: Automated") and len(papers[1]["abstract"]) > 30
    written = json.loads(writing[2]["content"])
    assert written["section"] == "**Kernels.** Kernels are old [1, 2]."
    assert '<paper title="Graph Kernels – revisited" year="2010"' in writing[1]["content"]
    assert "Hashing" not in writing[1]["content"] and "The id 3 was not given." in done.stderr
    assert not any(mark in line for line in out.read_text().splitlines() for mark in ("{G}", "emph"))
