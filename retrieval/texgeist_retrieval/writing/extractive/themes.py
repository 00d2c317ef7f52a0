"""Groups papers into paragraphs by the similarity of their abstracts, and names what a group shares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...ranking.phrases import contains, specific_phrases
from ...types import Matrix, Vector

_EACH = 4  # approximate number of papers of a paragraph
_MOST = 6  # greatest number of papers of a paragraph
_FEWEST = 2  # least number of papers that share a theme's phrase


@dataclass(frozen=True, slots=True)
class Theme:
    """The papers of one paragraph. `members`: their indexes; `phrase`: a phrase that most of them contain, ""
    if they share none."""

    phrase: str
    members: tuple[int, ...]


def themes_of(
    titles: Sequence[str], texts: Sequence[str], draft: str, vectors: Matrix, focus: Vector
) -> list[Theme]:
    """The themes of the papers, the nearest to the draft first. `titles`, `texts` and `vectors`: one for each
    paper; `draft`: the text of the draft; `focus`: its vector."""
    nearness = vectors @ focus
    groups = _grouped(vectors @ vectors.T)
    groups.sort(key=lambda group: -float(np.sort(nearness[group])[-3:].mean()))
    whole = [f"{title}. {text}" for title, text in zip(titles, texts, strict=True)]
    themes, named = list[Theme](), set[str]()
    for group in groups:
        phrase = _shared([titles[i] for i in group], [whole[i] for i in group], draft, named)
        named.add(phrase)
        themes.append(Theme(phrase, tuple(group)))
    return themes


def _grouped(near: Matrix) -> list[list[int]]:
    """Groups the papers by average linkage. A paper that stays alone joins the most similar group."""
    groups = [[i] for i in range(len(near))]
    while len(groups) > max(1, round(len(near) / _EACH)):
        pairs = [
            (float(near[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(groups)
            for j, b in enumerate(groups[:i])
            if len(a) + len(b) <= _MOST
        ]
        if not pairs:
            break
        _, i, j = max(pairs)
        groups[j] += groups.pop(i)
    while len(groups) > 1 and (alone := next((group for group in groups if len(group) == 1), [])):
        groups.remove(alone)
        max(groups, key=lambda other: near[alone[0], other].mean()).extend(alone)
    return groups


def _shared(titles: Sequence[str], texts: Sequence[str], draft: str, named: set[str]) -> str:
    """A phrase from a title of these papers, or from the draft, that most of the papers contain and that is
    no part of a phrase in `named`; "" if fewer than half of the papers, or fewer than two, share one."""
    phrases = {phrase: surface for title in [draft, *titles] for phrase, surface in specific_phrases(title)}
    counts = {phrase: sum(contains(text, phrase) for text in texts) for phrase in phrases}
    enough = max(_FEWEST, len(texts) / 2)
    free = [
        p
        for p, count in counts.items()
        if count >= enough and not any(phrases[p] in other for other in named)
    ]
    return phrases[max(free, key=lambda p: (counts[p] * len(p) ** 0.5, p))] if free else ""
