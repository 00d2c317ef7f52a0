"""The order for sentences and questions, which are too short for a ranker that learned from abstracts.

A weighed sum of a few standardised features, learned from researchers' questions and from citing sentences
(`texgeist train --part short`). A sum carries over to other sets of questions as well as boosted trees do, and
it can be read: each part of the score is a weight times a feature.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..text.words import counted, query_words, words
from ..types import Candidate, Matrix, Query, Vector
from .features import (
    ADAPTED,
    COUNT,
    DENSE,
    KNOWN,
    NEIGHBOURS,
    TITLE_WORDS,
    TOGETHER,
    WORDS,
    Parts,
    Pool,
    Signals,
    mean_of_near,
    near_weights,
    signals,
)
from .fusion import standardise
from .query_adapter import words_asked
from .ranker import FACET_ROWS, as_pool, gathered, ordered, usable
from .storage import load_parts, load_short

COVERED, TITLE_COVERED = "words found", "title asked for"
FEATURES = (
    DENSE,
    ADAPTED,
    WORDS,
    TITLE_WORDS,
    COVERED,
    TITLE_COVERED,
    NEIGHBOURS,
    KNOWN,
    COUNT,
    TOGETHER,
)
POOL = 400  # candidates that are put in order: what a search by four rows and by words brings


@dataclass(frozen=True)
class ShortRanker:
    """Implements `ports.Ranker`. `weights`: of `FEATURES`, by name."""

    parts: Parts
    weights: Mapping[str, float]

    @classmethod
    def load(cls, folder: Path | None = None, parts: Parts | None = None) -> ShortRanker:
        """With the weights in `folder`, or those that texgeist ships, and `parts` of its own or these.
        Raises `BadWeights`."""
        return cls(parts or load_parts(folder), load_short(folder, FEATURES))

    def search_rows(self, query: Vector) -> Matrix:
        """As `LearnedRanker.search_rows`."""
        return gathered(self.parts.adapter.facets(query), FACET_ROWS)

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """As `LearnedRanker.rank`, by the words of the sentence or question alone."""
        known, rest = usable(candidates, self.parts.adapter.dimension)
        if len(known) < 2 or asked.size != self.parts.adapter.dimension:
            return list(candidates)
        pool, text = as_pool(known), words_asked(query)
        raw = signals(asked, text, pool, self.parts)
        first = np.argsort(-first_order(raw), kind="stable")
        known, inner = [known[i] for i in first], first[:POOL]
        scores = self.score(asked, text, pool.part(inner), raw.part(inner))
        return [*ordered(known[:POOL], scores), *known[POOL:], *rest]

    def score(self, asked: Vector, text: str, pool: Pool, known: Signals | None = None) -> dict[str, Vector]:
        """The parts of the score by feature, one entry a candidate. `known`: as of `features.features`."""
        found = features(asked, text, pool, self.parts, known)
        return {name: (self.weights[name] * found[name]).astype(np.float32) for name in FEATURES}


def features(
    asked: Vector, text: str, pool: Pool, parts: Parts, known: Signals | None = None
) -> Mapping[str, Vector]:
    """`asked`: unit vector of the sentence or question; `text`: its words; `known`: the pool's signals,
    where they have been made already. One entry a candidate."""
    raw = known or signals(asked, text, pool, parts)
    dense, adapted, lexical = standardise(raw.dense), standardise(raw.adapted), standardise(raw.words)
    first = first_order(raw)
    numbers = parts.memory.find(pool.titles)
    remembered = parts.memory.recall_numbers(asked, numbers)
    return {
        DENSE: dense,
        ADAPTED: adapted,
        WORDS: lexical,
        TITLE_WORDS: standardise(parts.words.score(query_words(text), pool.titles)),
        COVERED: _covered(text, pool, parts),
        TITLE_COVERED: _title_covered(text, pool, parts),
        NEIGHBOURS: standardise(mean_of_near(near_weights(pool.vectors @ pool.vectors.T), first)),
        KNOWN: remembered.known,
        COUNT: remembered.count,
        TOGETHER: parts.memory.together(numbers, first),
    }


def first_order(raw: Signals) -> Vector:
    """The order before anything was learned: a short text's words tell as much as its vector."""
    dense, adapted, lexical = standardise(raw.dense), standardise(raw.adapted), standardise(raw.words)
    return np.asarray((dense + lexical + adapted / 2) / 2.5, dtype=np.float32)


def _covered(text: str, pool: Pool, parts: Parts) -> Vector:
    """Of the words asked for, weighed by their rarity, the share that a paper has; from 0 to 1."""
    asked = set(words(text))
    found = (
        asked & counted(f"{title} {abstract}").keys()
        for title, abstract in zip(pool.titles, pool.abstracts, strict=True)
    )
    return _shares([(common, asked) for common in found], parts)


def _title_covered(text: str, pool: Pool, parts: Parts) -> Vector:
    """Of the words of a paper's title, weighed by their rarity, the share that is asked for; from 0 to 1."""
    asked = set(words(text))
    titles = (set(words(title)) for title in pool.titles)
    return _shares([(asked & title, title) for title in titles], parts)


def _shares(pairs: Sequence[tuple[set[str], set[str]]], parts: Parts) -> Vector:
    rarity = {word: parts.words.idf(word) for _, whole in pairs for word in whole}
    weights = [
        (sum(map(rarity.__getitem__, some)), sum(map(rarity.__getitem__, whole))) for some, whole in pairs
    ]
    return np.array([part / whole if whole else 0.0 for part, whole in weights], dtype=np.float32)
