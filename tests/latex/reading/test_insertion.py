"""Where a related-work section goes. `^` marks the place (under the character that it stands before)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Draw = Callable[[str], Any]
HEAD = "\\documentclass{article}\n\\begin{document}\n"
TAIL = "\\end{document}\n"


def place(draw: Draw, drawing: str) -> tuple[str, str, str, int]:
    """The text before and after the place (20 characters each), the reason, the level."""
    drawn = draw(drawing)
    found = drawn.draft().insertion
    assert found is not None and found.span.start == found.span.end
    name = str(found.span.file.relative_to(drawn.folder))
    text = drawn.texts[name]
    return name, text[: found.span.start].splitlines()[-1][-40:], found.reason, found.level


@pytest.mark.parametrize(
    ("body", "before", "reason"),
    [
        ("\\section{Introduction}\nWhy.\n\n\\section{Method}\nHow.\n", "Why.", "after the introduction"),
        ("\\section{Introduction}\nWhy.\n\\subsection{Goals}\nThis.\n\\section{Method}\n", "This.", "after the introduction"),
        ("\\section{Related Work}\n\\label{sec:rw}\n\\section{Method}\n", "\\label{sec:rw}", "in the section “Related Work”"),
        ("\\section{Related Work}\nOthers.\n\n% todo\n\\newpage\n\\section{Method}\n", "Others.", "in the section “Related Work”"),
        ("\\section{Introduction}\nI.\n\\section{Background and Related Work}\nB.\n\\section{X}\n", "B.",
         "in the section “Background and Related Work”"),
        ("\\section{Related Work}\n\\paragraph{One.} A.\n\\paragraph{Two.} B.\n\\section{X}\n", "\\paragraph{Two.} B.",
         "in the section “Related Work”"),
        ("\\section{Related Work}\nLead.\n\\subsection{One} A.\n\\section{X}\n", "Lead.", "in the section “Related Work”"),
        ("\\section{Related Work}\nA list:\n\\begin{itemize}\\item a\n\\end{itemize}\n\\section{X}\n", "\\end{itemize}",
         "in the section “Related Work”"),
        ("\\section{Related Work}\nWords % remark\n\n\\section{X}\n", "Words % remark", "in the section “Related Work”"),
        ("\\section{Antecedentes}\nLos.\n\\section{Método}\n", "Los.", "in the section “Antecedentes”"),
        ("\\section{相关工作}\n前人。\n\\section{方法}\n", "前人。", "in the section “相关工作”"),
        ("\\section{Обзор литературы}\nТекст.\n\\section{Метод}\n", "Текст.", "in the section “Обзор литературы”"),
        ("\\section{Method}\nHow.\n\\section{Results}\nWhat.\n\\section{Conclusions}\nSo.\n", "What.", "before the conclusion"),
        ("\\section{Introduction}\nWhy.\n\\begin{figure}x\\end{figure}\n\\section{Method}\n", "\\begin{figure}x\\end{figure}",
         "after the introduction"),
        ("\\section{Introduction}\nWhy.\n\\begin{online}\n\\section{Extra}\nE.\n\\end{online}\n\\section{M}\n", "Why.",
         "after the introduction"),
        ("\\section{Introduction}\nWhy.\n\\bibliographystyle{plain}\n\\bibliography{x}\n", "Why.", "after the introduction"),
        ("\\section{Introduction}\nWhy.\n\\section*{Acknowledgements}\nThanks.\n", "Why.", "after the introduction"),
        ("\\section{Introduction}\nWhy.\n{\\small\n\\bibliographystyle{plain}\n\\bibliography{x}}\n", "Why.",
         "after the introduction"),
        ("\\section{Introduction}\nWhy.\n\\appendix\n\\section{Proofs}\nP.\n", "Why.", "after the introduction"),
        ("\\begin{multicols}{2}\n\\section{Introduction}\nWhy.\n\\section{Method}\nHow.\n\\end{multicols}\n", "Why.",
         "after the introduction"),
        ("\\begin{multicols}{2}\n\\section{A}\nWhy.\n\\section{B}\nHow.\n\\bibliography{x}\\end{multicols}\n", "How.",
         "at the end of the text"),
        ("\\section*{Acknowledgements}\nThanks.\n\\section{Introduction}\nWhy.\n\\bibliography{x}\n", "Why.",
         "after the introduction"),
        ("Only text, no section.\n", "Only text, no section.", "at the end of the text"),
    ],
)  # fmt: skip
def test_place_in_one_file(body: str, before: str, reason: str, draw: Draw) -> None:
    assert place(draw, HEAD + body + TAIL) == ("main.tex", before, reason, 1)


def test_at_the_end_of_the_section_s_own_file(draw: Draw) -> None:
    drawing = HEAD + "\\section{Related Work}\n\\label{rw}\n\\input{rw}\n\\section{Method}\n" + TAIL
    drawing += "%! rw.tex\nOthers did.\n\n% \\cite{old}\n"
    assert place(draw, drawing) == ("rw.tex", "Others did.", "in the section “Related Work”", 1)


def test_thesis_gets_a_chapter_after_the_introduction(draw: Draw) -> None:
    chapters = "".join(
        f"\\chapter{{{c}}}\n{c}.\n\\section{{Related work}}\nr\n" for c in ("Kernels", "Grammar", "Warping")
    )
    drawing = HEAD.replace("article", "book") + "\\mainmatter\n\\input{intro}\n" + chapters + TAIL
    drawing += "%! intro.tex\n\\chapter{Introduction}\nWhy.\n\\section{Goals}\nThese."
    assert place(draw, drawing) == ("main.tex", "\\input{intro}", "after the introduction", 0)


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ("Discussion and Related Work", "Related work", "Inner."),
        ("讨论与相关工作", "相关工作", "Inner."),
        ("Introduction", "Related work", "Inner."),
        ("Related Work", "Related work on graphs", "Outer."),  # a topic: the text goes before all topics
        ("Related Work", "Related Work", "Outer."),
    ],
)
@pytest.mark.parametrize("command", ["subsection", "subsubsection*"])
def test_the_narrowest_related_work_heading_takes_the_text(
    outer: str, inner: str, expected: str, command: str, draw: Draw
) -> None:
    body = f"\\section{{{outer}}}\nOuter.\n\n% note\n\n\\{command}{{{inner}}}\nInner.\n\\{command}{{Outlook}}\nO.\n"
    _, before, reason, level = place(draw, HEAD + body + "\\section{Conclusion}\nC.\n" + TAIL)
    inside = expected == "Inner."
    assert (before, reason) == (expected, f"in the section “{inner if inside else outer}”")
    assert level == (command.count("sub") + 1 if inside else 1)


@pytest.mark.parametrize(
    ("titles", "before"),
    [
        (
            ["Introduction", "Method", "Comparison with the State of the Art", "Conclusion"],
            "Text of Introduction.",
        ),
        (["Introduction", "System Overview", "Results against Prior Work"], "Text of Introduction."),
        (["Overview", "Method", "Conclusion"], "Text of Overview."),
        (["Method", "Overview of Results", "Conclusion"], "Text of Overview of Results."),
        (["Introduction", "Relation to Prior Work", "Method"], "Text of Relation to Prior Work."),
        (["Introduction", "Comparison with Related Work", "Method"], "Text of Comparison with Related Work."),
        (["1 Introduction", "2. Existing Approaches", "Method"], "Text of 2. Existing Approaches."),
    ],
)
def test_what_a_title_means(titles: list[str], before: str, draw: Draw) -> None:
    body = "".join(f"\\section{{{title}}}\nText of {title}.\n" for title in titles)
    assert place(draw, HEAD + body + TAIL)[1] == before
