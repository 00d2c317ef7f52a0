"""Which sentences of two versions of a text are one another's, changed or not."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from texgeist_latex.writing.sentences import Piece

_CITATION = re.compile(r"\\[A-Za-z]*[Cc]ite[A-Za-z]*\*?(?:\s*\[[^\[\]]*\])*\s*\{[^{}]*\}|\\[A-Za-z]+|[~{}]")
_WORD = re.compile(r"\w+")
LEAST = 0.5  # of likeness
_SAME_PAPERS = 0.6  # the likeness of sentences on the same papers that share no word: one retells the other
_LEAST_WORDS = 4  # of a part, so that it can be told whose part it is


def align(old: Sequence[Piece], new: Sequence[Piece]) -> dict[int, int]:
    """The place in `new` of every piece of `old` that stands there, changed or not, moved or not: each at one
    place, equal ones before like ones."""
    found = _equal(old, new)
    taken = set(found.values())
    left = [i for i, piece in enumerate(old) if i not in found and piece.kind == "sentence"]
    right = [j for j, piece in enumerate(new) if j not in taken and piece.kind == "sentence"]
    words = {id(piece): _words(piece) for piece in (*(old[i] for i in left), *(new[j] for j in right))}
    pairs = []
    for i in left:
        for j in right:
            alike = likeness(old[i], new[j], words[id(old[i])], words[id(new[j])])
            if alike >= LEAST:
                away = abs(i / len(old) - j / len(new))  # of two that are as like, the nearer
                pairs.append((-alike, away, i, j))
    for _, _, i, j in sorted(pairs):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def likeness(one: Piece, other: Piece, words: Counter[str], others: Counter[str]) -> float:
    """From 0 to 1: how many words they share, or how much of one is in the other; more for the same papers."""
    shared = (words & others).total()
    shorter = min(words.total(), others.total())
    dice = 2 * shared / max(words.total() + others.total(), 1)
    part = 0.9 * shared / shorter if shorter >= _LEAST_WORDS else 0.0
    if one.keys and one.keys == other.keys:
        return _SAME_PAPERS + (1 - _SAME_PAPERS) * dice
    if one.keys and other.keys and not one.keys & other.keys:
        return dice if dice >= 0.8 else 0.0  # of other papers: hardly the same, whatever the phrase
    return max(dice, part)


def _words(piece: Piece) -> Counter[str]:
    return Counter(_WORD.findall(_CITATION.sub(" ", piece.text).lower()))


def _equal(old: Sequence[Piece], new: Sequence[Piece]) -> dict[int, int]:
    """Equal ones in their order first, then those that were moved."""
    before, after = [piece.normal for piece in old], [piece.normal for piece in new]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    found = {
        a + step: b + step
        for a, b, size in matcher.get_matching_blocks()
        for step in range(size)
        if before[a + step]
    }
    places: dict[str, list[int]] = {}
    for j in sorted(set(range(len(new))) - set(found.values()), reverse=True):
        places.setdefault(after[j], []).append(j)
    for i, text in enumerate(before):
        if text and i not in found and places.get(text):
            found[i] = places[text].pop()
    return found
