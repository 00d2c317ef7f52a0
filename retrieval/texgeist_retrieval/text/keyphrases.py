"""Finds noun phrases, to compare texts by the phrases that they share. No tagger is needed: a phrase is a
part of the text between function words and verbs (as in RAKE, Rose et al. 2010) that ends in a noun."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from .sentences import clean
from .vocabulary import (
    BLAND,
    BROAD_START,
    COUNTED,
    FUNCTION,
    GOOD_ING,
    NAMES,
    NOT_HEAD,
    VERBS,
    WIDE,
)


def _third_person(verb: str) -> str:
    """The verb in the third person: propose -> proposes, identify -> identifies, address -> addresses."""
    if re.search(r"[^aeiou]y$", verb):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|sh|ch|x|z)$", verb) else "s")


_THIRD_PERSON = frozenset(map(_third_person, VERBS))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A noun phrase. `key`: the form for comparison (lower case, last word singular); `surface`: the form
    that the phrase has in the middle of a sentence."""

    key: str
    surface: str
    whole: bool = True  # the phrase is not only the beginning of a longer phrase


@lru_cache(maxsize=256)  # texts are compared repeatedly
def phrases(text: str) -> tuple[Phrase, ...]:
    """The noun phrases of a text, of 1 to 4 words, in the text's order and with repetitions."""
    found: list[Phrase] = []
    for chunk in re.split(r"[^\w\s’'/-]+|(?:^|\s)[-–—](?:\s|$)", clean(text)):
        for run in _runs(chunk.split()):
            found += _noun_phrases(run)
    return tuple(found)


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
    if low in FUNCTION or not re.search(r"[a-z]", low) or low.endswith("ly"):
        return True
    if low in GOOD_ING:
        return False
    return low in VERBS or low in _THIRD_PERSON


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
    if NOT_HEAD.search(last) or (len(last) < 3 and not tokens[-1].isupper()):
        return None
    if (last.endswith("ing") and last not in GOOD_ING) or (
        first.endswith("ing") and len(tokens) > 1 and first not in GOOD_ING
    ):
        return None
    if ("-" in last and last.split("-")[-1] not in GOOD_ING) or (
        first in BROAD_START and tokens[1:2] != ["language"]
    ):
        return None
    if any(len(t) == 1 for t in tokens):
        return None
    if re.search(r"^\d", first) or len(set(map(str.lower, tokens))) < len(tokens):
        return None
    return Phrase(_key(tokens), " ".join(mid_sentence(t) for t in tokens))


def _key(tokens: Sequence[str]) -> str:
    low = " ".join(tokens).lower().replace("-", " ")
    low = re.sub(r"(?<=[^s])ies$", "y", low) if low.endswith("ies") else re.sub(r"(?<=[^su])s$", "", low)
    return low.replace("isation", "ization").replace("modelling", "modeling").replace("ised ", "ized ")


def mid_sentence(token: str) -> str:
    """The word in lower case if it is capitalised as in a title; names and acronyms stay unchanged."""
    parts = token.split("-")
    if parts[0].lower() in NAMES:
        return token
    return "-".join(p.lower() if (p[1:] == p[1:].lower() and len(p) > 1) or p == "A" else p for p in parts)


def keys(text: str) -> frozenset[str]:
    return frozenset(p.key for p in phrases(text))


def tells(key: str, titled: int = 1) -> bool:
    """Whether the phrase with this key is specific to a subject. A single word must also be long and occur in
    a title. `titled`: the number of titles that contain the phrase."""
    parts = key.split()
    if key in BLAND or key.removeprefix("large ") in BLAND:
        return False
    return (len(parts) > 1 and not all(p in WIDE for p in parts)) or (
        len(parts) == 1 and len(key) > 8 and titled > 0 and key not in WIDE
    )


def surfaces(texts: Sequence[str]) -> tuple[dict[str, str], dict[str, float]]:
    """Two results by the key of each phrase: its most frequent form in the middle of a sentence, and the
    share of its occurrences that are whole (see `Phrase`). A plural is preferred if it is common, because
    "point clouds" needs no article."""
    counts: dict[str, Counter[str]] = {}
    whole: Counter[str] = Counter()
    for text in texts:
        for phrase in phrases(text):
            counts.setdefault(phrase.key, Counter())[phrase.surface] += 1
            whole[phrase.key] += phrase.whole
    chosen = {}
    for key, found in counts.items():
        plural = {s: n for s, n in found.items() if s.lower().replace("-", " ") != key and s.endswith("s")}
        pool = plural if sum(plural.values()) >= 0.3 * found.total() else found
        best = max(pool, key=lambda s: (pool[s], s.islower(), s))
        chosen[key] = without_article(best) if pool is found else best
    return chosen, {key: whole[key] / found.total() for key, found in counts.items()}


def without_article(phrase: str) -> str:
    """A form of the phrase that needs no article: the plural if the phrase is countable ("annotated corpora"
    for "annotated corpus"), else the phrase."""
    if phrase.split()[-1].lower() not in COUNTED:
        return phrase
    return f"{phrase[:-2]}ora" if phrase.endswith("corpus") else f"{phrase}s"
