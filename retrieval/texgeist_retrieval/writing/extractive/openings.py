"""How paragraphs open and how the section closes: only what the clustering measured and the draft says."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...types import Query
from .draft_clauses import Claim
from .grammar import joined as _joined
from .grammar import upper_first
from .phrases import keys
from .subjects import Theme

# {t}: the theme; {why}: a clause of the draft's own abstract, set beside it and never said to be its cause.
_WITH_REASON = (
    "The work closest to ours concerns {t}; in this paper, {why}.",
    "A second line of work deals with {t}; for our part, {why}.",
    "Research on {t} touches our topic as well; here, {why}.",
    "Our work is further related to research on {t}; by comparison, {why}.",
    "There is also work on {t}; in our setting, {why}.",
)
_IN_DRAFT = (
    "The work closest to ours concerns {t}.",
    "A second line of work deals with {t}, which this paper touches on as well.",
    "Our topic also meets research on {t}.",
    "{T} {form} another subject that this paper shares with earlier work.",
    "{n} more papers treat {t}, again with our subject in view.",
)
_PLAIN = (
    "The work closest to ours concerns {t}.",
    "A second line of work deals with {t}.",
    "A further strand of research is concerned with {t}.",
    "Somewhat further from our topic, {n} papers treat {t}.",
    "Beyond these, {t} {have} been studied.",
    "Another {n} papers turn to {t}.",
    "At a greater distance from our subject stands work on {t}.",
)
_NAMELESS = (
    "{n} papers stand closest to our setting.",
    "{n} further papers approach the subject from other sides.",
    "Related questions come up in {n} more papers.",
    "Another {n} papers share parts of our subject.",
    "To these can be added {n} papers on neighbouring questions.",
)
_LOOSE = (
    "The work closest to ours takes up {t}, among other questions.",
    "Related questions are treated in research on {t} and on neighbouring subjects.",
    "{n} papers take up {t} or neighbouring questions.",
    "{n} more papers deal with {t} or with neighbouring subjects.",
    "Further work turns to {t} and to what surrounds it.",
    "In the same neighbourhood, {n} papers look at {t} and similar questions.",
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


def opening(place: int, theme: Theme, size: int, reason: str, query: Query, used: set[str]) -> str:
    """The first sentence of a paragraph; `place` 0 is the theme nearest to the draft. `used` holds the
    forms that the section has used, and is added to."""
    pattern = _pattern(place, theme, reason, f"{query.title}. {query.abstract}", used)
    used.add(pattern)
    many = len(theme.phrases) > 1 or (bool(theme.phrases) and theme.phrases[0].endswith(("s", "corpora")))
    words = {
        "t": joined(theme.phrases), "T": upper_first(joined(theme.phrases)), "n": number(size), "why": reason,
        "have": "have" if many else "has", "form": "form" if many else "is",
    }  # fmt: skip
    return upper_first(pattern.format(**words))


def _pattern(place: int, theme: Theme, reason: str, draft: str, used: set[str]) -> str:
    """The form for this place, or the next that was not used. The first of each is the nearest theme's alone."""
    patterns: tuple[str, ...]
    if not theme.phrases:
        patterns = _NAMELESS
    elif theme.loose:
        patterns = _LOOSE
    elif reason and _share_a_word(reason, theme.phrases):
        patterns = _WITH_REASON
    else:
        patterns = _IN_DRAFT if keys(draft) & keys(joined(theme.phrases)) else _PLAIN
    start = min(place, len(patterns) - 1)
    turned = [*patterns[start:], *patterns[1:start]]
    return next((p for p in turned if p not in used), turned[0])


def _share_a_word(reason: str, phrases: Sequence[str]) -> bool:
    """Whether the draft's clause names a word of the theme: else a reader would look for the link in vain."""
    named, said = _stems(joined(phrases)), _stems(reason)
    return bool(named & said - _EVERYWHERE)


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"[a-z]{5,}", text.lower())}


_EVERYWHERE = frozenset("model method paper approach research learning large language system based".split())


def closing(phrases: Sequence[str], claim: Claim | None) -> str:
    """How the draft differs: the themes above against what its own abstract says that it does."""
    if claim is None:
        return ""
    if not phrases:
        return f"Against this background, {claim.clause}."
    return f"Where the papers above treat {joined(phrases)}, {claim.clause}."
