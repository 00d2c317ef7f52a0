"""The draft: title, authors, abstract, sections, pages, in the forms that authors write them in."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.reading.pages import MAX_PIECES, pieces
from texgeist_latex.types import Draft

WORDS = "We study how theories are structured and we show that this is useful for many systems."


def draft_of(folder: Path, text: str, **files: str) -> Draft:
    for name, content in {"main.tex": text, **{k.replace("__", "."): v for k, v in files.items()}}.items():
        (folder / name).write_text(content, encoding="utf-8", newline="")
    return read_draft(folder / "main.tex", workspace=folder, programs=False)


def document(body: str, preamble: str = "", cls: str = "article") -> str:
    return f"\\documentclass{{{cls}}}\n{preamble}\n\\begin{{document}}\n{body}\n\\end{{document}}\n"


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("chapter", "\\chapter*{Abstract}\nWORDS\n\\tableofcontents\n\\chapter{Introduction} x"),
        ("chapter with marks", "\\chapter*{Abstract\\markboth{Abstract}{}}\nWORDS\n\\chapter{Introduction} x"),
        ("addchap", "\\addchap{Abstract}\nWORDS\n\\chapter{Introduction} x"),
        ("two languages", "\\chapter*{Resumen}\nEn esta tesis se estudian las teorías y sus sistemas.\n"
                          "\\chapter*{Summary}\nWORDS WORDS WORDS\n\\mainmatter\\chapter{Introduction} x"),
        ("own heading", "\\def\\some#1{\\section*{#1}\\addcontentsline{toc}{section}{#1}}\\some{Abstract}\nWORDS\n"
                        "\\section{Introduction} x"),
        ("alias", "\\let\\some\\section\\some*{Abstract}\nWORDS\n\\section{Introduction} x"),
        ("own environment", "\\begin{onecolabstract}WORDS\\end{onecolabstract}\\section{Introduction} x"),
        ("chinese class", "\\begin{英文摘要}{GPS, Road}WORDS\\end{英文摘要}\\begin{中文摘要}{词}交通状态预测的主要任务。"
                          "\\end{中文摘要}\\chapter{引言} x"),
    ],
)  # fmt: skip
def test_abstract_in_the_forms_of_classes(form: str, body: str, tmp_path: Path) -> None:
    draft = draft_of(tmp_path, document(body.replace("WORDS", WORDS)))
    assert draft.abstract in (WORDS, f"{WORDS} {WORDS} {WORDS}")
    assert draft.abstract_span is not None
    assert WORDS not in " ".join(p.text for p in draft.pages)


@pytest.mark.parametrize(
    "word",
    "Résumé Resumen Resumo Zusammenfassung Kurzfassung Riassunto Sommario Аннотация Реферат 摘要 要旨 초록 Samenvatting "
    "Sammanfattning Streszczenie Abstrakt Özet Περίληψη".split(),
)
def test_abstract_by_its_heading_in_common_languages(word: str, tmp_path: Path) -> None:
    draft = draft_of(tmp_path, document(f"\\section*{{{word}}}\n{WORDS}\n\\section{{1}} other words"))
    assert draft.abstract == WORDS


def test_a_summary_at_the_end_is_no_abstract(tmp_path: Path) -> None:
    draft = draft_of(
        tmp_path, document("\\section{Introduction} First. \\section*{Summary} Last words of it.")
    )
    assert draft.abstract == "" and draft.abstract_span is None
    assert draft.introduction == "First."


@pytest.mark.parametrize(
    ("front", "title", "authors"),
    [
        ("\\title[Short]{The \\emph{Long} Title\\thanks{Money.}}\\author{Ada Lovelace \\and Alan Turing}",
         "The Long Title", ("Ada Lovelace", "Alan Turing")),
        ("\\title{A\\\\ B}\\author{Ada Lovelace$^{1,2}$, Alan Turing$^2$\\\\ $^1$University of X\\\\ New York}",
         "A B", ("Ada Lovelace", "Alan Turing")),
        ("\\title{T}\\author{Ada Lovelace}\\affiliation{\\institution{U}}\\author{Alan Turing}\\email{a@b.c}",
         "T", ("Ada Lovelace", "Alan Turing")),
        ("\\title{T}\\author{\\IEEEauthorblockN{Ada Lovelace}\\IEEEauthorblockA{Dept of X\\\\New York}\\and"
         "\\IEEEauthorblockN{Alan M. Turing}\\IEEEauthorblockA{London}}", "T", ("Ada Lovelace", "Alan M. Turing")),
        ("\\title{T}\\author{José Ortega y Gasset \\and Jos\\'e Garc\\'\\i{}a and Erd\\H{o}s P\\'al}", "T",
         ("José Ortega y Gasset", "José García", "Erdős Pál")),
        ("\\thusetup{title = {{论文}, {An English Title}}, author = {{某某}, {Zheng Dong}}}", "An English Title",
         ("Zheng Dong",)),
    ],
)  # fmt: skip
def test_title_and_authors(front: str, title: str, authors: tuple[str, ...], tmp_path: Path) -> None:
    draft = draft_of(tmp_path, document("\\maketitle x", preamble=front))
    assert (draft.title, draft.authors) == (title, authors)


def test_body_leaves_out_what_is_no_prose(tmp_path: Path) -> None:
    body = """\\section{Introduction}
