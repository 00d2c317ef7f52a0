"""LaTeX behind marks and back: nothing of it is lost, and a sentence that lost a mark is refused."""

from __future__ import annotations

import pytest
from texgeist_latex.errors import Unfit
from texgeist_latex.writing.escape import Charset
from texgeist_latex.writing.prose import marked, unmarked


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"Songs heal~\cite{a}.", "Songs heal⟨1⟩."),
        (r"\citet[p.~3]{a,b} heal $x^2$ of 5\% \emph{all {men}}.", "⟨1⟩ heal ⟨2⟩ of 5% ⟨3⟩."),
        ("Songs heal on\nall seas.", "Songs heal on all seas."),
    ],
)
def test_there_and_back(latex: str, words: str) -> None:
    text, pieces = marked(latex)
    assert text == words
    assert unmarked(text, pieces, Charset()) == " ".join(latex.split())


@pytest.mark.parametrize("latex", ["a } b", "Songs % why?", "Songs % why?\nBells", "Songs ⟨1⟩", r"a \\\\ b"])
def test_what_cannot_be_taken_apart_is_refused(latex: str) -> None:
    with pytest.raises(Unfit):
        marked(latex)


@pytest.mark.parametrize("text", ["Songs.", "Songs ⟨1⟩ and ⟨1⟩.", "Songs ⟨2⟩.", "Songs ⟨1⟩ ⟨2⟩."])
def test_a_lost_mark_is_refused(text: str) -> None:
    with pytest.raises(Unfit):
        unmarked(text, (r"\cite{a}",), Charset())


def test_words_cannot_become_commands() -> None:
    assert "\\input" not in unmarked("Songs \\input{x} ⟨1⟩.", (r"\cite{a}",), Charset())
