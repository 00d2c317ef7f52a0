"""Papers by the strands that they share: a phrase that several of them use, and that the draft is near to.

A strand is named only after papers whose title or abstract has its phrase; the others of its paragraph are there
because they are closest to these, and nothing is said of them together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....ports import Embedder
from ....text.keyphrases import keys, phrases, surfaces, tells
from ....text.vocabulary import COMMON
from ....types import Matrix, Vector
from .naming import title_names

_FEWEST = 2  # papers that use the phrase of a strand
_EACH = 4.0  # papers of a strand, about
_SHARED = 0.15  # of cosine, that a phrase in common is worth
_ABOUT = 0.3  # cosine to the draft, below which a phrase is not what its strands are about
_THEMES = 3  # named ones
_MOST = 6  # papers that a theme takes in
_WIDE, _FEW = 0.6, 3  # of all papers, and more than so many: what they have is no theme of its own
_TRIED = 60  # phrases that are weighed by their vectors


@dataclass(frozen=True, slots=True)
class Gathered:
    """`phrase` reads mid-sentence, "" for papers that share none; `using` are those members that use it."""

    phrase: str
    using: tuple[int, ...]
    members: tuple[int, ...]
    general: bool = False  # the phrase is the subject of all papers: these are those of no strand


def gather(
    titles: Sequence[str],
    texts: Sequence[str],
    draft: str,
    vectors: Matrix,
    focus: Vector,
    embedder: Embedder,
) -> list[Gathered]:
    """All papers, each in one strand, the strand nearest to the draft last. `vectors`: a row a paper, `focus`
    the draft."""
    count = len(titles)
    if count < 4:
        return [Gathered("", (), tuple(range(count)))] if count else []
    found = _Phrases(titles, texts, draft, embedder, focus)
    near = vectors @ vectors.T + _SHARED * found.in_common()
    return _placed(_themes(found), found, near, vectors @ focus)


class _Phrases:
    """The phrases that papers share, and how strongly each paper uses them."""

    def __init__(
        self,
        titles: Sequence[str],
        texts: Sequence[str],
        draft: str,
        embedder: Embedder,
        focus: Vector,
    ) -> None:
        titled = [keys(title) for title in titles]
        often = [Counter(p.key for p in phrases(text)) for text in texts]
        written, whole = surfaces([*titles, *texts, draft])
        names = {name.lower() for title in titles for name in title_names(title) if " " not in name}
        drafted = keys(draft)
        support: Counter[str] = Counter(
            key for own, all_ in zip(titled, often, strict=True) for key in own | set(all_)
        )
        free = [
            key for key, n in support.items()
            if n >= _FEWEST and " " in key and key not in COMMON and whole[key] >= 0.34 and tells(key, 1) and not names & set(key.split())
            and not re.search(r"\b[A-Z]{2} |\b[A-Z]{2}$", written[key])
        ]  # fmt: skip
        free.sort(key=lambda k: (-support[k] * (1.5 if k in drafted else 1.0) * len(k.split()) ** 0.5, k))
        self.keys = free[:_TRIED]
        self.surface = {key: written[key] for key in self.keys}
        self.strength = np.array(
            [
                [(1.0 if k in titled[i] else 0.0) + min(often[i][k], 3) * 0.3 for i in range(len(titles))]
                for k in self.keys
            ]
        ).reshape(len(self.keys), len(titles))
        self.near = np.zeros(len(self.keys))
        if self.keys:
            rows = embedder.embed_documents([self.surface[k] for k in self.keys])
            self.near = rows @ focus + 0.4 * np.array([k in drafted for k in self.keys])

    def users(self, place: int) -> frozenset[int]:
        """Papers that have the phrase in their title, or more than once in their abstract."""
        return frozenset(int(i) for i in np.flatnonzero(self.strength[place] >= 0.6))

    def in_common(self) -> Matrix:
        """[papers, papers]: 1 where two use a rare phrase both, less for what many use."""
        count = self.strength.shape[1]
        terms = np.array([" " in key for key in self.keys], dtype=bool)
        uses = (self.strength[terms] >= 0.6).astype(np.float32)
        rare = np.log(count / np.maximum(uses.sum(axis=1), 1)) / np.log(count)
        shared: Matrix = np.minimum((uses * rare[:, None]).T @ uses, 1.0).astype(np.float32)
        return shared


def _grouped(near: Matrix, floor: float) -> list[list[int]]:
    """Papers that are nearer to each other than `floor`, joined by average linkage."""
    count = len(near)
    groups = [[i] for i in range(count)]
    widest = max(6, -(-count // 3))
    while len(groups) > max(1, round(count / _EACH)):
        pairs = [
            (float(near[np.ix_(a, b)].mean()), i, j)
            for i, a in enumerate(groups)
            for j, b in enumerate(groups[:i])
            if len(a) + len(b) <= widest
        ]
        best, i, j = max(pairs, default=(floor, 0, 0))
        if best <= floor:
            break
        groups[j] = sorted(groups[i] + groups[j])
        del groups[i]
    return groups


def _themes(found: _Phrases) -> list[tuple[int, tuple[int, ...]]]:
    """Phrases by their places, each with the papers that have it: again and again the one that the draft is nearest
    to and most of the papers that are left have. What most of all papers have tells none from the others."""
    count = found.strength.shape[1]
    left, themes = set(range(count)), list[tuple[int, tuple[int, ...]]]()
    while len(themes) < _THEMES:
        worths = [
            (_worth(place, found, left, [p for p, _ in themes]), -place) for place in range(len(found.keys))
        ]
        worth, place = max(worths, default=(0.0, 0))
        if worth <= 0:
            break
        members = tuple(i for i in sorted(left) if found.strength[-place, i] > 0)
        themes.append((-place, members))
        left -= set(members)
    return themes


def _worth(place: int, found: _Phrases, left: set[int], taken: Sequence[int]) -> float:
    """0 for a phrase that names no theme."""
    said = set(found.keys[place].split())
    all_ = int((found.strength[place] > 0).sum())
    using = len(found.users(place) & left)
    having = sum(bool(found.strength[place, i] > 0) for i in left)
    again = any(said <= (other := set(found.keys[p].split())) or other <= said for p in taken)
    wide = all_ > _WIDE * found.strength.shape[1] and all_ > _FEW
    if using < _FEWEST or again or wide or found.near[place] < _ABOUT:
        return 0.0
    return float(found.near[place] * np.sqrt(using + having) * len(said) ** 0.25)


def _inner(near: Matrix, group: Sequence[int]) -> float:
    """How near the papers of a group are to each other, on the average."""
    size = len(group)
    inner = near[np.ix_(group, group)]
    return float((inner.sum() - np.trace(inner)) / (size * (size - 1))) if size > 1 else 1.0


def _placed(
    themes: Sequence[tuple[int, tuple[int, ...]]], found: _Phrases, near: Matrix, nearness: Vector
) -> list[Gathered]:
    """Groups, the nearest to the draft last. A paper of no theme stands with those to which it is near enough; of the
    others those that are near each other make groups without a phrase, and single ones stand behind."""
    several = [(list(members), place) for place, members in themes]
    told = {i for members, _ in several for i in members}
    bars = [_inner(near, group) for group, _ in several]
    rest: list[int] = []
    for i in (i for i in range(len(near)) if i not in told):
        links = [float(near[i, list(members)].mean()) for _, members in themes]
        best = int(np.argmax([link - bar for link, bar in zip(links, bars, strict=True)])) if links else -1
        if links and links[best] >= bars[best] and len(several[best][0]) < _MOST:
            several[best][0].append(i)
        else:
            rest.append(i)
    floor = _inner(near, range(len(near)))
    groups = [[rest[i] for i in group] for group in _grouped(near[np.ix_(rest, rest)], floor)]
    several += [(group, -1) for group in groups if len(group) > 1]
    aside = sorted(group[0] for group in groups if len(group) == 1)
    made = []
    for group, name in several:
        closeness = float(np.sort(nearness[group])[-3:].mean())
        members = tuple(sorted(group))
        if name < 0:
            made.append((closeness, Gathered("", (), members)))
            continue
        using = tuple(i for i in members if i in found.users(name))
        closeness += 0.1 * float(found.near[name])
        made.append((closeness, Gathered(found.surface[found.keys[name]], using, members)))
    wide = _rest(aside, found, [found.keys[name] for _, name in several if name >= 0])
    return [
        *(strand for _, strand in sorted(made, key=lambda pair: pair[0])),
        *([wide] if aside or wide.phrase else []),
    ]


def _rest(aside: Sequence[int], found: _Phrases, taken: Sequence[str]) -> Gathered:
    """Papers of no strand; `phrase` is what most of all papers are about, and `using` all that use it."""
    wide = [
        (len(key.split()), float(found.near[place]), place)
        for place, key in enumerate(found.keys)
        if len(found.users(place)) > 0.5 * found.strength.shape[1] and key not in taken and " " in key
    ]
    if not wide:
        return Gathered("", (), tuple(aside))
    place = max(wide)[2]
    using = tuple(sorted(found.users(place)))
    return Gathered(found.surface[found.keys[place]], using, tuple(aside), general=True)
