"""BM25 over title and abstract (Robertson and Zaragoza, 2009), with numpy only.

`Bm25` scores a whole collection, for evaluation and for the local index. `WordStatistics` scores the few
candidates of a search with word counts from another collection, for an index without text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..text.words import counted, words
from ..types import Vector

K1, B = 1.2, 0.75


@dataclass(frozen=True, slots=True)
class WordStatistics:
    """The statistics of a collection. `counts`: for each word, the number of texts that contain it;
    `documents`: the number of all texts; `length`: the mean number of words of a text."""

    counts: Mapping[str, int]
    documents: int
    length: float

    def idf(self, word: str) -> float:
        return float(_idf(self.documents, self.counts.get(word, 0)))

    def share(self, asked: Collection[str], held: Collection[str]) -> float:
        """The share of the words of `asked` that are in `held`, from 0 to 1, each weighted by its rarity."""
        wanted = frozenset(asked)
        total = sum(map(self.idf, wanted))
        return sum(map(self.idf, wanted.intersection(held))) / total if total else 0.0

    def score(self, query: Mapping[str, float], texts: Sequence[str]) -> Vector:
        """One BM25 score for each text. The cost is linear in the given texts, whatever the size of the
        index."""
        weights = {word: weight * self.idf(word) for word, weight in query.items()}
        return np.array([self._score(weights, counted(text)) for text in texts], dtype=np.float32)

    def saturated(self, text: str) -> dict[str, float]:
        """The saturated count of each word of the text. The sum of query weight * idf * saturated count over
        the words is the score of `score`."""
        found = counted(text)
        norm = self._norm(found)
        return {word: count * (K1 + 1) / (count + norm) for word, count in found.items()}

    def _score(self, weights: Mapping[str, float], text: Counter[str]) -> float:
        norm = self._norm(text)
        common = weights.keys() & text.keys()
        return sum(weights[w] * text[w] * (K1 + 1) / (text[w] + norm) for w in common)

    def _norm(self, text: Counter[str]) -> float:
        return K1 * (1 - B + B * text.total() / self.length)


@dataclass(frozen=True, slots=True)
class Bm25:
    """An inverted index. The texts that contain the word with number w are `rows[starts[w]:starts[w+1]]`; the
    same slice of `weights` has their weights. `vocabulary`: the number of each word."""

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: Vector
    texts: int

    @classmethod
    def build(cls, texts: Sequence[str]) -> Bm25:
        vocabulary: dict[str, int] = {}
        word_ids: list[int] = []
        row_ids: list[int] = []
        times: list[int] = []
        lengths = np.zeros(len(texts), dtype=np.float64)
        for row, text in enumerate(texts):
            found = Counter(words(text))
            lengths[row] = found.total()
            for word, count in found.items():
                word_ids.append(vocabulary.setdefault(word, len(vocabulary)))
                row_ids.append(row)
                times.append(count)
        word_numbers = np.array(word_ids, dtype=np.int64)
        frequency = np.bincount(word_numbers, minlength=len(vocabulary))
        norm = K1 * (1 - B + B * lengths / max(lengths.mean(), 1e-9)) if texts else lengths
        order = np.argsort(word_numbers, kind="stable")
        w, r = word_numbers[order], np.array(row_ids, dtype=np.int32)[order]
        t = np.array(times, dtype=np.float64)[order]
        weights = _idf(len(texts), frequency)[w] * t * (K1 + 1) / (t + norm[r])
        starts = np.concatenate([[0], np.cumsum(frequency)]).astype(np.int64)
        return cls(vocabulary, starts, r, weights.astype(np.float32), len(texts))

    def part(self, word: str) -> slice:
        """The slice of `rows` and `weights` for a word; empty for a word that no text contains."""
        number = self.vocabulary.get(word)
        return slice(0, 0) if number is None else slice(self.starts[number], self.starts[number + 1])

    def idf(self, word: str) -> float:
        return float(_idf(self.texts, len(self.rows[self.part(word)])))

    def score(self, query: Mapping[str, float]) -> Vector:
        """One score for each text. `query`: words with weights, as returned by `query_words`."""
        scores = np.zeros(self.texts, dtype=np.float32)
        for word, weight in query.items():
            part = self.part(word)
            scores[self.rows[part]] += np.float32(weight) * self.weights[part]
        return scores


def _idf(texts: int, containing: Any) -> Any:
    """The inverse document frequency of words that `containing` of the texts contain: a number or an array."""
    return np.log(1 + (texts - containing + 0.5) / (containing + 0.5))
