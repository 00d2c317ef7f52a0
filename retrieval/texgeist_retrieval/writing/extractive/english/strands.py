"""Papers by the strands that they share: a phrase that several of them use, and that the draft is near to.

A strand is named only after papers whose title or abstract has its phrase; the others of its paragraph are there
because they are closest to these, and nothing is said of them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....ports import Embedder
from ....types import Matrix, Vector
from .keyphrases import keys, phrases, surfaces, tells
from .naming import title_names
from .vocabulary import COMMON

_FEWEST = 2  # papers that use the phrase of a strand
_EACH = 5.5  # papers of a strand, about
_SHARED = 0.15  # of cosine, that a phrase in common is worth
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
    groups = _grouped(near)
    return _placed(groups, _named(groups, found), found, near, vectors @ focus)


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
            if n >= _FEWEST and (" " in key or len(key) > 8) and key not in COMMON and whole[key] >= 0.34 and tells(key, 1) and not names & set(key.split())
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
            self.near = rows @ focus + 0.15 * np.array([k in drafted for k in self.keys])

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


def _grouped(near: Matrix) -> list[list[int]]:
    """Papers that are nearer to each other than papers here are on the average, joined by average linkage."""
    count = len(near)
    floor = float((near.sum() - np.trace(near)) / (count * (count - 1)))
    groups = [[i] for i in range(count)]
    widest = max(6, -(-count // 3))
    while len(groups) > max(2, round(count / _EACH)):
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


def _named(groups: Sequence[Sequence[int]], found: _Phrases) -> list[int]:
    """For each group the place of its phrase, -1 where none tells it from the others; none says another again.
    First what stands in titles and is used by many of the group; then, for the others, what some of it use."""
    names = [-1] * len(groups)
    for share, titles in ((0.34, 1), (0.25, 0)):
        worth = [
            row for g, group in enumerate(groups) if names[g] < 0 for row in _worths(g, group, found, share, titles)
        ]  # fmt: skip
        for _, g, place in sorted(worth, reverse=True):
            words = set(found.keys[place].split())
            taken = [set(found.keys[p].split()) for p in names if p >= 0]
            using = len(found.users(place) & set(groups[g]))
            if names[g] < 0 and not any(words == other or (words < other and using < 3) for other in taken):
                names[g] = place
    return names


def _worths(
    g: int, group: Sequence[int], found: _Phrases, share: float, titles: int
) -> list[tuple[float, int, int]]:
    rest = [i for i in range(found.strength.shape[1]) if i not in group]
    worth = []
    for place, key in enumerate(found.keys):
        own = found.strength[place][list(group)]
        inside = float((own > 0).mean())
        outside = float((found.strength[place][rest] > 0).mean()) if rest else 0.0
        using, titled = int((own >= 0.6).sum()), int((own >= 1.0).sum())
        if using < _FEWEST or titled < titles or inside < share or inside < 1.5 * outside:
            continue
        same = found.users(place) & set(group)
        longer = (n for n, other in enumerate(found.keys) if set(key.split()) < set(other.split()))
        if any(found.users(n) & set(group) >= same for n in longer):
            continue  # a longer phrase of the same papers says more
        if " " not in key and (titles or titled < _FEWEST):
            continue
        length = 0.1 * (min(len(key.split()), 3) - 2)
        value = inside - outside + 0.6 * float(found.near[place]) + 0.3 * titled / len(group) + length
        worth.append((value, g, place))
    return worth


def _inner(near: Matrix, group: Sequence[int]) -> float:
    """How near the papers of a group are to each other, on the average."""
    size = len(group)
    inner = near[np.ix_(group, group)]
    return float((inner.sum() - np.trace(inner)) / (size * (size - 1))) if size > 1 else 1.0


def _placed(
    groups: Sequence[list[int]], names: Sequence[int], found: _Phrases, near: Matrix, nearness: Vector
) -> list[Gathered]:
    """Groups with a name, the nearest to the draft last; papers of the others in that to which they are near
    enough, else behind, without one."""
    named = [(list(group), name) for group, name in zip(groups, names, strict=True) if name >= 0]
    aside: list[int] = []
    bars = [_inner(near, group) for group, _ in named]
    for i in sorted(i for group, name in zip(groups, names, strict=True) if name < 0 for i in group):
        links = [
            float(near[i, group].mean()) - 0.9 * bar for (group, _), bar in zip(named, bars, strict=True)
        ]
        best = int(np.argmax(links)) if links else -1
        users = [n for n, (_, name) in enumerate(named) if i in found.users(name)]
        if users or (links and links[best] >= 0):
            named[users[0] if users else best][0].append(i)
        else:
            aside.append(i)
    made = []
    for group, name in named:
        using = tuple(i for i in sorted(group) if i in found.users(name))
        closeness = float(np.sort(nearness[group])[-3:].mean()) + 0.1 * float(found.near[name])
        made.append((closeness, Gathered(found.surface[found.keys[name]], using, tuple(sorted(group)))))
    rest = [_rest(aside, found, [found.keys[name] for _, name in named])] if aside else []
    return [*(strand for _, strand in sorted(made, key=lambda pair: pair[0])), *rest]


def _rest(aside: Sequence[int], found: _Phrases, taken: Sequence[str]) -> Gathered:
    """Papers of no strand; `phrase` is what most of all papers are about, where several of these use it."""
    wide = [
        (len(key.split()), float(found.near[place]), place)
        for place, key in enumerate(found.keys)
        if len(found.users(place)) > 0.5 * found.strength.shape[1]
        and len(found.users(place) & set(aside)) >= max(2, len(aside) / 2)
        and key not in taken
        and " " in key
    ]
    if not wide:
        return Gathered("", (), tuple(aside))
    place = max(wide)[2]
    using = tuple(i for i in aside if i in found.users(place))
    return Gathered(found.surface[found.keys[place]], using, tuple(aside), general=True)
