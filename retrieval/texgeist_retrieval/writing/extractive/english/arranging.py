"""Which papers stand in one paragraph, and in what order: by what they share, the oldest first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ....types import Matrix
from .saying import Source
from .standalone import stems
from .strands import Gathered

_JOINS = 0.75  # of how near a theme's papers are to each other, from which another stands with them
_FIRST = 8  # papers that stand in the section whatever they share
_MOST = 7  # papers of a paragraph that two themes make
_FEWEST = 5  # papers of a section, if there are so many


@dataclass(frozen=True, slots=True)
class Theme:
    """A paragraph's papers. `phrase` reads mid-sentence, "" where they share none; `using` have the phrase."""

    phrase: str
    using: tuple[int, ...]
    members: tuple[int, ...]


def arranged(strands: Sequence[Gathered], chosen: Sequence[Source], vectors: Matrix) -> list[Theme]:
    """The nearest to the draft first; papers that fit none are left out. `chosen`: the best first."""
    themes = [Theme(s.phrase, s.using, s.members) for s in reversed(strands) if not s.general]
    themes = sorted(_told_apart(themes), key=lambda theme: not theme.phrase)
    wide = next((strand for strand in strands if strand.general), Gathered("", (), ()))
    near = vectors @ vectors.T
    told = sum(len(theme.members) for theme in themes)
    for i in wide.members if themes else ():
        links = [_link(near, i, theme.members) for theme in themes]
        best = int(np.argmax(links))
        enough = links[best] >= _JOINS * _inner(near, themes[best].members)
        if enough or i < _FIRST or told < _FEWEST:
            themes[best] = replace(themes[best], members=(*themes[best].members, i))
            told += 1
    if not themes:
        themes = [Theme("", (), tuple(range(len(chosen))))]
    themes = [
        replace(theme, members=_in_time(theme.members, chosen)) for theme in _filled(themes, chosen, near)
    ]
    return _by_subject(themes, wide) if wide.phrase else themes


def _filled(themes: Sequence[Theme], chosen: Sequence[Source], near: Matrix) -> list[Theme]:
    """With a paper that would be told alone in the paragraph that is nearest to it."""
    left: list[Theme] = []
    alone: list[Theme] = []
    for theme in themes:
        (left if sum(bool(chosen[i].first) for i in theme.members) >= _TWO else alone).append(theme)
    if not left:
        return [replace(themes[0], members=tuple(i for theme in themes for i in theme.members))]
    for theme in alone:
        links = [float(near[np.ix_(list(theme.members), list(t.members))].mean()) for t in left]
        best = int(np.argmax(links))
        left[best] = replace(left[best], members=(*left[best].members, *theme.members))
    return left


def _by_subject(themes: Sequence[Theme], wide: Gathered) -> list[Theme]:
    """With what most papers of the section are about said of those that share no more, which stand first then; else
    of the first paragraph."""
    at = next((n for n, theme in enumerate(themes) if not theme.phrase and _is_on(theme, wide)), 0)
    said = [stems(theme.phrase) for n, theme in enumerate(themes) if theme.phrase and n != at]
    again = any(stems(wide.phrase) <= own or own <= stems(wide.phrase) for own in said)
    if again or not _is_on(themes[at], wide):
        return list(themes)
    told = {i for theme in themes for i in theme.members}
    using = tuple(i for i in wide.using if i in told)
    if len(using) > _LISTED:
        using = tuple(i for i in using if i in themes[at].members)
    first = Theme(wide.phrase, using, themes[at].members)
    return [first, *(theme for n, theme in enumerate(themes) if n != at)]


def _is_on(theme: Theme, wide: Gathered) -> bool:
    own = [i for i in theme.members if i in wide.using]
    return len(own) >= max(_TWO, len(theme.members) / 2)


_LISTED = 6  # papers that are cited in one place
_TWO = 2  # papers that make a paragraph


def _told_apart(themes: Sequence[Theme]) -> list[Theme]:
    """With a phrase that only says another's again ("tumor segmentation", "MRI brain tumor segmentation") said once:
    two small themes are one then, of large ones the later has none."""
    apart: list[Theme] = []
    for theme in themes:
        own = stems(theme.phrase)
        same = (n for n, t in enumerate(apart) if stems(t.phrase) <= own or own <= stems(t.phrase))
        at = next(same, None) if own else None
        if at is None or not apart[at].phrase:
            apart.append(theme)
        elif len(apart[at].members) + len(theme.members) > _MOST:
            apart[at] = replace(apart[at], using=tuple(dict.fromkeys((*apart[at].using, *theme.using))))
            apart.append(replace(theme, phrase="", using=()))
        else:
            both = (apart[at], theme)
            phrase = max(both, key=lambda t: (len(t.using), len(t.phrase))).phrase
            using = tuple(dict.fromkeys((*both[0].using, *both[1].using)))
            apart[at] = Theme(phrase, using, (*both[0].members, *both[1].members))
    return apart


def _in_time(places: Sequence[int], chosen: Sequence[Source]) -> tuple[int, ...]:
    return tuple(sorted(places, key=lambda i: (chosen[i].year or 9999, i)))


def _link(near: Matrix, place: int, members: Sequence[int]) -> float:
    return float(near[place, list(members)].mean()) if members else 0.0


def _inner(near: Matrix, members: Sequence[int]) -> float:
    size = len(members)
    if size < 2:
        return 1.0
    inner = near[np.ix_(list(members), list(members))]
    return float((inner.sum() - np.trace(inner)) / (size * (size - 1)))
