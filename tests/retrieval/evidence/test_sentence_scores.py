"""What one sentence of a passage says of a query."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from texgeist_retrieval.evidence.sentence_scores import (
    OWN,
    best_sentence_scores,
    forms_of,
    weights_of,
    without_marks,
)
from texgeist_retrieval.ranking.bm25 import Bm25
from texgeist_retrieval.text.words import singular, words

TEXTS = ["Taggers need lexicons. Beams prune badly.", "We prune taggers by beams.", "Nothing of it."]


def test_one_sentence_counts_and_the_authors_own_more() -> None:
    weights = weights_of("Taggers that prune with a beam", Bm25.build(TEXTS))
    assert abs(sum(weights.values()) - 1) < 1e-6
    apart, own, nothing = best_sentence_scores(TEXTS, weights)
    assert own == OWN and nothing == 0 and 0 < apart < 1


def test_who_is_cited_is_not_looked_for() -> None:
    said = "Beams prune (Tillmann and Ney, 2000; Och et al., 2001), as Germann et al. (2001) show [3, 4]."
    assert words(without_marks(said)) == ["beam", "prune"] + (["show"] if "show" in words("show") else [])
    assert weights_of("(Ney, 2000)", Bm25.build(TEXTS))  # a query of marks alone is not empty


def test_hostile_marks_end() -> None:
    for text in ("A, " * 50_000, "(" * 50_000, "Aa and " * 50_000, "[" + "1, " * 50_000):
        assert isinstance(without_marks(text), str)


@given(st.text("aehisxyz", min_size=2, max_size=7))
def test_forms_are_what_the_stemmer_brings_to_the_word(word: str) -> None:
    for form in forms_of(word):
        assert singular(form) == word
    if singular(word) == word:
        assert word in forms_of(word)
