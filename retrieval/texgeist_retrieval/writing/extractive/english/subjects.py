"""What a group of papers is about, in a phrase that their texts and the draft use themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .keyphrases import keys, surfaces, tells
from .naming import title_names


@dataclass(frozen=True, slots=True)
class Theme:
    """`phrases` as they read mid-sentence; `covers[i]` are the texts that use phrase i."""

    phrases: tuple[str, ...]
    covers: tuple[frozenset[int], ...]
    size: int = 0  # texts in the group


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
        return (support + 0.8 * self.titles[key]) * length * (0.35 + share)


def theme(
    titles: Sequence[str],
    texts: Sequence[str],
    elsewhere: Sequence[str],
    draft: str,
    taken: Iterable[str] = (),
) -> Theme:
    """The phrase that best says what the texts share, against the texts of other groups (`elsewhere`).

    More than half of the texts, at least two, use it themselves, and so does the draft; where there is none,
    half of the texts do, whatever the draft says. It repeats none `taken`. Without such a phrase the theme
    has none."""
    counts = _count(titles, texts, elsewhere, draft)
    written, whole = surfaces([*titles, *texts, draft])
    used = [_bag(phrase) for phrase in taken]
    names = [_bag(name) for title in titles for name in title_names(title)]
    free = [
        key
        for key, support in counts.support.items()
        if " " in key
        and whole[key] >= 0.5
        and support > 1
        and 2 * support >= len(texts)
        and tells(key, counts.titles[key])
        and not any(_repeats(_bag(key), b) for b in [*used, *names])
    ]
    shared = [key for key in free if key in counts.draft and 2 * counts.support[key] > len(texts)]
    if not free:
        return Theme((), (), len(texts))
    best = max(shared or free, key=lambda key: (counts.score(key), key))
    return Theme(
        (written[best],), (frozenset(i for i, t in enumerate(counts.texts) if best in t),), len(texts)
    )


def _count(titles: Sequence[str], texts: Sequence[str], elsewhere: Sequence[str], draft: str) -> _Counts:
    found = tuple(keys(f"{title}. {text}") for title, text in zip(titles, texts, strict=True))
    return _Counts(
        found,
        Counter(key for title in titles for key in keys(title)),
        Counter(key for text in found for key in text),
        Counter(key for text in elsewhere for key in keys(text)),
        keys(draft),
    )


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
