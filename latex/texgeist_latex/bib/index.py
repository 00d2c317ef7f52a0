"""The searchable entries of a bibliography, built once for each version of a file: by key, and by the words in title,
abstract, key and authors."""

from __future__ import annotations

import math
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from itertools import filterfalse

from ..tex.wordlists import FUNCTION_WORDS
from ..types import BibEntry, Bibliography
from .authors import parse_name, split_authors
from .identity import Identity, identity_of

_K1, _B = 1.2, 0.5  # of BM25
_COMMON = 200  # entries; a word in more of them, and in more than a tenth of all, tells nothing
_NONE: array[int] = array("I")
_SHORTEST = 3  # characters of a word or name
_STEM = 6  # characters that are compared: `retrieval` and `retrieve` are the same


def stems(folded_text: str) -> list[str]:
    """The stems of a folded text: its words, cut to their beginnings, without numbers, short words and function
    words. In a small bibliography `the` would be as rare as a technical term."""
    return [
        _stem(word)
        for word in folded_text.split()
        if len(word) >= _SHORTEST and word not in FUNCTION_WORDS and not word.isdigit()
    ]


def _stem(word: str) -> str:
    if len(word) > _STEM:
        return word[:_STEM]
    return word[:-1] if word.endswith("s") and len(word) > _SHORTEST else word


class Terms:
    """The index of `entries`. Methods name an entry by its number, which is its position in `entries`. Scores
    are BM25 with binary term frequency, because titles rarely repeat a word."""

    def __init__(self, entries: Iterable[BibEntry]) -> None:
        self.number_of: dict[str, int] = {}
        self._lines: dict[str, array[int]] = {}
        self._by_title: dict[str, array[int]] = {}
        self._by_name: dict[str, array[int]] = {}
        self._by_key: dict[str, array[int]] = {}
        lengths, self._of_title = array("f"), array("f")  # how much of a title each of its words is
        for number, entry in enumerate(entries):
            self.number_of.setdefault(entry.key, number)
            fields = entry.fields
            title = set(stems(folded(fields.get("title") or fields.get("text", ""))))
            words = title.union(stems(folded(fields.get("abstract", "")[:2000])))
            lengths.append(len(words))
            self._of_title.append(1 / max(1, len(title)))
            _note(self._lines, words, number)
            _note(self._by_title, title, number)
            authors = split_authors(fields.get("author") or fields.get("editor", ""))[:_MOST_AUTHORS]
            names = {folded(parse_name(author).last).replace(" ", "") for author in authors}
            _note(self._by_name, {name for name in names if len(name) >= _SHORTEST}, number)
            _note(self._by_key, set(stems(re.sub(r"\d+", " ", folded(entry.key)))) - words, number)
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

    def covered(self, words: Iterable[str]) -> dict[int, float]:
        """How much of each entry's title consists of these words, from 0 to 1."""
        found: dict[int, float] = {}
        for word in words:
            if not self.is_common(word):
                for number in self._by_title.get(word, _NONE):
                    found[number] = found.get(number, 0.0) + self._of_title[number]
        return found

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


Again = Callable[[Mapping[str, str]], Bibliography]


class BibIndex:
    """A bibliography with its indexes. For completion, entries are sorted by key, and searchable text is
    joined to two long strings with a line for each entry: a search is a single call into C, and its results
    are in the order of the keys."""

    def __init__(
        self,
        bibliography: Bibliography,
        before: BibIndex | None = None,
        again: Again | None = None,
    ) -> None:
        """`before`: the index of the previous version, whose identities are reused for unchanged entries.
        `again`: parses the text again with strings from other files."""
        self.bibliography = bibliography
        self.again = again
        self._known = before.by_fields if before is not None else {}

    @cached_property
    def sorted(self) -> tuple[BibEntry, ...]:
        return tuple(sorted(self.bibliography.entries, key=lambda entry: entry.key.lower()))

    @cached_property
    def keys(self) -> list[str]:
        """Keys in lower case, sorted, for prefix search."""
        return [entry.key.lower() for entry in self.sorted]

    @cached_property
    def key_lines(self) -> LineIndex:
        """Keys without punctuation: `smith2020graph`."""
        return LineIndex([folded(entry.key).replace(" ", "") for entry in self.sorted])

    @cached_property
    def word_lines(self) -> LineIndex:
        """Authors, title and year, each word after a space."""
        return LineIndex([_words(entry) for entry in self.sorted])

    @cached_property
    def terms(self) -> Terms:
        """An index of the words in the entries. The number of an entry is its position in `sorted`."""
        return Terms(self.sorted)

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each entry in the file, by key."""
        return {entry.key: place for place, entry in enumerate(self.bibliography.entries)}

    @cached_property
    def identities(self) -> tuple[Identity, ...]:
        known, self._known = self._known, {}
        return tuple(
            kept[1] if (kept := known.get(id(entry.fields))) else identity_of(entry)
            for entry in self.bibliography.entries
        )

    @property
    def by_fields(self) -> dict[int, tuple[dict[str, str], Identity]]:
        """(fields, identity) by `id(fields)`, for the identities computed so far."""
        if "identities" not in self.__dict__:
            return self._known
        pairs = zip(self.bibliography.entries, self.identities, strict=True)
        return {id(entry.fields): (entry.fields, identity) for entry, identity in pairs}

    def prepare(self) -> None:
        """Computes all indexes now."""
        _ = (self.keys, self.key_lines, self.word_lines, self.terms, self.places)


class LineIndex:
    """Short texts joined to a long one and searched together."""

    def __init__(self, lines: list[str]) -> None:
        self.text = "\n".join(["", *lines, ""])
        starts = array("L", [1])
        for line in lines:
            starts.append(starts[-1] + len(line) + 1)
        self.starts = starts

    def find(self, words: list[str]) -> Iterator[int]:
        """The numbers of the lines that contain all words, in ascending order. The longest word is searched
        first, because it is probably the rarest."""
        lead, *others = sorted(words, key=len, reverse=True)
        position = self.text.find(lead)
        while position >= 0:
            line = bisect_right(self.starts, position) - 1
            end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
            if not others or all(self.text.find(other, self.starts[line], end) >= 0 for other in others):
                yield line
            position = self.text.find(lead, end - 1)


_MOST_AUTHORS = 30
_NOT_WORDS = re.compile(r"[^\w]+")
_COMMANDS = re.compile(r"\\[A-Za-z]+\s*|\\.|[{}$]")


def _words(entry: BibEntry) -> str:
    fields = entry.fields
    names = fields.get("author") or fields.get("editor") or ""
    year = fields.get("year") or fields.get("date", "")[:4]
    title = fields.get("title") or fields.get("text", "")
    return " " + folded(f"{names} {title} {year}")


def folded(text: str) -> str:
    """The text in lower case, without accents and LaTeX, with words separated by single spaces."""
    if "\\" in text or "{" in text:
        text = _COMMANDS.sub("", text)
    if not text.isascii():
        text = "".join(filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", text)))
    return _NOT_WORDS.sub(" ", text).strip().lower()
