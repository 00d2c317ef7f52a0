"""VS Code through its window, as a person uses it. `scripts/screenshots` takes the README's pictures so."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ..server.judge_server import judging
from .conftest import HERE, code_server, run

pytestmark = [pytest.mark.editor, pytest.mark.model]
SEEN = {
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": False,
    "editor.wordWrap": "on",
}


@pytest.mark.timeout(600)
def test_as_a_person_does(
    project: Path, node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    shots = os.environ.get("TEXGEIST_SCREENSHOTS", "")
    with code_server(
        test_tools, extensions, tmp_path / "home", project, {"TEXGEIST_DATA": str(data_folder)}, SEEN
    ) as editor:
        command = ["node", str(HERE / "vscode" / "window.mjs"), str(editor.port), str(project), shots]
        failed = os.environ.get("TEXGEIST_TEST_SHOTS", str(tmp_path))
        ran = run(command, {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": failed}, 480)
    ran.passed(
        "code lens in the window",
        "palette",
        "light bulb",
        "progress in a notification",
        "discovery is asked about",
        "cancel by its button",
        "section saved",
        "lens over the section in the window",
        "hover in the window",
        "one undo in the window",
        "the bibliography is there after undo",
        "menu behind the status bar item",
        "the library is offered while a citation is typed",
        "the paper taken has its entry and its key",
        "an entry that nobody cites is faded",
        "the walkthrough has four steps",
        "the walkthrough's buttons open its questions",
        "review panel in the window",
        "the panel shows the text",
        "the panel writes",
    )
    settings = [path.read_text() for path in (tmp_path / "home").rglob("settings.json")]
    assert any('"texgeist.index.discover": []' in text for text in settings), "the answer is kept"


@pytest.mark.timeout(420)
def test_a_sentence_gets_its_citation_while_it_is_written(
    project: Path, node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    shots = os.environ.get("TEXGEIST_SCREENSHOTS", "")
    with (project / "references.bib").open("a") as bibliography:
        bibliography.write((data_folder / "papers.bib").read_text("utf-8"))
    environment = {"TEXGEIST_DATA": str(data_folder)}
    with code_server(test_tools, extensions, tmp_path / "home", project, environment, SEEN) as editor:
        driver = str(HERE / "vscode" / "window.mjs")
        window = ["node", driver, str(editor.port), str(project), shots, "citing"]
        failed = os.environ.get("TEXGEIST_TEST_SHOTS", str(tmp_path))
        ran = run(window, {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": failed}, 300)
    ran.passed("a citation is offered in grey", "the entries that fit come first, with the reason")


MAIN = r"""\documentclass{article}
\usepackage{natbib}
\title{Searching the Literature}
\begin{document}
\maketitle
\section{Introduction}
Dense retrieval compares questions and passages by the vectors that a trained encoder gives them
\citep{karpukhin2020dense}. Learned encoders hinder the retrieval of passages in every domain
\citep{karpukhin2020dense}, so that we search with words as well.
\bibliographystyle{plainnat}
\bibliography{references}
\end{document}
"""
BIB = """@inproceedings{karpukhin2020dense,
  title = {Dense Passage Retrieval for Open-Domain Question Answering},
  author = {Karpukhin, Vladimir and Oguz, Barlas and Min, Sewon and Lewis, Patrick},
  year = {2020},
  booktitle = {EMNLP}
}
"""
PASSAGE = (
    "When evaluated on a wide range of open-domain question answering datasets, our dense retriever outperforms a "
    "strong word-based system by a large margin in the share of questions whose answer is among the first twenty "
    "passages."
)


@pytest.mark.timeout(420)
def test_a_sentence_is_judged_and_weakened(
    node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    shots = os.environ.get("TEXGEIST_SCREENSHOTS", "")
    paper = tmp_path / "paper"
    (paper / ".texgeist").mkdir(parents=True)
    (paper / "main.tex").write_text(MAIN)
    (paper / "references.bib").write_text(BIB)
    evidence = [{"page": 6, "similarity": 0.6, "summary": "", "text": PASSAGE}]
    citation = {"section": "related-work", "evidence": evidence}
    record = {"version": 1, "citations": {"karpukhin2020dense": citation}, "sections": {}}
    (paper / ".texgeist" / "provenance.json").write_text(json.dumps(record))
    weaker = "Learned encoders may slow the retrieval of passages ⟨1⟩, so that we search with words as well."
    with judging(weaker, "it found them better on most data sets") as judge:
        wanted = {
            **SEEN,
            "texgeist.writer.provider": "openai",
            "texgeist.writer.baseUrl": judge.address,
            "texgeist.writer.model": "m",
            "texgeist.diagnostics.unsupported": "all",
        }
        environment = {"TEXGEIST_DATA": str(data_folder)}
        with code_server(test_tools, extensions, tmp_path / "home", paper, environment, wanted) as editor:
            command = [
                "node", str(HERE / "vscode" / "window.mjs"), str(editor.port), str(paper), shots, "judging",
            ]  # fmt: skip
            failed = os.environ.get("TEXGEIST_TEST_SHOTS", str(tmp_path))
            ran = run(command, {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": failed})
    ran.passed(
        "a sentence that is not borne out is hinted at", "the weaker sentence is shown as a diff and taken"
    )
