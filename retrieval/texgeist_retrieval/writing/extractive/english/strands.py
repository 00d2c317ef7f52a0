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

_MOST, _FEWEST = 4, 2  # strands of a section; papers that use the phrase of one
_WIDEST = 0.7  # share of all papers beyond which a phrase is the subject of the whole section
_ASIDE = 0.12  # how much farther from a strand than its own papers another may be
_NEAR = 0.25  # cosine to the draft below which a shared phrase is not worth a word
_TRIED = 60  # phrases that are weighed by their vectors


@dataclass(frozen=True, slots=True)
class Gathered:
    """`phrase` reads mid-sentence, "" for papers that share none; `using` are those members that use it."""

    phrase: str
    using: tuple[int, ...]
    members: tuple[int, ...]
    shared: str = ""  # a further phrase, of some of the members
    sharing: tuple[int, ...] = ()


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
    found = _Phrases(titles, texts, draft, embedder, vectors, focus)
    strands = _chosen(found, count)
    if not strands:
        return [Gathered("", (), tuple(range(count)))]
    return _placed(strands, found, vectors, focus)


class _Phrases:
    """The phrases that papers share, and how strongly each paper uses them."""

    def __init__(
        self,
        titles: Sequence[str],
        texts: Sequence[str],
        draft: str,
        embedder: Embedder,
        vectors: Matrix,
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
            if n >= _FEWEST and " " in key and whole[key] >= 0.5 and tells(key, 1) and not names & set(key.split())
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


def _chosen(found: _Phrases, count: int) -> list[int]:
    """Phrases that cover many papers, are near to the draft, and do not say each other again."""
    chosen: list[int] = []
    covered: set[int] = set()
    while len(chosen) < _MOST:
        best, worth = -1, 0.0
        for place, key in enumerate(found.keys):
            users = found.users(place)
            fresh = set(users - covered)
            if len(fresh) < _FEWEST or len(users) > max(_WIDEST * count, 4) or place in chosen:
                continue
            if any(_repeats(key, found.keys[c], fresh) for c in chosen):
                continue
            if _says_more(key, fresh, found):
                continue
            gain = len(fresh) ** 0.4 * max(float(found.near[place]), 0.0) ** 2 * (1 + 0.1 * len(key.split()))
            if gain > worth:
                best, worth = place, gain
        if best < 0:
            break
        chosen.append(best)
        covered |= found.users(best)
    return chosen


def _repeats(key: str, other: str, fresh: set[int]) -> bool:
    """Whether the one says no more than the other; a wider subject may follow for three papers of its own."""
    ours, theirs = set(key.split()), set(other.split())
    return theirs <= ours or (ours < theirs and len(fresh) < 3)


def _says_more(key: str, fresh: set[int], found: _Phrases) -> bool:
    """Whether a longer phrase with these words is used by nearly the same papers."""
    longer = (n for n, other in enumerate(found.keys) if set(key.split()) < set(other.split()))
    return any(5 * len(found.users(n) & fresh) >= 4 * len(fresh) for n in longer)


def _placed(strands: Sequence[int], found: _Phrases, vectors: Matrix, focus: Vector) -> list[Gathered]:
    """Every paper in the strand whose phrase it uses most, else in that of its nearest papers."""
    users = [found.users(s) for s in strands]
    home: dict[int, int] = {}
    for i in range(len(vectors)):
        own = [n for n in range(len(strands)) if i in users[n]]
        if own:
            home[i] = max(own, key=lambda n: (found.strength[strands[n]][i] - 0.05 * len(users[n]), -n))
    centres = np.stack([vectors[sorted(u)].mean(axis=0) for u in users])
    near = vectors @ centres.T
    close = [float(near[sorted(u), n].mean()) - _ASIDE for n, u in enumerate(users)]
    for i in range(len(vectors)):
        mentioned = [n for n, strand in enumerate(strands) if found.strength[strand][i] > 0]
        best = max(mentioned or range(len(strands)), key=lambda n: float(near[i, n]))
        if i not in home and (mentioned or near[i, best] >= close[best]):
            home[i] = best
    aside = tuple(i for i in range(len(vectors)) if i not in home)
    made = []
    said = [found.keys[s] for s in strands]
    for n, strand in enumerate(strands):
        members = tuple(i for i in range(len(vectors)) if home.get(i) == n)
        using = tuple(i for i in members if i in users[n])
        if len(using) > 1:
            shared, sharing = _in_common(members, found, said)
            said += [shared] if shared else []
            phrase = found.surface[found.keys[strand]]
            made.append(Gathered(phrase, using, members, found.surface.get(shared, ""), sharing))
        else:
            aside += members
    rest = [Gathered("", (), aside)] if aside else []
    return [*sorted(made, key=lambda g: float((vectors[list(g.using or g.members)] @ focus).mean())), *rest]


def _in_common(members: Sequence[int], found: _Phrases, said: Sequence[str]) -> tuple[str, tuple[int, ...]]:
    """Another phrase of two members and more, but not of all, that says nothing again."""
    best: tuple[float, str, tuple[int, ...]] = (0.0, "", ())
    if len(members) < 4:
        return best[1:]
    taken = {word for key in said for word in key.split()}
    for place, key in enumerate(found.keys):
        users = tuple(i for i in members if i in found.users(place))
        titled = any(found.strength[place][i] >= 1.0 for i in users)
        if not 2 <= len(users) <= len(members) // 2 or len(users) > 3 or not titled:
            continue
        if 3 * int((found.strength[place] > 0).sum()) > found.strength.shape[1]:
            continue  # most papers mention it
        if set(key.split()) & taken or found.near[place] < _NEAR:
            continue
        best = max(best, (len(users) * max(float(found.near[place]), 0.0), key, users))
    return best[1:]
