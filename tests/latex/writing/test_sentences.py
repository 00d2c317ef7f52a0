"""LaTeX in sentences: nothing is lost, and what belongs together stays together."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_latex.tex.sentences import joined, keys_of, paragraphs, split

_PARTS = [
    "Words here. ", "More words, e.g. these, ", "shown by Smith et al.~\\cite{a,b}. ", "\\citep[see][p.\n3]{c}", ".", "''", "?! ",
    "% a note. Not a sentence\n", "\\%", "$x. y$ ", "$", "$$a$$", "\\[ z. \\]\n", "\\(q\\) ", "{", "}", "\\begin{quote}", "\\end{quote}",
    "\n", "\n\n", "\r\n", "\r\n\r\n", "\n \t\n", "\\noindent ", "\\paragraph{Heading. Really?} ", "\\label{x}", "\\verb|a. b| ", "\\\\", "\\",
    "~", "é ", "中文。", "\x0c", "\u2028", "\x00", "[", "]", "\\begin{verbatim}\n. A\n\\end{verbatim}", "\\iffalse ", "\\fi ",
]  # fmt: skip
LATEX = st.lists(st.one_of(st.sampled_from(_PARTS), st.text(max_size=5)), max_size=30).map("".join)


@settings(max_examples=500, deadline=None)
@given(LATEX)
def test_the_pieces_are_the_text(text: str) -> None:
    pieces = split(text)
    assert joined(pieces) == text
    assert all(piece.text and not piece.text[0].isspace() for piece in pieces[1:])
    assert not any(piece.gap.strip() for piece in pieces)
    assert [n for place in paragraphs(pieces) for n in place] == [n for n, p in enumerate(pieces) if p.text]


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("So Smith et al.\\ say, e.g. this. Then.", ["So Smith et al.\\ say, e.g. this.", "Then."]),
        ("It is ``so.'' Then~\\citep{a}.\\footnote{No. Yes.} Now.", ["It is ``so.''", "Then~\\citep{a}.\\footnote{No. Yes.}", "Now."]),
        ("Nets, trees, etc. All are used, etc., here.", ["Nets, trees, etc.", "All are used, etc., here."]),
        ("Nets, trees, etc. are used. Then.", ["Nets, trees, etc. are used.", "Then."]),
        ("See \\citep[cf.][p. 3]{a}. On.", ["See \\citep[cf.][p. 3]{a}.", "On."]),
        ("With $a. B$ and \\(c. D\\). E.", ["With $a. B$ and \\(c. D\\).", "E."]),
        ("Done. % a note. Still one\nNext.", ["Done.", "% a note. Still one", "Next."]),
        ("It holds that\n\\begin{equation}\nx.\n\\end{equation}\nfor all. Y.", ["It holds that\n\\begin{equation}\nx.\n\\end{equation}\nfor all.", "Y."]),
        ("A\n\nB", ["A", "B"]),
        ("A\r\n\r\nBoth. C", ["A", "Both.", "C"]),
        ("Costs 3.5 of it. Then.", ["Costs 3.5 of it.", "Then."]),
        ("{\\color{red} One. Two.} Three.", ["{\\color{red} One. Two.} Three."]),
        ("\\paragraph{Data.} One. Two.", ["\\paragraph{Data.}", "One.", "Two."]),
        ("第一。第二。", ["第一。", "第二。"]),
    ],
)  # fmt: skip
def test_where_sentences_end(text: str, sentences: list[str]) -> None:
    assert [piece.text for piece in split(text)] == sentences


def test_keys_are_those_of_citations() -> None:
    assert keys_of("\\citep[see][]{a, b} % \\cite{no}\n and \\citet{c} \\ref{d}") == {"a", "b", "c"}
