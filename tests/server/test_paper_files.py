"""Full papers from PDFs, LaTeX projects, structured JSON and arXiv ids."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.errors import NoSource
from texgeist_retrieval.sources.records import Record, UnreadableRecord
from texgeist_retrieval.types import Block, Paper
from texgeist_server.config.settings import Settings
from texgeist_server.library.harvest_sources import check_source, open_source
from texgeist_server.library.sources.latex_project import record_of_project
from texgeist_server.library.sources.pdfs import Head, read_head, record_of_pdf

from ..conftest import absent
from ..retrieval.arxiv_server import Arxiv, serving, typeset

TEX = r"""\documentclass{article}
\newcommand{\sys}{SleepNet}
\title{Nights of \sys}\author{Ada Moon \and Bo Sun}
\begin{document}\maketitle
\begin{abstract}We study \sys{} and its nights at length, and find what it does with them.\end{abstract}
\section{Introduction}
Nights are long~\cite{moon}. They end. % TODO secret remark
\begin{equation}\label{eq:a}
  r = a + b
\end{equation}
Then comes the day.
\input{results}
\input{../outside}
\end{document}
"""
RESULTS = r"""\section{Results}
\includegraphics[width=3cm]{plots/curve}
\begin{table}\caption{Recall by night.}\begin{tabular}{ll}night & recall \\ long & 12.4 \\\end{tabular}\end{table}
\[ x = y \]
\begin{verbatim}
def fit():
    return 1
