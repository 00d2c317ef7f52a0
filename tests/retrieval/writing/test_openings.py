"""How paragraphs open: nothing is said to follow from what only stands beside it."""

from __future__ import annotations

import re

import pytest
from texgeist_retrieval.types import Query, QueryPart
from texgeist_retrieval.writing.extractive import openings
from texgeist_retrieval.writing.extractive.composing import _by_year
from texgeist_retrieval.writing.extractive.phrases import surface, without_article
from texgeist_retrieval.writing.extractive.saying import Source
from texgeist_retrieval.writing.extractive.subjects import Theme

QUERY = Query("abstract", (QueryPart("We trace code.", "abstract"),), "We trace code.", "Tracing")


@pytest.mark.parametrize("place", range(5))
def test_the_drafts_clause_stands_beside_a_theme_that_it_names(place: int) -> None:
    theme = Theme(("execution traces",), (frozenset({0, 1, 2}),), 3)
    used: set[str] = set()
    shared = openings.opening(place, theme, 3, "we measure how execution is traced", QUERY, used)
    assert "we measure how execution is traced" in shared
    apart = openings.opening(place, theme, 3, "we find a low learning efficiency", QUERY, used)
    assert "efficiency" not in apart and "execution traces" in apart.lower()
    for text in (shared, apart):
        assert not re.search(r"\b(?:since|because|given that)\b", text) and text[0].isupper()


@pytest.mark.parametrize(
    ("gap", "lead"), [(2, "Two years later,"), (12, "Twelve years later,"), (14, "Much later,")]
)
def test_no_sentence_begins_with_a_figure(gap: int, lead: str) -> None:
    first, later = (Source("t", "x", year, True, True, (), ()) for year in (2000, 2000 + gap))
    assert _by_year(later, first, last=False) == [lead]


@pytest.mark.parametrize(
    ("phrase", "bare"),
    [
        ("annotated corpus", "annotated corpora"),
        ("persistence diagram", "persistence diagrams"),
        ("persistence diagrams", "persistence diagrams"),
        ("citation recommendation", "citation recommendation"),
    ],
)
def test_what_is_counted_is_plural_where_no_article_stands(phrase: str, bare: str) -> None:
    assert without_article(phrase) == bare
    key = phrase if phrase.endswith("us") else phrase.removesuffix("s")
    assert surface(key, f"We study {phrase}.") == bare
