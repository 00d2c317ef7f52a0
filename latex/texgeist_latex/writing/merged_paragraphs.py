"""Paragraphs that nobody touched are taken as they are newly written, whole: a writer that groups the papers
anew means its sentences to stand together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from texgeist_latex.writing.sentences import Piece, joined, paragraphs

Node = tuple[str, int]  # "base", "theirs" or "new", and the number of its paragraph


@dataclass(frozen=True, slots=True)
class Whole:
    """`at`: what takes the place of a paragraph that stands (none: it goes), `home`: where a new one went."""

    at: dict[int, list[int]] = field(default_factory=dict)
    home: dict[int, int] = field(default_factory=dict)


def regrouped(
    base: Sequence[Piece],
    theirs: Sequence[Piece],
    new: Sequence[Piece],
    standing: Mapping[int, int],
    retold: Mapping[int, int],
    may_come: Callable[[int], bool],
) -> Whole:
    """The paragraphs of groups (those that share sentences, by way of the text as it was written) in which
    every paragraph stands as it was written, and every new sentence may come."""
    olds, stands, news = paragraphs(base), paragraphs(theirs), paragraphs(new)
    old_of, stand_of, new_of = _by_piece(olds), _by_piece(stands), _by_piece(news)
    groups = _Groups()
    for i, j in standing.items():
        if theirs[j].text:
            groups.unite(("base", old_of[i]), ("theirs", stand_of[j]))
    for i, k in retold.items():
        if new[k].text:
            groups.unite(("base", old_of[i]), ("new", new_of[k]))
    whole = Whole()
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
    """Whether the paragraph stands as it was written, line for line."""
    places = [standing.get(i) for i in old]
    first = places[0]
    return (
        first is not None
        and places == stands[stand_of[first]]
        and _lines(base, old) == _lines(theirs, stands[stand_of[first]])
    )


def _lines(pieces: Sequence[Piece], place: list[int]) -> list[str]:
    return [line.rstrip() for line in joined(pieces[n] for n in place).strip().splitlines()]


def _by_piece(places: list[list[int]]) -> dict[int, int]:
    return {piece: number for number, place in enumerate(places) for piece in place}


class _Groups:
    """Disjoint sets, by union."""

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