\end{verbatim}
"""


class Silent:
    def report(self, *_: object) -> None: ...

    def check(self) -> None: ...


class Table:
    def last_run(self, source: str) -> str:
        return ""


def items(source: object, **papers: Any) -> list[Record | UnreadableRecord]:
    settings = Settings.model_validate({"papers": papers})
    check_source(str(source))
    return list(open_source(str(source), settings, Table(), Silent()))  # type: ignore[arg-type]


def one(source: object, **papers: Any) -> Record:
    [record] = items(source, **papers)
    assert isinstance(record, Record), record
    return record


def whole(record: Record) -> list[str]:
    return [block.text for section in record.sections for block in section.blocks if block.whole]


def project(folder: Path) -> Path:
    (folder / "plots").mkdir(parents=True)
    (folder / "main.tex").write_text(TEX)
    (folder / "results.tex").write_text(RESULTS)
    (folder.parent / "outside.tex").write_text("Words of another folder that are nobody's business.")
    for name in ("main.pdf", "plots/curve.pdf"):
        (folder / name).write_bytes(typeset([["Abstract", "This is a picture and no paper. " * 3]]))
    return folder


def test_a_latex_project_is_one_paper_and_its_pictures_are_none(tmp_path: Path) -> None:
    record = one(project(tmp_path / "arXiv-2101.00001v2"))
    paper = record.paper
    assert (paper.id, paper.title, paper.year) == ("2101.00001", "Nights of SleepNet", 2021)
    assert paper.authors == ("Ada Moon", "Bo Sun") and paper.abstract.startswith("We study SleepNet")
    assert [section.heading for section in record.sections] == ["Abstract", "Introduction", "Results"]
    assert whole(record) == ["night | recall\nlong | 12.4"]
    said = " ".join(block.text for section in record.sections for block in section.blocks)
    assert "Recall by night." in said and "They end. r = a + b Then comes the day." in said
    assert "secret remark" not in said and "nobody's business" not in said and "curve" not in said


def test_a_folder_of_all_kinds(tmp_path: Path) -> None:
    project(tmp_path / "own")
    (tmp_path / "paper.pdf").write_bytes(
        typeset([["Abstract", "This is a paper and says so at length. " * 3]])
    )
    (tmp_path / "part.tex").write_text("No document of its own.")
    (tmp_path / "preamble.tex").write_text("\\documentclass{article}\n% \\begin{document}\n")
    (tmp_path / "sub.tex").write_text("\\documentclass[main]{subfiles}\\begin{document}Words.\\end{document}")
    (tmp_path / ".hidden").mkdir()
    (tmp_path / ".hidden" / "x.pdf").write_bytes(b"Hidden words.")
    found = items(tmp_path)
    assert sorted(r.paper.title for r in found if isinstance(r, Record)) == [
        "Nights of SleepNet", "paper"]  # fmt: skip
    assert not [r for r in found if isinstance(r, UnreadableRecord)]
    (tmp_path / "empty").mkdir()
    with pytest.raises(NoSource, match="no papers"):
        items(tmp_path / "empty")


@pytest.mark.parametrize("many", [False, True])
def test_structured_json_over_many_lines(tmp_path: Path, many: bool) -> None:
    paper = {"id": "j1", "title": "Of J", "year": 2020, "sections": [
        {"title": "2 Methods", "text": "One thing. Another thing."},
        {"heading": "Results", "paragraphs": ["It works. It does.", {"no": "text"}]}]}  # fmt: skip
    (tmp_path / "p.json").write_text(json.dumps([paper, {"title": "no id"}] if many else paper, indent=1))
    found = items(tmp_path / "p.json")
    assert isinstance(found[0], Record) and len(found) == 1 + many
    assert [(s.heading, s.blocks) for s in found[0].sections] == [
        ("2 Methods", (Block("One thing. Another thing."),)),
        ("Results", (Block("It works. It does."),)),
    ]
    assert not many or (isinstance(found[1], UnreadableRecord) and "record 2" in found[1].where)


def test_json_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / "p.json").write_text('[\n{"id": 1')
    with pytest.raises(NoSource, match="no JSON"):
        items(tmp_path / "p.json")


def test_arxiv_ids_bring_full_texts_through_the_one_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEXGEIST_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path))
    papers = {
        id: Paper(id, f"Paper {id[-1]}", "An abstract of some words.", ("A. Author",), 2021)
        for id in ("2101.00001", "2101.00002")
    }
    text = typeset([["Abstract", "Of a night. " * 9], ["1 Introduction", "Nights are long and dark. " * 3]])
    with serving(Arxiv(papers=papers, pdfs={"2101.00001": text, "2101.00001v1": text})) as arxiv:
        monkeypatch.setenv("TEXGEIST_ARXIV_ADDRESS", arxiv.address)
        monkeypatch.setenv("TEXGEIST_ARXIV_PAUSE", "0")
        found = items("2101.00001, arXiv:2101.00002v1; 2101.00003")
        paths = arxiv.paths()
    first, lost, second, unknown = found
    assert isinstance(first, Record) and first.paper.id == "2101.00001" and first.paper.title == "Paper 1"
    assert any("Nights are long" in b.text and b.page == 2 for s in first.sections for b in s.blocks)
    assert isinstance(lost, UnreadableRecord) and "Only its abstract was added" in lost.reason
    assert isinstance(second, Record) and second.sections == () and second.paper.id == "2101.00002"
    assert isinstance(unknown, UnreadableRecord) and "no paper of this id" in unknown.reason
    assert len([path for path in paths if path.startswith("/api")]) == 1  # all ids in one request


def test_odd_names_of_pictures_stop_no_import(tmp_path: Path) -> None:
    shown = ("/", ".", "..", "fig1.2", "fig3.4.pdf", "a\0b")
    (tmp_path / "main.tex").write_text(
        "\\documentclass{article}\\begin{document}\\section{A}" + "Words of a text. " * 20
        + "".join(f"\\includegraphics{{{name}}}" for name in shown) + "\\end{document}"
    )  # fmt: skip
    for name in ("fig1.2.pdf", "fig3.4.pdf", "fig1.pdf"):
        (tmp_path / name).write_bytes(typeset([["Abstract", "Words of a paper and of no picture. " * 3]]))
    found = [item.paper.title for item in items(tmp_path) if isinstance(item, Record)]
    assert found == ["fig1", "main"]


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("x.tex", "x.pdf"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "folder.tex").mkdir()
    (tmp_path / "note.tex").write_text(TEX)
    writing = [os.open(tmp_path / name, os.O_RDWR) for name in ("x.tex", "x.pdf")]
    for pipe in writing:  # who reads one finds something, and its end never
        os.write(pipe, b"\\documentclass{article}\\begin{document}")
    try:
        with ThreadPoolExecutor(1) as other:
            found = other.submit(lambda: items(tmp_path))
            wait([found], timeout=20)
            ended = found.done()
            for pipe in writing:
                os.close(pipe)
        assert ended, "a pipe was read"
        assert [item.paper.title for item in found.result() if isinstance(item, Record)] == [
            "Nights of SleepNet"
        ]
    finally:
        writing.clear()


def test_a_source_leads_to_no_file_outside(tmp_path: Path) -> None:
    secret = tmp_path / "secret.tex"
    secret.write_text("The pass phrase is swordfish and nothing else. " * 5)
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "link.tex").symlink_to(secret)
    (folder / "main.tex").write_text(
        "\\documentclass{article}\n\\title{T}\n\\begin{document}\\section{A}\n"
        + "Words of a text that is long enough to be one. " * 5
        + f"\\input{{../secret}}\\input{{{secret}}}\\input{{link}}\\include{{../secret}}\\lstinputlisting{{../secret.tex}}\n\\end{{document}}"
    )
    assert "swordfish" not in repr(record_of_project(folder / "main.tex"))


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


@pytest.mark.parametrize(
    "piece",
    [
        "\\[",
        "$$",
        "\\[a\\]",
        "\n\\begin{verbatim}",
        "\\includegraphics[",
        "\\begin{equation}",
        "\\section{",
    ],
)
def test_a_strangers_source_is_read_in_time_that_grows_with_it(tmp_path: Path, piece: str) -> None:
    times = []
    for count in (20_000, 80_000):
        path = tmp_path / f"{count}.tex"
        begin = "\\documentclass{article}\n\\title{T}\\begin{document}\\section{A}" + "Words of a text. " * 20
        path.write_text(f"{begin}{piece * (count // len(piece))}\n\\end{{document}}")
        begun = time.process_time()
        record_of_project(path)
        times.append(time.process_time() - begun)
    assert times[1] < 10 * max(times[0], 0.2)  # the square of it: sixteen times
