"""How a section and its paragraphs open, and how it closes: only what was counted in the texts."""

from __future__ import annotations

from collections.abc import Sequence

from .draft_clauses import Claim
from .grammar import joined as _joined
from .grammar import upper_first

_CLOSEST = "Closest to this paper is the work on {t}."
_OTHERS = (
    "One strand is concerned with {t}.",
    "Another strand is the work on {t}.",
    "A third one is about {t}.",
)
_FEW = 4  # papers from which on it is worth a word that they share nothing
_NUMBER = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def joined(phrases: Sequence[str]) -> str:
    return _joined(list(phrases)) if phrases else ""


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def overview(phrases: Sequence[str]) -> str:
    """The strands of the section, in the order of its paragraphs."""
    if len(phrases) < 2:
        return ""
    return (
        f"{upper_first(number(len(phrases)))} strands of earlier work bear on this paper: {joined(phrases)}."
    )


def opening(place: int, strands: int, phrase: str, size: int) -> str:
    """The first sentence of a paragraph of `size` papers, about those that use its phrase; `strands` of the
    section have one."""
    if not phrase and strands:
        return f"Other papers stand beside {'it' if strands == 1 else 'these strands'}."
    if not phrase:
        return "The papers noted here share no single theme." if size >= _FEW else ""
    if place == strands - 1:
        return _CLOSEST.format(t=phrase)
    return _OTHERS[place % len(_OTHERS)].format(t=phrase)


def listing(size: int) -> str:
    """What stands before papers of which only the titles are known."""
    return f"{number(size).capitalize()} {'paper is' if size == 1 else 'papers are'} noted here."


def in_common(phrase: str, count: int) -> str:
    """What a few papers share, before the sentences on each of them."""
    return f"{upper_first(number(count))} of them involve {phrase}." if phrase else ""


def closing(gap: str, claim: Claim | None) -> str:
    """What no abstract above speaks of (`gap`), and what the draft offers, in its own words."""
    own = f"in this paper, {claim.clause}." if claim and claim.clause.startswith("we ") else ""
    if not gap:
        return upper_first(own)
    return f"None of these works takes {gap} as its subject{'; ' + own if own else '.'}"
