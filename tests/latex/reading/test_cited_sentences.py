"""Which words a citation stands for: the sentence around it, drawn with bars."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.cited_sentences import cited_sentences, sentence_of
from texgeist_latex.reading.draft import read_draft
from texgeist_latex.types import Span


def found(folder: Path, body: str) -> list[tuple[str, tuple[str, ...]]]:
    text = "\\documentclass{article}\n\\begin{document}\n" + body + "\n\\end{document}\n"
    (folder / "main.tex").write_text(text, encoding="utf-8")
    sentences = cited_sentences(read_draft(folder / "main.tex"))
    assert all(text[s.span.start : s.span.end].strip() == text[s.span.start : s.span.end] for s in sentences)
    return [(text[s.span.start : s.span.end], s.keys) for s in sentences]


@pytest.mark.parametrize(
    ("body", "keys"),
    [
        (r"First it rains. |Then the sun shines bright~\cite{a}.| And it rains again.", ("a",)),
        (r"|Weill et al.\ \cite{a} say that songs, e.g. ballads, heal people~\citep{b,c}.| Others do not.", ("a", "b", "c")),
        ("One two three four.\n\n|Songs heal people on\nall seas \\cite{a}|\n\nAnd so on.", ("a",)),
        (r"\section{Songs}|Songs heal people on all seas \cite{a}.|", ("a",)),
        ("\\begin{itemize}\n\\item |Songs heal people on all seas \\cite{a}.|\n\\item Others.\n\\end{itemize}", ("a",)),
        (r"|Songs heal 3.5 of 4 people \cite[p.~3]{a}!| Who knows?", ("a",)),
        ("% texgeist:begin x\n|Songs heal people on all seas \\cite{a}.|\n% texgeist:end x", ("a",)),
        (r"|The data at \url{https://x.org/?a=1&b=2} come from R\&D \cite{a}.| They are large.", ("a",)),
        (r"It ends. |\citet{a} sing of the sea and of ships.| It begins.", ("a",)),
    ],
)  # fmt: skip
def test_the_sentence_around(tmp_path: Path, body: str, keys: tuple[str, ...]) -> None:
    assert found(tmp_path, body.replace("|", "")) == [(body.split("|")[1], keys)]


def test_a_sentence_of_a_long_paragraph_with_formulas(tmp_path: Path) -> None:
    before = r"We show that $x < \alpha$ is small and that $y$ is not if $\alpha > 2$ holds here. " * 40
    for length in range(60):
        claim = "This holds " + "a" * length + r" by Smith~\cite{a} for all $n > 1$."
        assert found(tmp_path, f"{before}{claim} Then $m$ follows.") == [(claim, ("a",))]


def test_what_claims_nothing(tmp_path: Path) -> None:
    assert found(tmp_path, r"See \cite{a}. \nocite{b} And this is no citation at all.") == []
    row = "STwig \\cite{a} & distributed & yes & no \\\\"
    assert (
        found(tmp_path, f"\\begin{{tabular}}{{llrr}}\nName & Platform & A & B \\\\\n{row}\n\\end{{tabular}}")
        == []
    )


WRAPPED = "First comes a sentence on ponds. Dense retrieval finds\npassages by meaning. Then more\nfollows here.\n\nLast."


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        ("passages by meaning. Then more", "Dense retrieval finds\npassages by meaning."),
        ("First comes a sentence on ponds. Dense retrieval finds", "First comes a sentence on ponds."),
        ("follows here.", "Then more\nfollows here."),
        ("Last.", "Last."),
        (WRAPPED, "First comes a sentence on ponds."),
    ],
)
def test_whole_lines_mean_the_sentence_that_they_hold_most_of(lines: str, wanted: str) -> None:
    start = WRAPPED.index(lines)
    span = sentence_of(WRAPPED, Span(Path("a.tex"), start, start + len(lines)))
    told = WRAPPED[span.start : span.end]
    assert told == wanted or (lines == WRAPPED and told.startswith("Dense"))
