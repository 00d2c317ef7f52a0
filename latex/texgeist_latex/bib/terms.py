"""An inverted index of a bibliography: which entries contain a word in title, abstract, key or authors."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_K1, _B = 1.2, 0.5  # of BM25
_COMMON = 200  # entries; a word in more of them, and in more than a tenth of all, tells nothing
_NONE: array[int] = array("I")
_SHORTEST = 3  # characters of a word or name
_STEM = 6  # characters that are compared: `retrieval` and `retrieve` are the same


def stems(folded_text: str) -> list[str]:
    """The stems of a folded text: its words, cut to their beginnings, without short words and numbers."""
    return [_stem(word) for word in folded_text.split() if len(word) >= _SHORTEST and not word.isdigit()]


def _stem(word: str) -> str:
    if len(word) > _STEM:
        return word[:_STEM]
    return word[:-1] if word.endswith("s") and len(word) > _SHORTEST else word


@dataclass(frozen=True, slots=True)
class Words:
    """The texts of an entry that are searched. All except `key` are folded. `about`: title and abstract;
    `names`: the family names of the authors, without spaces."""

    key: str
    folded_key: str
    about: str
    names: tuple[str, ...]


class Terms:
    """The index of `entries`. Methods name an entry by its number, which is its position in `entries`. Scores
    are BM25 with binary term frequency, because titles rarely repeat a word."""

    def __init__(self, entries: Iterable[Words]) -> None:
        self.number_of: dict[str, int] = {}
        self._lines: dict[str, array[int]] = {}
        self._by_name: dict[str, array[int]] = {}
        self._by_key: dict[str, array[int]] = {}
        lengths = array("f")
        for number, entry in enumerate(entries):
            self.number_of.setdefault(entry.key, number)
            words = set(stems(entry.about))
            lengths.append(len(words))
            _note(self._lines, words, number)
            _note(self._by_name, {name for name in entry.names if len(name) >= _SHORTEST}, number)
            _note(self._by_key, set(stems(re.sub(r"\d+", " ", entry.folded_key))) - words, number)
        mean = (sum(lengths) / len(lengths)) if lengths else 1.0
        self._damping = [(_K1 + 1) / (1 + _K1 * (1 - _B + _B * length / (mean or 1))) for length in lengths]

    def idf(self, word: str) -> float:
        count = len(self._lines.get(word, ()))
        return math.log(1 + (len(self._damping) - count + 0.5) / (count + 0.5))

    def is_common(self, word: str) -> bool:
        """Whether so many entries contain the word that it tells nothing."""
        return len(self._lines.get(word, _NONE)) > max(_COMMON, len(self._damping) // 10)

    def scores(self, weights: Mapping[str, float]) -> defaultdict[int, float]:
        """The BM25 score of each entry that contains any of the words, with the weights of the words."""
        scores: defaultdict[int, float] = defaultdict(float)
        damping = self._damping
        for word, weight in weights.items():
            if word in self._lines and not self.is_common(word):
                weight *= self.idf(word)
                for number in self._lines[word]:
                    scores[number] += weight * damping[number]
        return scores

    def named(self, words: Iterable[str]) -> set[int]:
        """The entries with an author whose family name is among the words."""
        return {number for word in words for number in self._by_name.get(word, ())}

    def with_key_word(self, words: Iterable[str]) -> set[int]:
        """The entries that have one of these words in their key, but not in title or abstract."""
        return {number for word in words for number in self._by_key.get(word, ())}

    def contains(self, number: int, word: str) -> bool:
        """Whether the entry has the word in its title or abstract."""
        lines = self._lines.get(word, _NONE)
        place = bisect_left(lines, number)
        return place < len(lines) and lines[place] == number


def _note(lines: dict[str, array[int]], words: Iterable[str], number: int) -> None:
    for word in words:
        lines.setdefault(word, array("I")).append(number)
