"""Splits texts into words, for indexing, queries and training. No other module has a tokenizer for this."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from sys import intern

LETTERS = re.compile(r"[a-z0-9]+")
_HYPHENATED_NAMES = re.compile(
    r"\b(?=[A-Za-z0-9-]*[A-Z]-?[A-Z])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+"
)  # KL-UCB, U-Net
STOP_WORDS = frozenset(
    "a an and are as at be been both but by can each for from had has have how however if in into is it its"
    " may more most not of on or our over several show such than that the their them then there these they"
    " this those through thus to use used using via was we were what when where which while will with".split()
)


def number_of(count: int, noun: str) -> str:
    """A number with its noun, for messages: "1 entry", "2 entries"."""
    plural = f"{noun.removesuffix('y')}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def in_series(names: Iterable[str]) -> str:
    """The names in a sentence: "A, B and C"; "" if there are none."""
    *others, last = [*names] or [""]
    return f"{', '.join(others)} and {last}" if others else last


def words(text: str) -> list[str]:
    """The words of the text in lower case, of at least two letters, without stop words and plural endings. Names
    with hyphens follow, joined, because others write KLUCB for KL-UCB."""
    names = _HYPHENATED_NAMES.findall(text) if "-" in text else []
    found = LETTERS.findall(" ".join([text, *(name.replace("-", "") for name in names)]).lower())
    return [singular(word) for word in found if len(word) > 1 and word not in STOP_WORDS]


def singular(word: str) -> str:
    """The word without plural ending, by the S-stemmer (Harman, 1991): rules for -ies, -es and -s."""
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies") and word[-4] not in "ae":
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] in "xzh":
        return word[:-2]
    return word if word[-2] in "us" else word[:-1]


def query_words(text: str) -> dict[str, float]:
    """The words of a query, each with the square root of its count as weight: a word that occurs four times
    has twice the weight."""
    return {word: count**0.5 for word, count in Counter(words(text)).items()}


@lru_cache(maxsize=8192)
def counted(text: str) -> Counter[str]:
    """The words of a paper's text with their counts. The result is cached, because searches return the same
    papers repeatedly; callers must not change it."""
    return Counter(in_order(text))


@lru_cache(maxsize=8192)
def in_order(text: str) -> tuple[str, ...]:
    """The same as `words`, cached, for the text of a paper. Each distinct word is stored once for all
    texts."""
    return tuple(map(intern, words(text)))


def shortened(text: str, most: int) -> str:
    """The text; if it has more than `most` characters, it is cut after a word, with an ellipsis and with open
    quotation marks closed."""
    if len(text) <= most:
        return text
    cut = text[:most].rsplit(" ", 1)[0] + " …"
    return cut + "”" * (cut.count("“") - cut.count("”"))
