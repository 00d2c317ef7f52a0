"""What a group of papers is about, in one or two phrases that their texts use themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ...types import Matrix
from .naming import title_names
from .phrases import keys, surfaces, tells

Affinity = Callable[[Sequence[str]], Matrix]  # phrases -> [phrases, texts + the draft], cosines

_SHARED, _SINGLE = 14, 10  # phrases of one group whose meaning is looked at
_FEW = 3  # papers of a group that is small
# Cosines from which a phrase speaks for its group: one that several texts use, by its mean; one that a
# single text uses, by its least and its mean; either to the draft.
_NEAR_SHARED, _NEAR_ALL, _NEAR_MEAN, _NEAR_DRAFT = 0.28, 0.24, 0.40, 0.20


@dataclass(frozen=True, slots=True)
class Theme:
    """`phrases` as they read mid-sentence; `covers[i]` are the texts that use phrase i."""

    phrases: tuple[str, ...]
    covers: tuple[frozenset[int], ...]
    size: int = 0  # texts in the group

    @property
    def loose(self) -> bool:
        """True when the phrases stand in no more than half of the texts."""
        return 2 * len(frozenset().union(*self.covers)) <= self.size


@dataclass(frozen=True, slots=True)
class _Counts:
    texts: tuple[frozenset[str], ...]  # keys of each text of the group
    titles: Counter[str]
    support: Counter[str]
    elsewhere: Counter[str]
    draft: frozenset[str]

    def score(self, key: str) -> float:
        """By how many texts and titles use the phrase, and other groups do not."""
        size, support, other = len(self.texts), self.support[key], self.elsewhere[key]
        length = {1: 0.4, 2: 1.0, 3: 1.45, 4: 1.5}.get(len(key.split()), 1.3)
        share = support / size / (support / size + other / max(1, 3 * size))
        return (
            (support + 0.8 * self.titles[key])
            * length
            * (0.35 + share)
            * (1.35 if key in self.draft else 1.0)
        )


def theme(
    titles: Sequence[str], texts: Sequence[str], elsewhere: Sequence[str], draft: str, affinity: Affinity,
    taken: Iterable[str] = (), most: int = 2,
) -> Theme:  # fmt: skip
    """The phrases that best say what the texts share, against the texts of other groups (`elsewhere`).

    A phrase stands in at least two of the texts, or in one title or the draft and is near to all texts in
    meaning. Each after the first covers texts that the ones before do not; none repeats one `taken`."""
    counts = _count(titles, texts, elsewhere, draft)
    written, whole = surfaces([*titles, *texts, draft])
    used = [_bag(phrase) for phrase in taken]
    names = [_bag(name) for title in titles for name in title_names(title)]
    free = [
        key
        for key in counts.support
        if whole[key] >= 0.5
        and tells(key, counts.titles[key])
        and not any(_repeats(_bag(key), b) for b in [*used, *names])
    ]
    chosen = _cover(_weighed(free, counts, written, affinity), counts, most)
    covers = tuple(frozenset(i for i, found in enumerate(counts.texts) if key in found) for key in chosen)
    return Theme(tuple(written[key] for key in chosen), covers, len(texts))


def _count(titles: Sequence[str], texts: Sequence[str], elsewhere: Sequence[str], draft: str) -> _Counts:
    found = tuple(keys(f"{title}. {text}") for title, text in zip(titles, texts, strict=True))
    return _Counts(
        found,
        Counter(key for title in titles for key in keys(title)),
        Counter(key for text in found for key in text),
        Counter(key for text in elsewhere for key in keys(text)),
        keys(draft),
    )


def _weighed(
    free: Sequence[str], counts: _Counts, written: dict[str, str], affinity: Affinity
) -> dict[str, float]:
    """Scores by count, times the square of the mean nearness in meaning."""
    ordered = sorted(free, key=lambda key: (-counts.score(key), key))
    shared = [key for key in ordered if counts.support[key] > 1][:_SHARED]
    single = [
        key
        for key in ordered
        if counts.support[key] == 1 and (counts.titles[key] or key in counts.draft) and " " in key
    ][:_SINGLE]
    if not shared and not single:
        return {}
    near, drafted = np.split(affinity([written[key] for key in [*shared, *single]]), [-1], axis=1)
    means = near.mean(axis=1)
    fits = means >= np.where(np.arange(len(near)) < len(shared), _NEAR_SHARED, _NEAR_MEAN)
    fits[len(shared) :] &= near[len(shared) :].min(axis=1) >= _NEAR_ALL
    if len(counts.texts) <= _FEW:  # each of a few papers may be named by its own title
        fits[len(shared) :] = [bool(counts.titles[key]) for key in single]
    fits &= drafted[:, 0] >= _NEAR_DRAFT
    means = np.maximum(means, 0.05) * np.sqrt(0.3 + np.maximum(drafted[:, 0], 0.0))
    return {
        key: counts.score(key) * float(mean) ** 2
        for key, mean, fit in zip([*shared, *single], means, fits, strict=True)
        if fit
    }


def _cover(scores: dict[str, float], counts: _Counts, most: int) -> list[str]:
    """Greedily: the best, then the best of those that cover texts not covered yet."""
    chosen: list[str] = []
    covered: frozenset[int] = frozenset()
    while scores and len(chosen) < most:
        fresh = {
            key: sum(key in t and i not in covered for i, t in enumerate(counts.texts)) for key in scores
        }
        key = max(scores, key=lambda k: (scores[k] * (1 + fresh[k]), k))
        least = 1 if len(counts.texts) <= _FEW else 2
        weak = fresh[key] == 0 or counts.support[key] < least or " " not in key
        if chosen and (weak or scores[key] < 0.3 * max(scores.values())):
            scores.pop(key)
            continue
        chosen.append(key)
        covered |= {i for i, found in enumerate(counts.texts) if key in found}
        scores = {k: v for k, v in scores.items() if not _bag(k) & _bag(key)}
    return chosen


def _bag(phrase: str) -> frozenset[str]:
    """The words of a phrase, and the acronyms that its first words would make ("ood")."""
    parts = [word.rstrip("s") for word in phrase.lower().replace("-", " ").split()]
    initials = "".join(part[:1] for part in parts)
    return frozenset(parts + [initials[:n] for n in range(2, len(parts) + 1)])


def _repeats(one: frozenset[str], other: frozenset[str]) -> bool:
    """True where one of the two says no more than the other, or nearly."""
    return len(one & other) >= min(_size(one), _size(other)) or len(one & other) / len(one | other) >= 0.6


def _size(bag: frozenset[str]) -> int:
    """How many words the phrase of a bag had."""
    return (len(bag) + 1) // 2 if len(bag) > 1 else 1
