"""Marks by which authors note that a citation is missing."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_latex.reading.citation_marks import marks_in, without_marks
from texgeist_latex.types import SourceFile


@pytest.mark.parametrize(
    "mark",
    [
        "(CITE)",
        "[CITE]",
        "(CITE Boyd)",
        "[cite Iain Murray]",
        "[citation needed]",
        r"\todo{cite}",
        r"\todo[inline]{cite Boyd}",
        r"\todo{cita}",
        r"\cite{}",
        r"\citep{?}",
        r"\parencite[p. 3]{}",
    ],
)
def test_a_mark_is_found_with_the_claim_before_it(mark: str) -> None:
    text = f"First words. Filters drift {mark} and smoothers do not. Last."
    [found] = marks_in(SourceFile(Path("a.tex"), text))
    assert found.claim.end == text.index(mark) + len(mark)
    assert text[found.span.start : found.span.end] in (f" {mark}", "", "?")
    assert without_marks(text[found.claim.start : found.claim.end]) == "Filters drift"


@pytest.mark.parametrize(
    "text",
    [
        "We cite (see above) and are cited (cited in 3).",
        "Filters drift. % (CITE)",
        r"Write \verb|\citet{}| and \cite{smith2020}.",
        r"\begin{verbatim}(CITE)\end{verbatim}",
        "A city (citizens) and [citrus].",
    ],
)
def test_other_text_is_no_mark(text: str) -> None:
    assert not list(marks_in(SourceFile(Path("a.tex"), text)))


def test_a_mark_after_the_full_stop_belongs_to_the_sentence_before() -> None:
    text = r"Filters drift. (CITE) Smoothers do not."
    [found] = marks_in(SourceFile(Path("a.tex"), text))
    assert without_marks(text[found.claim.start : found.claim.end]) == "Filters drift."
