"""How paragraphs open and how the section closes: only what the clustering measured and the draft says."""

from __future__ import annotations

from collections.abc import Sequence

from .draft_clauses import Claim
from .grammar import joined as _joined
from .subjects import Theme

# {t}: a phrase that the draft and {k} of the paragraph's {n} papers use. Nothing more is claimed of it.
_ALL = (
    "{N} {papers} {speak} of {t}.",
    "{N} further {papers} {speak} of {t}.",
    "Another {n} {papers} {speak} of {t}.",
)
_SOME = (
    "Of the {n} papers that follow, {k} speak of {t}.",
    "Of {n} further papers, {k} speak of {t}.",
    "Of another {n} papers, {k} speak of {t}.",
)
_PLAIN = (
    "{N} {papers} {are} noted here.",
    "{N} further {papers} {are} noted here.",
    "Another {n} {papers} {follow}.",
    "{N} more {papers} {follow}.",
)
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

LONGEST_SPELLED = len(_NUMBER) - 1


def joined(phrases: Sequence[str]) -> str:
    return _joined(list(phrases)) if phrases else ""


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def opening(place: int, theme: Theme, size: int, used: set[str]) -> str:
    """The first sentence of a paragraph; `place` 0 is the group nearest to the draft. `used` holds the
    forms that the section has used, and is added to."""
    covered = len(frozenset().union(*theme.covers)) if theme.covers else 0
    patterns = _PLAIN if not theme.phrases else _ALL if covered == size else _SOME
    turned = patterns[min(place, 1) :] or patterns
    pattern = next((p for p in turned if p not in used), turned[-1])
    used.add(pattern)
    one = size == 1
    words = {
        "t": joined(theme.phrases[:1]), "n": number(size), "N": number(size).capitalize(), "k": number(covered),
        "papers": "paper" if one else "papers", "speak": "speaks" if one else "speak",
        "are": "is" if one else "are", "follow": "follows" if one else "follow",
    }  # fmt: skip
    return pattern.format(**words)


def closing(claim: Claim | None) -> str:
    """What the draft itself offers, in its own words and without a bridge."""
    return f"In this paper, {claim.clause}." if claim and claim.main else ""
