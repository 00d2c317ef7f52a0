"""How paragraphs open and how the section closes: only what the clustering measured and the draft says."""

from __future__ import annotations

from collections.abc import Sequence

from ..types import Query
from .drafts import Claim
from .grammar import joined as _joined
from .grammar import upper_first
from .phrases import Theme, keys

# {t}: the theme; {why}: a clause of the draft's own abstract.
_WITH_REASON = (
    "The work closest to ours concerns {t}, which matters here because {why}.",
    "A second line of work deals with {t}. It bears on this paper in that {why}.",
    "Research on {t} also touches our topic, since {why}.",
    "Our work further draws near to research on {t}, because {why}.",
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
    "Several papers stand close to the subject of this one.",
    "{n} further papers approach the subject from other sides.",
    "Related questions come up in {n} more papers.",
)
_LOOSE = (
    "The work closest to ours takes up {t}, among other questions.",
    "Related questions are treated in research on {t} and on neighbouring subjects.",
    "Several papers take up {t} or questions close to it.",
    "{n} more papers deal with {t} or with neighbouring subjects.",
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


def joined(phrases: Sequence[str]) -> str:
    return _joined(list(phrases)) if phrases else ""


def number(count: int) -> str:
    return _NUMBER[count] if count < len(_NUMBER) else str(count)


def opening(place: int, groups: int, theme: Theme, size: int, reason: str, query: Query) -> str:
    """The first sentence of the paragraph at `place` of `groups`, nearest to the draft first."""
    many = len(theme.phrases) > 1 or (theme.phrases[:1] and theme.phrases[0].endswith("s"))
    words = {
        "t": joined(theme.phrases), "T": upper_first(joined(theme.phrases)), "n": number(size), "why": reason,
        "have": "have" if many else "has", "form": "form" if many else "is",
    }  # fmt: skip
    if groups == 1 and theme.phrases and not theme.loose:
        text = "The papers closest to ours concern {t}" + (
            ", which matters here because {why}." if reason else "."
        )
    else:
        text = _pattern(place, theme, reason, f"{query.title}. {query.abstract}")
    return upper_first(text.format(**words))


def _pattern(place: int, theme: Theme, reason: str, draft: str) -> str:
    if not theme.phrases:
        return _NAMELESS[min(place, 1 + place % 2)]
    if theme.loose:
        return _LOOSE[place if place < 3 else 1 + place % 3]
    if reason:
        return _WITH_REASON[place] if place < 3 else _WITH_REASON[3 - place % 2]
    shared = keys(draft) & keys(joined(theme.phrases))
    patterns = _IN_DRAFT if shared else _PLAIN
    return patterns[place] if place < len(patterns) else patterns[3 + place % (len(patterns) - 3)]


def closing(phrases: Sequence[str], claim: Claim | None) -> str:
    """How the draft differs: the themes above against what its own abstract says that it does."""
    if claim is None:
        return ""
    if not phrases:
        return f"Against this background, {claim.clause}."
    return f"Where the papers above treat {joined(phrases)}, {claim.clause}."
