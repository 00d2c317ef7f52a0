"""Aligns the equal and similar sentences of two versions of a text, and finds paragraphs that the author has
not changed. Such paragraphs are replaced as a whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from texgeist_latex.tex.sentences import Piece, joined, paragraphs

_CITATION = re.compile(r"\\[A-Za-z]*[Cc]ite[A-Za-z]*\*?(?:\s*\[[^\[\]]*\])*\s*\{[^{}]*\}|\\[A-Za-z]+|[~{}]")
_WORD = re.compile(r"\w+")
LEAST = 0.5  # minimal similarity of aligned sentences
_SAME_PAPERS = 0.6  # the similarity of sentences that cite the same papers and share no word
_LEAST_WORDS = 4  # words that a part of a sentence needs to identify it


def align(old: Sequence[Piece], new: Sequence[Piece]) -> dict[int, int]:
    """Maps the index of each piece of `old` to the index of its counterpart in `new`, which may be changed or
    moved. Pieces without a counterpart are left out. Each piece is used once; equal pieces are matched before
    similar ones."""
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
                away = abs(i / len(old) - j / len(new))  # of equally similar pairs, the nearer is used
                pairs.append((-alike, away, i, j))
    for _, _, i, j in sorted(pairs):
        if i not in found and j not in taken:
            found[i] = j
            taken.add(j)
    return found


def likeness(one: Piece, other: Piece, words: Counter[str], others: Counter[str]) -> float:
    """Similarity from 0 to 1: the share of common words, or the share of one sentence that the other
    contains. It is higher if both cite the same papers."""
    shared = (words & others).total()
    shorter = min(words.total(), others.total())
    dice = 2 * shared / max(words.total() + others.total(), 1)
    part = 0.9 * shared / shorter if shorter >= _LEAST_WORDS else 0.0
    if one.keys and one.keys == other.keys:
        return _SAME_PAPERS + (1 - _SAME_PAPERS) * dice
    if one.keys and other.keys and not one.keys & other.keys:
        return dice if dice >= 0.8 else 0.0  # other papers: rarely the same sentence
    return max(dice, part)


def _words(piece: Piece) -> Counter[str]:
    return Counter(_WORD.findall(_CITATION.sub(" ", piece.text).lower()))


def _equal(old: Sequence[Piece], new: Sequence[Piece]) -> dict[int, int]:
    """Matches equal pieces, first those in the same order, then moved ones."""
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


Node = tuple[str, int]  # "base", "theirs" or "new", and the number of a paragraph in it


@dataclass(frozen=True, slots=True)
class Regrouped:
    """The paragraphs that are replaced as a whole. `at`: for a current paragraph, the new paragraphs that
    replace it (if empty, it is removed); `home`: for a new paragraph, the current paragraph that it
    replaces."""

    at: dict[int, list[int]] = field(default_factory=dict)
    home: dict[int, int] = field(default_factory=dict)


def regrouped(
    base: Sequence[Piece],
    theirs: Sequence[Piece],
    new: Sequence[Piece],
    standing: Mapping[int, int],
    retold: Mapping[int, int],
    may_come: Callable[[int], bool],
) -> Regrouped:
    """Groups the paragraphs of the current text `theirs` and of `new` that come from the same sentences of
    the generated text `base`. Returns the groups in which every current paragraph is unchanged and every new
    sentence may be used (`may_come`). `standing` and `retold` map pieces of `base` to pieces of `theirs` and
    of `new`."""
    olds, stands, news = paragraphs(base), paragraphs(theirs), paragraphs(new)
    old_of, stand_of, new_of = _by_piece(olds), _by_piece(stands), _by_piece(news)
    groups = _Groups()
    for i, j in standing.items():
        if theirs[j].text:
            groups.unite(("base", old_of[i]), ("theirs", stand_of[j]))
    for i, k in retold.items():
        if new[k].text:
            groups.unite(("base", old_of[i]), ("new", new_of[k]))
    whole = Regrouped()
    for group in groups.all():
        own = {kind: sorted(n for name, n in group if name == kind) for kind in ("base", "theirs", "new")}
        same = len(own["base"]) == len(own["theirs"]) and all(
            _same(base, olds[q], theirs, standing, stands, stand_of) for q in own["base"]
        )
        if not (own["theirs"] and own["new"] and same):
            continue
        if not all(may_come(k) for r in own["new"] for k in news[r]):
            continue
        for p in own["theirs"]:
            whole.at[p] = []
        origins = {k: stand_of[standing[i]] for i, k in retold.items() if i in standing}
        for r in own["new"]:
            shared = Counter(origins[k] for k in news[r] if k in origins)
            home = min(shared, key=lambda p: (-shared[p], p))
            whole.at[home].append(r)
            whole.home[r] = home
    return whole


def _same(
    base: Sequence[Piece],
    old: list[int],
    theirs: Sequence[Piece],
    standing: Mapping[int, int],
    stands: list[list[int]],
    stand_of: Mapping[int, int],
) -> bool:
    """Whether the paragraph `old` of `base` is unchanged in `theirs`, line by line."""
    places = [standing.get(i) for i in old]
    first = places[0]
    return (
        first is not None
        and places == stands[stand_of[first]]
        and _lines(base, old) == _lines(theirs, stands[stand_of[first]])
    )


def _lines(pieces: Sequence[Piece], place: list[int]) -> list[str]:
    return [line.rstrip() for line in joined(pieces[n] for n in place).strip().split("\n")]


def _by_piece(places: list[list[int]]) -> dict[int, int]:
    return {piece: number for number, place in enumerate(places) for piece in place}


class _Groups:
    """Disjoint sets of paragraphs, with an operation that unites two sets."""

    def __init__(self) -> None:
        self._above: dict[Node, Node] = {}

    def unite(self, one: Node, other: Node) -> None:
        self._above[self._top(one)] = self._top(other)

    def _top(self, node: Node) -> Node:
        self._above.setdefault(node, node)
        while self._above[node] != node:
            node = self._above[node]
        return node

    def all(self) -> list[set[Node]]:
        found: dict[Node, set[Node]] = {}
        for node in self._above:
            found.setdefault(self._top(node), set()).add(node)
        return list(found.values())
