"""Groups papers into paragraphs. A group has papers that share a phrase similar to the draft, and papers
similar to these; other groups consist of papers that are similar to each other."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...ports import Embedder
from ...text.keyphrases import keys, phrases, surfaces, tells
from ...text.vocabulary import COMMON
from ...types import Matrix, Vector

_FEWEST = 2  # least number of papers that use the phrase of a theme, and of papers in a paragraph
_THEMES = 3  # greatest number of themes with a phrase
_MOST = 6  # greatest number of papers of a theme
_EACH = 4  # approximate number of papers of a paragraph without a phrase
_ABOUT = 0.3  # least cosine of a phrase to the draft
_DRAFTED = 0.4  # added to the cosine of a phrase that the draft contains
_WIDE, _FEW = 0.6, 3  # a phrase in more than 60 % of the papers, and in more than 3 papers, is not a theme
_WHOLE = 0.34  # least share of its occurrences in which a phrase is whole, see `keyphrases.Phrase`
_TRIED = 60  # number of phrases that are embedded
_OVERLAP = 0.6  # if phrases have this share of the shorter phrase's words in common, they name the same theme
_JOINS = 0.75  # a paper may join a theme if its similarity is this share of the theme's mean similarity
_ALWAYS = 8  # number of best papers that always join a theme
_IS_NAME = re.compile(r"[a-z][A-Z]|\b[A-Z]{2} |\b[A-Z]{2}$")


@dataclass(frozen=True, slots=True)
class Theme:
    """The papers of one paragraph. `members`: their indexes; `phrase`: the phrase that they share, in the
    form for the middle of a sentence, "" if they share none."""

    phrase: str
    members: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Shared:
    """A phrase that several papers contain. `having`: the papers that contain it; `using`: those with
    the phrase in the title, or more than once in the abstract;
    `near`: the similarity of the phrase to the draft."""

    words: frozenset[str]
    surface: str
    having: frozenset[int]
    using: frozenset[int]
    near: float

    def worth(self, left: set[int]) -> float:
        """The score of the phrase as a theme of the papers in `left`; 0 if it cannot be their theme."""
        if len(self.using & left) < _FEWEST or self.near < _ABOUT:
            return 0.0
        papers = len(self.using & left) + len(self.having & left)
        return float(self.near * papers**0.5 * len(self.words) ** 0.25)

    def repeats(self, other: _Shared) -> bool:
        return len(self.words & other.words) >= _OVERLAP * min(len(self.words), len(other.words))


def themes_of(
    titles: Sequence[str],
    texts: Sequence[str],
    draft: str,
    vectors: Matrix,
    focus: Vector,
    embedder: Embedder,
) -> list[Theme]:
    """The themes of the papers. Themes with a phrase come first, then the other themes; both are sorted by
    their similarity to the draft. Papers that fit no theme are in none. `titles`, `texts` and `vectors`: one
    for each paper, the best paper first; `focus`: the vector of the draft."""
    count = len(titles)
    if count < 2 * _FEWEST:
        return [Theme("", tuple(range(count)))] if count else []
    near = vectors @ vectors.T
    themes = _named(_shared(titles, texts, draft, focus, embedder), count)
    themes, rest = _with_near(themes, near)
    groups = _grouped(near, rest)
    themes += [Theme("", tuple(group)) for group in groups if len(group) >= _FEWEST]
    for [i] in (group for group in groups if len(group) < _FEWEST):
        themes = _joined(themes, i, near)
    nearness = vectors @ focus

    def closeness(theme: Theme) -> tuple[bool, float]:
        return not theme.phrase, -float(np.sort(nearness[list(theme.members)])[-3:].mean())

    return sorted(themes, key=closeness) or [Theme("", tuple(range(count)))]


def _shared(
    titles: Sequence[str], texts: Sequence[str], draft: str, focus: Vector, embedder: Embedder
) -> list[_Shared]:
    titled = [keys(title) for title in titles]
    often = [Counter(phrase.key for phrase in phrases(text)) for text in texts]
    written, whole = surfaces([*titles, *texts, draft])
    having, using = defaultdict[str, set[int]](set), defaultdict[str, set[int]](set)
    for i, (in_title, counts) in enumerate(zip(titled, often, strict=True)):
        for key in in_title | set(counts):
            having[key].add(i)
            if key in in_title or counts[key] >= _FEWEST:
                using[key].add(i)
    widest = max(_FEW, _WIDE * len(titles))
    drafted = keys(draft)
    free = [
        key for key, papers in having.items()
        if _FEWEST <= len(papers) <= widest and " " in key and key not in COMMON and tells(key)
        and whole[key] >= _WHOLE and not _IS_NAME.search(written[key])
    ]  # fmt: skip
    free.sort(key=lambda k: (-len(having[k]) * (1.5 if k in drafted else 1.0) * len(k.split()) ** 0.5, k))
    free = free[:_TRIED]
    near = embedder.embed_documents([written[key] for key in free]) @ focus if free else ()
    return [
        _Shared(frozenset(key.split()), written[key], frozenset(having[key]), frozenset(using[key]), float(n) + _DRAFTED * (key in drafted))
        for key, n in zip(free, near, strict=True)
    ]  # fmt: skip


def _named(shared: Sequence[_Shared], count: int) -> list[Theme]:
    """The themes with a phrase: repeatedly takes the phrase with the highest score for the remaining
    papers."""
    left, taken, themes = set(range(count)), list[_Shared](), list[Theme]()
    while len(themes) < _THEMES:
        free = [one for one in shared if one.worth(left) and not any(one.repeats(other) for other in taken)]
        if not free:
            break
        best = max(free, key=lambda one: one.worth(left))
        taken.append(best)
        themes.append(Theme(best.surface, tuple(sorted(best.having & left))))
        left -= best.having
    return themes


def _with_near(themes: Sequence[Theme], near: Matrix) -> tuple[list[Theme], list[int]]:
    """Adds a paper to a theme if it is at least as similar to the theme's papers as these are to each other.
    Returns the themes and the other papers."""
    placed = {i for theme in themes for i in theme.members}
    made, rest = list(themes), list[int]()
    for i in (i for i in range(len(near)) if i not in placed):
        above = [_link(near, i, theme.members) - _inner(near, theme.members) for theme in themes]
        at = int(np.argmax(above)) if above else -1
        if above and above[at] >= 0 and len(made[at].members) < _MOST:
            made[at] = replace(made[at], members=(*made[at].members, i))
        else:
            rest.append(i)
    return made, rest


def _joined(themes: Sequence[Theme], i: int, near: Matrix) -> list[Theme]:
    """Adds paper `i` to the most similar theme that has space, if the paper is similar enough or among the
    best."""
    made = list(themes)
    if made:
        room = [at for at, theme in enumerate(made) if len(theme.members) < _MOST] or range(len(made))
        at = max(room, key=lambda at: _link(near, i, made[at].members))
        members = made[at].members
        if i < _ALWAYS or _link(near, i, members) >= _JOINS * _inner(near, members):
            made[at] = replace(made[at], members=(*members, i))
    return made


def _grouped(near: Matrix, places: Sequence[int]) -> list[list[int]]:
    """Groups the papers `places` by average linkage, as long as two groups are more similar to each other
    than all papers are on average."""
    groups = [[i] for i in places]
    floor = _inner(near, range(len(near)))
    while len(groups) > max(1, round(len(places) / _EACH)):
        pairs = [
            (float(near[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(groups)
            for j, b in enumerate(groups[:i])
            if len(a) + len(b) <= _MOST
        ]
        best, i, j = max(pairs, default=(floor, 0, 0))
        if best <= floor:
            break
        groups[j] += groups.pop(i)
    return groups


def _link(near: Matrix, place: int, members: Sequence[int]) -> float:
    return float(near[place, list(members)].mean())


def _inner(near: Matrix, members: Sequence[int]) -> float:
    """The mean similarity between different members; 1 for a single member."""
    size = len(members)
    inner = near[np.ix_(members, members)]
    return float((inner.sum() - np.trace(inner)) / (size * (size - 1))) if size > 1 else 1.0