First.% a remark
\\begin{figure}[t]\\caption{In a figure.}\\end{figure}
\\begin{table}\\input{rows}\\end{table}
Second\\footnote{In a note.}, as \\citet[p.~3]{a} say~\\citep{b,c}.
\\begin{lstlisting}
In code.
\\end{lstlisting}
\\iffalse Never. \\fi
Third.
\\section*{Acknowledgements} Thanks.
\\section{Discussion} Fourth.

\\textbf{Acknowledgements.} We thank a grant.

{\\bf Acknowledgments} We thank a friend.
\\bibliographystyle{plain}
\\bibliography{x}
\\appendix
\\section{Proofs} In the appendix."""
    draft = draft_of(tmp_path, document(body, preamble="In the preamble."), rows__tex="In rows & x \\\\")
    text = " ".join(p.text for p in draft.pages)
    assert text.split() == "First. Second, as say. Third. Fourth.".split()
    assert [h.title for h in draft.headings] == ["Introduction", "Discussion"]


def test_pages_are_short_enough_and_know_their_place(tmp_path: Path) -> None:
    sentence = "A remarkably long-winded observation about heterogeneous systems is repeated here. "
    one = "\n\n".join(sentence * 9 for _ in range(8))
    two = "word " * 3000
    draft = draft_of(
        tmp_path,
        document("\\section{A}\n\\input{one}\n\\section{B}\n\\input{two}"),
        one__tex=one,
        two__tex=two,
    )
    assert len(draft.pages) > 8
    assert all(pieces(page.text) <= MAX_PIECES for page in draft.pages)
    assert draft.pages[0].file.name == "one.tex" and draft.pages[0].line == 1
    assert {page.file.name for page in draft.pages} == {"one.tex", "two.tex"}
    lines = (tmp_path / "one.tex").read_text().split("\n")
    for page in draft.pages:
        if page.file.name == "one.tex":
            assert lines[page.line - 1].startswith(page.text[:20])
    assert " ".join(" ".join(p.text for p in draft.pages).split()) == " ".join((one + " " + two).split())


def test_own_macros_stand_for_words(tmp_path: Path) -> None:
    preamble = r"""\newcommand{\sys}{Sybilhunter\xspace}
\def\eg#1{e.g.\ #1}
\newcommand{\pair}[2][left]{(#1, #2)}
\DeclareMathOperator{\argmaximum}{arg\,max}
\NewDocumentCommand{\maybe}{s o m}{#3!}
\newcommand{\R}{\mathbb{R}}
\let\other\sys"""
    draft = draft_of(tmp_path, document(
        r"\section{A} \sys finds \eg{Sybils} in \pair{x} and \pair[y]{z}; $\argmaximum_x f \in \R^n$; \maybe*[o]{So}; \other{} ends.",
        preamble))  # fmt: skip
    assert draft.pages[0].text == (
        "Sybilhunter finds e.g. Sybils in (left, x) and (y, z); arg max_x f ∈ R^n; So!; Sybilhunter ends."
    )


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Die Arbeit zeigt, dass das Verfahren mit den Daten und der Methode auf die Probleme nicht passt.", "de"),
        ("Nous montrons que la méthode est dans tous les cas meilleure et que les résultats sont bons pour nous.", "fr"),
        ("В данной работе решается задача разработки системы автоматизированного проведения тестов.", "ru"),
        ("交通状态预测的主要任务是分析流量、速度和密度等城市道路交通状况", "zh"),
        ("本論文では、新しい手法を提案する。この手法は従来の手法よりも優れている。", "ja"),
    ],
)  # fmt: skip
def test_language_by_its_text(text: str, language: str, tmp_path: Path) -> None:
    assert draft_of(tmp_path, document(f"\\section{{A}} {text}")).language == language
