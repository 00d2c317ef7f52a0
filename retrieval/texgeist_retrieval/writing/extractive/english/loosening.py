"""A sentence in words of its own: runs that a source has word for word are broken, without quotation marks.

Small rewritings that keep the meaning (a synonym, a swapped pair, an abbreviation, praise left out) are tried
until no run is left. A sentence that keeps one is given up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grammar import article
from .quoting import RUN
from .synonyms import REWRITINGS

_ROUNDS = 9


def loosened(text: str, passage: str, free: str = "") -> str:
    """`text` without a run of the passage's words, "" where that cannot be done. Words of a run that stand
    in `free`, the paper's title, are nobody's loss."""
    source = _Source(passage, free)
    left = source.copied(text)
    for _ in range(_ROUNDS):
        if not left:
            break
        tried = ((source.copied(other), other) for other in _others(text))
        fewer, other = min(tried, key=lambda pair: pair[0], default=(left, text))
        if fewer >= left:
            return ""
        left, text = fewer, other
    return "" if left else text


def is_copied(text: str, passage: str, free: str = "") -> bool:
    """Whether a run of the passage's words stands in the text outside quotation marks."""
    return _Source(passage, free).copied(text) > 0


class _Source:
    """What may not be copied: the runs of a passage, but those of the title."""

    def __init__(self, passage: str, free: str) -> None:
        titled = _runs(_words(free))
        self._runs = _runs(_words(passage)) - titled

    def copied(self, text: str) -> int:
        """How many runs of seven words the text has of them."""
        return sum(run in self._runs for piece in re.split(r"“[^”]*”", text) for run in _runs(_words(piece)))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+(?:[-’/]\w+)*", text.lower())


def _runs(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + RUN]) for i in range(len(words) - RUN + 1)}


def _others(text: str) -> Iterator[str]:
    """The text with one rewriting at one place."""
    for pattern, by in REWRITINGS:
        for match in pattern.finditer(text):
            new = by(match) if callable(by) else match.expand(by)
            yield with_articles(f"{text[: match.start()]}{new}{text[match.end() :]}")


def with_articles(text: str) -> str:
    """a and an by the sound of what follows, where a word before a noun came or went."""
    return re.sub(
        r"\b([Aa])n? (?=([A-Za-z][\w-]+))",
        lambda m: m[0] if m[2][:2].isupper() else f"{_cased(article(m[2]), m[1])} ",
        re.sub(r"  +", " ", text),
    )


def _cased(word: str, first: str) -> str:
    return word.capitalize() if first.isupper() else word
