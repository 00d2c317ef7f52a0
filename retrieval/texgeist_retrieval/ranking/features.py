"""The features of the ranker. A feature has a name and one number for each candidate.

Most features are standardised over the candidates of one query, so that queries and indexes can be compared;
features of the citation table have another scale. The cost is linear in the number of candidates, except for
the similarities among them, whose number is bounded by the size of the pool."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..text.words import query_words, words
from ..types import Matrix, Vector
from .bm25 import WordStatistics
from .citation_table import Memory
from .fusion import reciprocal_ranks, standardise
from .query_adapter import Adapter

# The user sees these names in the hover.
DENSE, ADAPTED, WORDS, TITLE_WORDS = "similarity", "learned similarity", "words", "title words"
RANKS, NEIGHBOURS, LENGTH, COLON, YEAR = "ranks", "neighbours", "title length", "named method", "year"
SHARE, KNOWN, COUNT = "cited on the topic", "in citation table", "citations"
TOGETHER, NEAR_SHARE, CROWD = "cited together", "neighbours cited on the topic", "similar papers found"
FEATURES = (
    DENSE,
    ADAPTED,
    WORDS,
    TITLE_WORDS,
    RANKS,
    NEIGHBOURS,
    LENGTH,
    COLON,
    YEAR,
    SHARE,
    KNOWN,
    COUNT,
    TOGETHER,
    NEAR_SHARE,
    CROWD,
)
_NEIGHBOUR_SHARPNESS = 15.0
_CROWD = 10  # the feature `CROWD` is the mean similarity to this many nearest candidates
_FIRST = (0.15, 0.6, 0.25)  # weights of similarity, learned similarity and words in the first order


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The candidates of one query; each field has one entry for each candidate. `years`: NaN if unknown."""

    titles: Sequence[str]
    abstracts: Sequence[str]
    vectors: Matrix
    years: Vector

    def part(self, rows: NDArray[np.int64]) -> CandidatePool:
        titles, abstracts = [self.titles[i] for i in rows], [self.abstracts[i] for i in rows]
        return CandidatePool(titles, abstracts, self.vectors[rows], self.years[rows])


@dataclass(frozen=True, slots=True)
class Parts:
    """The learned components used for features."""

    adapter: Adapter
    words: WordStatistics
    memory: Memory


@dataclass(frozen=True, slots=True)
class Signals:
    """Each candidate's similarity to the draft by vector, adapter and words, on different scales."""

    dense: Vector
    adapted: Vector
    words: Vector

    def order(self) -> Vector:
        return first_order(standardise(self.dense), standardise(self.adapted), standardise(self.words))

    def part(self, rows: NDArray[np.int64]) -> Signals:
        return Signals(self.dense[rows], self.adapted[rows], self.words[rows])


def signals(query: Vector, query_text: str, pool: CandidatePool, parts: Parts) -> Signals:
    """Computes the signals of the pool. The arguments are those of `features`."""
    texts = [f"{t} {a}" for t, a in zip(pool.titles, pool.abstracts, strict=True)]
    by_words = parts.words.score(query_words(query_text), texts)
    return Signals(pool.vectors @ query, parts.adapter.score(query, pool.vectors), by_words)


def features(
    query: Vector, query_text: str, pool: CandidatePool, parts: Parts, known: Signals | None = None
) -> Mapping[str, Vector]:
    """All features of the pool, by name. `query`: unit vector of abstract and title; `query_text`: title,
    abstract and keywords of the draft; `known`: the signals of the pool, if already computed."""
    raw = known or signals(query, query_text, pool, parts)
    dense, adapted, lexical = standardise(raw.dense), standardise(raw.adapted), standardise(raw.words)
    first = first_order(dense, adapted, lexical)
    numbers = parts.memory.find(pool.titles)
    remembered = parts.memory.recall(query, numbers)
    among = pool.vectors @ pool.vectors.T
    weights = near_weights(among)
    return {
        DENSE: dense,
        ADAPTED: adapted,
        WORDS: lexical,
        TITLE_WORDS: standardise(parts.words.score(query_words(query_text), pool.titles)),
        RANKS: standardise(np.sum([reciprocal_ranks(x) for x in (dense, adapted, lexical)], axis=0)),
        NEIGHBOURS: standardise(mean_of_near(weights, first)),
        LENGTH: standardise(np.array([len(words(t)) for t in pool.titles], dtype=np.float32)),
        COLON: np.array([":" in t for t in pool.titles], dtype=np.float32),
        YEAR: _years(pool.years),
        SHARE: remembered.share,
        KNOWN: remembered.known,
        COUNT: remembered.count,
        TOGETHER: parts.memory.together(numbers, first),
        NEAR_SHARE: mean_of_near(weights * remembered.known, remembered.share),
        CROWD: standardise(_crowd(among)),
    }


def first_order(dense: Vector, adapted: Vector, lexical: Vector) -> Vector:
    """The scores that order papers before reranking and select the pool: a weighted sum of three standardised
    scores."""
    return np.asarray(_FIRST[0] * dense + _FIRST[1] * adapted + _FIRST[2] * lexical, dtype=np.float32)


def near_weights(among: Matrix) -> Matrix:
    """The weights for means over the other candidates: row i has the weight of each candidate j for candidate
    i, which increases with their similarity. So similar papers, which are often cited together, raise each
    other's score. `among`: the similarities between the candidates."""
    weights = np.exp(_NEIGHBOUR_SHARPNESS * (among - 1.0))
    np.fill_diagonal(weights, 0.0)
    return np.asarray(weights, dtype=np.float32)


def mean_of_near(weights: Matrix, values: Vector) -> Vector:
    return np.asarray((weights @ values) / np.maximum(weights.sum(axis=1), 1e-12), dtype=np.float32)


def _crowd(among: Matrix) -> Vector:
    """The mean similarity of each candidate to the `_CROWD` nearest candidates: high in a large field, low
    for an isolated paper."""
    others = np.sort(among, axis=1)[:, -_CROWD - 1 : -1]
    return np.asarray(others.mean(axis=1), dtype=np.float32)


def _years(years: Vector) -> Vector:
    known = np.isfinite(years)
    if not known.any():
        return np.zeros(years.size, dtype=np.float32)
    filled = np.where(known, years, years[known].mean() if known.any() else 0.0).astype(np.float32)
    return np.asarray(np.clip(standardise(filled), -3.0, 3.0))
