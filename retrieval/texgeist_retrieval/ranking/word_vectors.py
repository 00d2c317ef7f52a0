"""Vectors of passages from their words: thousands of passages per second on any processor.

Each of 30,000 words of papers has a vector; a text's vector is their weighted sum, normalised to length 1.
The word vectors were fitted so that abstracts get similar vectors to those of all-mpnet-base-v2
(`training/word_vectors.py`; the idea is Model2Vec's, Tulkens and van Dongen 2024). A transformer of any size
embeds 1 to 6 passages of 400 tokens per second on two cores without matrix instructions, which takes hours
for a library of full papers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..text.words import words
from ..types import Matrix, Vector

NAME = "texgeist-words-1"


@dataclass(frozen=True)
class WordVectors:
    """Implements `Embedder`. `table`: float32 [words, dimension], rows scaled by the weight of the word."""

    vocabulary: Mapping[str, int]
    table: Matrix
    name: str = NAME

    @property
    def dimension(self) -> int:
        return int(self.table.shape[1])

    def embed_query(self, text: str) -> Vector:
        return np.asarray(self._vector(text))

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """float32 [texts, dimension]; a text without known words gives zeros."""
        return (
            np.stack([self._vector(text) for text in texts])
            if texts
            else np.zeros((0, self.dimension), np.float32)
        )

    def _vector(self, text: str) -> Vector:
        counted = Counter(row for word in words(text) if (row := self.vocabulary.get(word)) is not None)
        if not counted:
            return np.zeros(self.dimension, np.float32)
        times = np.sqrt(np.fromiter(counted.values(), np.float32, len(counted)))
        summed = times @ self.table[np.fromiter(counted, np.int64, len(counted))]
        return np.asarray(summed / max(float(np.linalg.norm(summed)), 1e-9), dtype=np.float32)
