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
    """The first sentence of a paragraph, "" where its papers share no phrase: there is nothing to say of
    all of them. `place` 0 is the group nearest to the draft. `used` holds the forms that the section has
    used, and is added to."""
    if not theme.phrases:
        return ""
    covered = len(frozenset().union(*theme.covers))
    patterns = _ALL if covered == size else _SOME
    turned = patterns[min(place, 1) :]
    pattern = next((p for p in turned if p not in used), turned[-1])
    used.add(pattern)
    one = size == 1
    words = {
        "t": joined(theme.phrases[:1]), "n": number(size), "N": number(size).capitalize(), "k": number(covered),
        "papers": "paper" if one else "papers", "speak": "speaks" if one else "speak",
    }  # fmt: skip
    return pattern.format(**words)


def listing(size: int) -> str:
    """What stands before papers of which only the titles are known."""
    return f"{number(size).capitalize()} {'paper is' if size == 1 else 'papers are'} noted here."


def closing(claim: Claim | None) -> str:
    """What the draft itself offers, in its own words and without a bridge."""
    return f"In this paper, {claim.clause}." if claim and claim.main else ""
