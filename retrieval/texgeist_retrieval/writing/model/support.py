"""Checks that the numbers of a sentence occur in the passages that it cites.

Models invent numbers such as p values. Digits and number words are compared by value: "2,000", "2 thousand"
and "two thousand" are equal, and nothing is rounded. Small numbers in words ("two encoders") are allowed,
since they count things that the sentence names. Digits that belong to a name ("GPT-4", "BM25") are also
allowed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_DIGITS = re.compile(
    r"(?:\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][-+−]?\d+)?(?!D\b)(?: ?(?P<unit>thousand|million|billion|trillion|[kKMB](?![\w-])))?"
)
# Before digits that are part of a name: BM25, GPT-4, v1.2.3.
_OF_A_NAME = re.compile(r"[^\W\d][-‐‑@]?[\d.]*$")
_LONGEST_NAME = 24  # number of characters before digits that are examined for a name
_UNITS = {"thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "b": 1e9, "trillion": 1e12}
_SMALL = dict(
    zip(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
        "eighteen nineteen".split(),
        range(1, 20),
        strict=True,
    )
)
_TENS = dict(
    zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True)
)
_WORDS = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[- ](?P<more>{'|'.join([*_SMALL][:9])}))?|(?P<small>{'|'.join(_SMALL)}))\b"
    r"(?: (?P<hundred>hundred))?(?: (?P<unit>thousand|million|billion|trillion)\b)?",
    re.IGNORECASE,
)
_FREE = 12  # numbers in words up to this value are allowed without a source


def no_such_figure(figure: str) -> str:
    return f"It holds the figure {figure}, which stands in no passage that it cites: leave it out."


def stated(text: str) -> set[float]:
    """The values of the numbers that a sentence states."""
    return {numbers[-1] for _, numbers in _figures(text)}


def numbers(text: str) -> Iterator[float]:
    """Yields the values of all numbers in a text, including those in names; "2 million" yields 2 and
    2,000,000."""
    for match in _DIGITS.finditer(text):
        yield from _values(match)
    for match in _WORDS.finditer(text):
        yield _spelled(match)


def unsupported(text: str, grounds: Iterable[str], years: Iterable[float | None] = ()) -> str:
    """The first number of a sentence, as written, whose value is neither in the texts `grounds` nor in
    `years`; "" if there is none. `years`: publication years of the cited papers."""
    figures = [*_figures(text)]
    if not figures:
        return ""
    known = {number for ground in grounds for number in numbers(ground)} | {*years}
    return next((written for written, values in figures if not known.intersection(values[-1:])), "")


def _figures(text: str) -> Iterator[tuple[str, list[float]]]:
    """Yields the numbers that a sentence states (as written, and their values), in digits or in words above
    `_FREE`."""
    for match in _DIGITS.finditer(text):
        if not _OF_A_NAME.search(text, max(0, match.start() - _LONGEST_NAME), match.start()):
            yield match[0], _values(match)
    for match in _WORDS.finditer(text):
        if (number := _spelled(match)) > _FREE:
            yield match[0], [number]


def _values(match: re.Match[str]) -> list[float]:
    unit = (match["unit"] or "").lower()
    written = match[0][: match.start("unit") - match.start()] if unit else match[0]
    number = float(written.replace(",", "").replace("−", "-"))
    return (
        [number, round(number * _UNITS[unit], 3)] if unit else [number]
    )  # 16.1 * 1000 is 16100.000000000002


def _spelled(match: re.Match[str]) -> float:
    tens, more, small = (match[group] for group in ("tens", "more", "small"))
    number = _TENS[tens.lower()] + (_SMALL[more.lower()] if more else 0) if tens else _SMALL[small.lower()]
    return number * (100 if match["hundred"] else 1) * _UNITS.get((match["unit"] or "").lower(), 1)
