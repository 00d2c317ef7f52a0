"""Scores how much of a query a single sentence of a passage covers.

Often a single sentence makes a passage relevant, and papers are cited for what their authors say of their own
work. Therefore the best sentence decides, and a sentence with "we" counts `OWN` times as much. To find the
passage of a paper that a citing sentence refers to, this works better than the words of the whole passage
(`python -m benchmarks.evidence`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from ..ranking.bm25 import Bm25
from ..text.sentences import split_sentences
from ..text.words import LETTERS, query_words, singular
from ..types import Vector

OWN = 1.5
_OWN = re.compile(r"\b(?:we|our|this paper)\b", re.IGNORECASE)


def weights_of(query: str, known: Bm25) -> dict[str, float]:
    """Weights of the query's words by rarity in `known`, with sum 1; citation marks are left out."""
    asked = query_words(without_marks(query)) or query_words(query)
    weights = {word: weight * known.idf(word) for word, weight in asked.items()}
    total = sum(weights.values()) or 1.0
    return {word: weight / total for word, weight in weights.items()}


def best_sentence_scores(texts: Sequence[str], weights: Mapping[str, float]) -> Vector:
    """For each text, the score of its best sentence: the sum of the weights of the words that it contains,
    times `OWN` if it has "we"; from 0 to `OWN`. Shape [texts]."""
    forms = {form: word for word in weights for form in forms_of(word)}
    return np.array([_best(text, weights, forms) for text in texts], np.float32)


def forms_of(word: str) -> tuple[str, ...]:
    """The forms of a query word that may occur in texts. Forming them once avoids a call of `singular` for
    each word of each sentence."""
    likely = (word, f"{word}s", f"{word}es", f"{word[:-1]}ies")
    return tuple(form for form in likely if singular(form) == word)


def _best(text: str, weights: Mapping[str, float], forms: Mapping[str, str]) -> float:
    best = 0.0
    for found, own in _sentences(text):
        if said := forms.keys() & found:
            best = max(best, own * sum(weights[word] for word in {forms[form] for form in said}))
    return best


@lru_cache(maxsize=4096)
def _sentences(text: str) -> tuple[tuple[frozenset[str], float], ...]:
    """For each sentence, its words, and `OWN` or 1. Cached, because a run scores the same passages
    repeatedly."""
    return tuple(
        (frozenset(LETTERS.findall(sentence.lower())), OWN if _OWN.search(sentence) else 1.0)
        for sentence in split_sentences(text)
    )


_YEAR = re.compile(r"(?<![\w.-])((?:19|20)\d\d)(?=[a-z]?(?![\d\w-]))")


_MARK = re.compile(
    r"\(?[A-Z][\w’'-]{1,40}(?:(?:,| and| &) [A-Z][\w’'-]{1,40}){0,8}(?: et al\.?)?,? ?\(?(?:19|20)\d\d[a-z]?\)?(?:; ?)?"
    r"|\([^()]{0,300}?\b(?:19|20)\d\d[^()]{0,300}\)|\[[\d, –-]{1,60}\]"
)


def without_marks(text: str) -> str:
    """The text without citation marks, so that passages are not searched for the names and numbers in
    them."""
    return _MARK.sub(" ", text)


def years_in(text: str) -> frozenset[int]:
    """The years in a text, inside or outside citation marks."""
    return frozenset(int(year) for year in _YEAR.findall(text))
