"""Keyphrases that texts share: noun phrases found without a tagger.

Chunks between function words and verbs (as RAKE does, Rose et al. 2010), cut to phrases that end in a
noun; what several texts share is a theme.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from .grammar import KNOWN, MANNER, base
from .sentences import clean
from .vocabulary import (
    BLAND,
    BROAD_START,
    COUNTED,
    FUNCTION,
    GOOD_ING,
    ING_START,
    NAMES,
    NOT_HEAD,
    NOUNS_TOO,
    TAIL_VERBS,
    WIDE,
)


@dataclass(frozen=True, slots=True)
class Phrase:
    """`key` compares (lower case, last word in the singular); `surface` is how it reads mid-sentence."""

    key: str
    surface: str
    whole: bool = True  # it ends where its chunk ends: not the first half of a longer phrase


def phrases(text: str) -> list[Phrase]:
    """The noun phrases of a text, 1 to 4 words, with repetitions, in order."""
    found: list[Phrase] = []
    for chunk in re.split(r"[^\w\s’'/-]+|(?:^|\s)[-–—](?:\s|$)", clean(text)):
        for run in _runs(chunk.split()):
            found += _noun_phrases(run)
    return found


def _runs(tokens: Iterable[str]) -> list[list[str]]:
    runs: list[list[str]] = [[]]
    for token in tokens:
        token = re.sub(r"[’']s?$", "", token)
        if _splits(token):
            runs.append([])
        else:
            runs[-1].append(token)
    return [run for run in runs if run]


def _splits(token: str) -> bool:
    low = token.lower()
    if low in FUNCTION or low in MANNER or not re.search(r"[a-z]", low) or low.endswith("ly"):
        return True
    if low in GOOD_ING or low in NOUNS_TOO:
        return False
    verb = base(low)
    return low in KNOWN or (verb is not None and verb not in NOUNS_TOO)


def _noun_phrases(run: Sequence[str]) -> list[Phrase]:
    found = []
    for end in range(1, len(run) + 1):
        for start in range(max(0, end - 4), end):
            phrase = _phrase(run[start:end])
            if phrase:
                phrase = replace(phrase, whole=end == len(run))
                found.append(phrase)
    return found


def _phrase(tokens: Sequence[str]) -> Phrase | None:
    first, last = tokens[0].lower(), tokens[-1].lower()
    if NOT_HEAD.search(last) or last in TAIL_VERBS or (len(last) < 3 and not tokens[-1].isupper()):
        return None
    if (last.endswith("ing") and last not in GOOD_ING) or (
        first.endswith("ing") and len(tokens) > 1 and first not in ING_START
    ):
        return None
    if ("-" in last and last.split("-")[-1] not in GOOD_ING) or (
        first in BROAD_START and tokens[1:2] != ["language"]
    ):
        return None
    if re.search(r"^\d", first) or len(set(map(str.lower, tokens))) < len(tokens):
        return None
    return Phrase(_key(tokens), " ".join(mid_sentence(t) for t in tokens))


def _key(tokens: Sequence[str]) -> str:
    low = " ".join(tokens).lower().replace("-", " ")
    low = re.sub(r"(?<=[^s])ies$", "y", low) if low.endswith("ies") else re.sub(r"(?<=[^su])s$", "", low)
    return low.replace("isation", "ization").replace("modelling", "modeling").replace("ised ", "ized ")


def mid_sentence(token: str) -> str:
    """Capitals of titles are dropped, those of names and acronyms stay."""
    parts = token.split("-")
    if parts[0].lower() in NAMES:
        return token
    return "-".join(p.lower() if (p[1:] == p[1:].lower() and len(p) > 1) or p == "A" else p for p in parts)


def keys(text: str) -> frozenset[str]:
    return frozenset(p.key for p in phrases(text))


@dataclass(frozen=True, slots=True)
class Theme:
    """What a group of texts shares: `phrases` in words, `covers[i]` the texts that speak of phrase i."""

    phrases: tuple[str, ...]
    covers: tuple[frozenset[int], ...]
    size: int = 0  # texts in the group

    @property
    def loose(self) -> bool:
        """True when the phrases fit fewer than half of the texts."""
        return 2 * len(self.covered) < self.size

    @property
    def covered(self) -> frozenset[int]:
        return frozenset().union(*self.covers)


def theme(
    titles: Sequence[str], texts: Sequence[str], elsewhere: Sequence[str], draft: str, most: int = 2,
    taken: Iterable[str] = (), affinity: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> Theme:  # fmt: skip
    """The phrases that best say what the texts share, against the texts of other groups (`elsewhere`).

    Each must stand in at least two of the texts (in the one text, when there is one), each after the
    first must cover texts that the ones before do not, and none repeats one that is `taken`. `affinity`
    tells how near phrases are to the texts in meaning, about 0 to 1."""
    in_titles, in_texts = (
        [keys(t) for t in titles],
        [keys(f"{a}. {b}") for a, b in zip(titles, texts, strict=True)],
    )
    other = Counter(key for text in elsewhere for key in keys(text))
    surfaces, whole = _surfaces([*titles, *texts, draft])
    draft_keys = keys(draft)
    support = Counter(key for found in in_texts for key in found)
    least, used = min(2, len(texts)), [_bag(t) for t in taken]

    def scored(least: int) -> dict[str, float]:
        titled = {key: sum(key in t for t in in_titles) for key in support}
        return {
            key: _score(key, count, titled[key], other[key], len(texts), key in draft_keys)
            for key, count in support.items()
            if count >= least and tells(key, titled[key]) and whole[key] >= 0.5 and (count > 1 or titled[key])
            if not any(_repeats(_bag(key), bag) for bag in used)
        }

    scores = scored(least)
    if not scores:
        scores, most = scored(1), 1
    scores = _by_meaning(scores, surfaces, affinity)
    chosen: list[str] = []
    covers: list[frozenset[int]] = []
    while scores and len(chosen) < most:
        have = frozenset().union(*covers)
        key = max(scores, key=lambda k: (scores[k] * (1 + _fresh(k, in_texts, have)), k))
        if chosen and (
            _fresh(key, in_texts, have) == 0 or scores[key] < 0.3 * max(scores.values()) or " " not in key
        ):
            scores.pop(key)
            continue
        chosen.append(key)
        covers.append(frozenset(i for i, found in enumerate(in_texts) if key in found))
        scores = {k: v for k, v in scores.items() if not _bag(k) & _bag(key)}
    return Theme(tuple(surfaces[key] for key in chosen), tuple(covers), len(texts))


def _by_meaning(
    scores: dict[str, float],
    surfaces: dict[str, str],
    affinity: Callable[[Sequence[str]], Sequence[float]] | None,
) -> dict[str, float]:
    """The best by count, weighed by how near they are in meaning."""
    best = sorted(scores, key=lambda k: (-scores[k], k))[:_WEIGHED]
    if affinity is None or not best:
        return scores
    near = affinity([surfaces[key] for key in best])
    return {key: scores[key] * max(0.05, float(n)) ** 2 for key, n in zip(best, near, strict=True)}


_WEIGHED = 14  # phrases of one group whose meaning is looked at


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


def _fresh(key: str, in_texts: Sequence[frozenset[str]], have: frozenset[int]) -> int:
    return sum(key in found and i not in have for i, found in enumerate(in_texts))


def tells(key: str, titled: int = 1) -> bool:
    """True where a phrase says what a text is about; a single word must be long and in a title."""
    parts = key.split()
    if key in BLAND or key.removeprefix("large ") in BLAND:
        return False
    return (len(parts) > 1 and not all(p in WIDE for p in parts)) or (
        len(parts) == 1 and len(key) > 8 and titled > 0 and key not in WIDE
    )


def _score(key: str, support: int, titled: int, other: int, size: int, in_draft: bool) -> float:
    length = {1: 0.4, 2: 1.0, 3: 1.45, 4: 1.5}.get(len(key.split()), 1.3)
    contrast = support / size / (support / size + other / max(1, 3 * size))
    return (support + 0.8 * titled) * length * (0.35 + contrast) * (1.35 if in_draft else 1.0)


def _surfaces(texts: Sequence[str]) -> tuple[dict[str, str], dict[str, float]]:
    """The commonest way in which each phrase is written, mid-sentence, and how often it stands whole.

    A plural that is in use is preferred: "point clouds" can stand without an article."""
    counts: dict[str, Counter[str]] = {}
    whole: Counter[str] = Counter()
    for text in texts:
        for phrase in phrases(text):
            counts.setdefault(phrase.key, Counter())[phrase.surface] += 1
            whole[phrase.key] += phrase.whole
    surfaces = {}
    for key, found in counts.items():
        plural = {s: n for s, n in found.items() if s.lower().replace("-", " ") != key and s.endswith("s")}
        pool = plural if sum(plural.values()) >= 0.3 * found.total() else found
        best = max(pool, key=lambda s: (pool[s], s.islower(), s))
        surfaces[key] = f"{best}s" if best.split()[-1].lower() in COUNTED and pool is found else best
    return surfaces, {key: whole[key] / found.total() for key, found in counts.items()}


def surface(key: str, text: str) -> str:
    """How the text writes the phrase, mid-sentence."""
    return next((p.surface for p in phrases(text) if p.key == key), key)
