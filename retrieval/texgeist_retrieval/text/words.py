"""The one tokenizer: texts to words, the same for indexing, for queries and for training."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from sys import intern

LETTERS = re.compile(r"[a-z0-9]+")
STOP_WORDS = frozenset(
    "a an and are as at be been both but by can each for from had has have how however if in into is it its"
    " may more most not of on or our over several show such than that the their them then there these they"
    " this those through thus to use used using via was we were what when where which while will with".split()
)


def words(text: str) -> list[str]:
    """Lower-case words of two letters or more, without stop words, plurals cut."""
    found = LETTERS.findall(text.lower())
    return [singular(word) for word in found if len(word) > 1 and word not in STOP_WORDS]


def singular(word: str) -> str:
    """The S-stemmer (Harman, 1991): rules for -ies, -es and -s, which is all that helps in English titles."""
    if len(word) <= 3 or not word.endswith("s"):
        return word
    if word.endswith("ies") and word[-4] not in "ae":
        return word[:-3] + "y"
    if word.endswith("es") and word[-3] in "xzh":
        return word[:-2]
    return word if word[-2] in "us" else word[:-1]


def query_words(text: str) -> dict[str, float]:
    """Words of a long query with the square root of their counts: a word said four times matters twice."""
    return {word: count**0.5 for word, count in Counter(words(text)).items()}


@lru_cache(maxsize=8192)
def counted(text: str) -> Counter[str]:
    """The words of a paper's text with their counts; kept, since the same papers are found again and again.

    The value is shared: do not change it."""
    return Counter(in_order(text))


@lru_cache(maxsize=8192)
def in_order(text: str) -> tuple[str, ...]:
    """`words` of a paper's text, kept likewise: a word is held once, however many texts have it."""
    return tuple(map(intern, words(text)))
