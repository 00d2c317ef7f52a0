"""An inverted index of a bibliography: which entries contain a word in title, abstract, key or authors."""

from __future__ import annotations

import math
import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable
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
        self._lengths = array("f")
        for number, entry in enumerate(entries):
            self.number_of.setdefault(entry.key, number)
            words = set(stems(entry.about))
            self._lengths.append(len(words))
            _note(self._lines, words, number)
            _note(self._by_name, {name for name in entry.names if len(name) >= _SHORTEST}, number)
            _note(self._by_key, set(stems(re.sub(r"\d+", " ", entry.folded_key))) - words, number)
        self._mean = (sum(self._lengths) / len(self._lengths)) if self._lengths else 1.0

    def idf(self, word: str) -> float:
        count = len(self._lines.get(word, ()))
        return math.log(1 + (len(self._lengths) - count + 0.5) / (count + 0.5))

    def scores(self, words: Iterable[str]) -> dict[int, float]:
        """The BM25 score of each entry that contains any of the words."""
        scores: dict[int, float] = {}
        most = max(_COMMON, len(self._lengths) // 10)
        for word in words:
            if not 0 < len(self._lines.get(word, _NONE)) <= most:
                continue
            idf = self.idf(word) * (_K1 + 1)
            for number in self._lines[word]:
                length = 1 - _B + _B * self._lengths[number] / (self._mean or 1)
                scores[number] = scores.get(number, 0.0) + idf / (1 + _K1 * length)
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
