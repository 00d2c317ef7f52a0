"""Reciprocal rank fusion of vectors and words: nothing in it is learned, so it holds for any field and model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..text.words import query_words
from ..types import Candidate, Matrix, Query, Vector
from .bm25 import WordStatistics
from .draft_vector import words_asked
from .fusion import reciprocal_ranks
from .pools import ordered
from .storage import load_words

BY_VECTOR, BY_WORDS = "rank by similarity", "rank by words"


@dataclass(frozen=True)
class HybridRanker:
    """Implements `ports.Ranker`. `words`: how rare a word is among papers at large."""

    words: WordStatistics

    @classmethod
    def load(cls, folder: Path | None = None) -> HybridRanker:
        """Raises `BadWeights`."""
        return cls(load_words(folder))

    def search_rows(self, query: Vector) -> Matrix:
        return np.empty((0, query.size), dtype=np.float32)

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Best first by 1 / (60 + rank) of either, added; no words in common, no rank by words. A vector of another model's length counts by what
        the search said."""
        near = [
            c.similarity if c.vector is None or c.vector.size != asked.size else float(c.vector @ asked)
            for c in candidates
        ]
        texts = [f"{c.paper.title} {c.paper.abstract}" for c in candidates]
        by_words = self.words.score(query_words(words_asked(query)), texts)
        parts = {
            BY_VECTOR: reciprocal_ranks(np.array(near, dtype=np.float32)),
            BY_WORDS: np.where(by_words > 0, reciprocal_ranks(by_words), 0.0).astype(np.float32),
        }
        return ordered(candidates, parts)
