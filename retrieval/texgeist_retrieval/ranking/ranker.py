"""The order of the candidates, and why: every candidate carries its score's parts by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..types import Candidate, Matrix, Query, Vector
from .depth import at_depth, feedback
from .features import NEIGHBOURS, Parts, Pool, Signals, features, signals
from .phrases import phrase_parts
from .pools import as_pool, ordered, usable
from .relevance_feedback import POSITIVES, positives
from .storage import load_parts, load_trees
from .trees import Trees

POOL = 200  # how many candidates are put in order
FACET_ROWS = 2  # rows that the facets are gathered into before a search


@dataclass(frozen=True)
class LearnedRanker:
    """Implements `ports.Ranker`. `parts` make the features, `trees` weigh them."""

    parts: Parts
    trees: Trees

    @classmethod
    def load(cls, folder: Path | None = None) -> LearnedRanker:
        """With the weights in `folder`, or those that texgeist ships. Raises `BadWeights`."""
        return cls(load_parts(folder), load_trees(folder))

    def search_rows(self, query: Vector) -> Matrix:
        """What to search an index with beside the query itself, to have the papers that this ranker would
        put first among the candidates: the adapter's facets, unit rows, the most alike made one.

        A local index takes as long for a row as for the whole ranking. On `dev`, 100 papers a row and 100
        by their words, recall at 20 is 39.1 with all four facets and 38.8 with two rows, of papers that no
        training paper cites 40.6 and 41.1."""
        return gathered(self.parts.adapter.facets(query), FACET_ROWS)

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Best first, `score` and `scores` set. The best `POOL` of the first order are put in order: so many
        the trees were trained with, and what they ask is how a candidate stands among the others. The rest
        follow in the first order, then those without a vector, or with one of another model's length, in
        the order given."""
        size = self.parts.adapter.dimension
        known, rest = usable(candidates, size)
        if len(known) < 2 or asked.size != size:
            return list(candidates)
        pool, text = as_pool(known), _text(query)
        raw = signals(asked, text, pool, self.parts)
        first = np.argsort(-raw.order(), kind="stable")
        known, inner = [known[i] for i in first], first[:POOL]
        cited = np.array([c.already_cited for c in known[:POOL]])
        scored = self.score(asked, text, pool.part(inner), cited, raw.part(inner))
        return [*ordered(known[:POOL], scored), *known[POOL:], *rest]

    def score(
        self,
        query: Vector,
        text: str,
        pool: Pool,
        cited: np.ndarray | None = None,
        known: Signals | None = None,
    ) -> dict[str, Vector]:
        """The parts of the score by feature, one entry a candidate. `cited`: flags of those that the draft
        cites already, which serve as examples of what it wants. `known`: as of `features`."""
        found = features(query, text, pool, self.parts, known)
        parts = at_depth(self.trees.parts(found), found)
        parts[NEIGHBOURS] = parts[NEIGHBOURS] + feedback(found, pool.vectors)
        parts |= phrase_parts(text, pool.titles, pool.abstracts)
        if cited is not None and cited.any():
            parts[POSITIVES] = positives(pool.vectors, cited)
        return parts


def gathered(rows: Matrix, count: int) -> Matrix:
    """Unit rows: the two that are most alike become one, their mean, until `count` are left."""
    while len(rows) > count:
        alike = rows @ rows.T
        np.fill_diagonal(alike, -2.0)
        pair = divmod(int(alike.argmax()), len(rows))
        mean = rows[list(pair)].mean(axis=0, keepdims=True)
        rows = np.vstack([np.delete(rows, pair, axis=0), mean / max(float(np.linalg.norm(mean)), 1e-12)])
    return np.ascontiguousarray(rows, dtype=np.float32)


def _text(query: Query) -> str:
    return " ".join((query.title, *(part.text for part in query.parts)))
