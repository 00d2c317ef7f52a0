"""The order of the candidates, and why: every candidate carries its score's parts by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..types import Candidate, Matrix, Query, Vector
from .features import Parts, Pool, Signals, features, signals
from .relevance_feedback import POSITIVES, positives
from .storage import load_adapter, load_memory, load_trees, load_words
from .trees import Trees

POOL = 200  # how many candidates are put in order
SEARCHED = 2  # rows that the facets are gathered into before a search


@dataclass(frozen=True)
class LearnedRanker:
    """Implements `services.Ranker`. `parts` make the features, `trees` weigh them."""

    parts: Parts
    trees: Trees

    @classmethod
    def load(cls, folder: Path | None = None) -> LearnedRanker:
        """With the weights in `folder`, or those that texgeist ships. Raises `BadWeights`."""
        parts = Parts(load_adapter(folder), load_words(folder), load_memory(folder))
        return cls(parts, load_trees(folder))

    def search_rows(self, query: Vector) -> Matrix:
        """What to search an index with beside the query itself, to have the papers that this ranker would
        put first among the candidates: the adapter's facets, unit rows, the most alike made one.

        A local index takes as long for a row as for the whole ranking. On `dev`, 100 papers a row and 100
        by their words, recall at 20 is 39.1 with all four facets and 38.8 with two rows, of papers that no
        training paper cites 40.6 and 41.1."""
        return gathered(self.parts.adapter.facets(query), SEARCHED)

    def rank(self, query: Query, asked: Vector, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Best first, `score` and `scores` set. The best `POOL` of the first order are put in order: so many
        the trees were trained with, and what they ask is how a candidate stands among the others. The rest
        follow in the first order, then those without a vector, or with one of another model's length, in
        the order given."""
        size = self.parts.adapter.dimension
        usable = [c for c in candidates if c.vector is not None and c.vector.size == size]
        rest = [c for c in candidates if c.vector is None or c.vector.size != size]
        if len(usable) < 2 or asked.size != size:
            return list(candidates)
        pool, text = _pool(usable), _text(query)
        raw = signals(asked, text, pool, self.parts)
        first = np.argsort(-raw.order(), kind="stable")
        usable, pool, raw = [usable[i] for i in first], pool.part(first), raw.part(first)
        inner = np.arange(min(POOL, len(usable)))
        cited = np.array([c.already_cited for c in usable])[inner]
        scored = self.score(asked, text, pool.part(inner), cited, raw.part(inner))
        totals = total(scored)
        order = np.argsort(-totals, kind="stable")
        return [_scored(usable[i], scored, totals, int(i)) for i in order] + usable[POOL:] + rest

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
        parts = self.trees.parts(features(query, text, pool, self.parts, known))
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


def total(parts: dict[str, Vector]) -> Vector:
    """The score: the sum of its parts."""
    return np.asarray(np.sum(list(parts.values()), axis=0, dtype=np.float32))


def _pool(candidates: Sequence[Candidate]) -> Pool:
    return Pool(
        [c.paper.title for c in candidates],
        [c.paper.abstract for c in candidates],
        np.stack([c.vector for c in candidates if c.vector is not None]).astype(np.float32),
        np.array([np.nan if c.paper.year is None else c.paper.year for c in candidates], dtype=np.float32),
    )


def _text(query: Query) -> str:
    return " ".join((query.title, *(part.text for part in query.parts)))


def _scored(candidate: Candidate, parts: dict[str, Vector], totals: Vector, row: int) -> Candidate:
    scores = {name: round(float(values[row]), 4) for name, values in parts.items()}
    return replace(candidate, score=float(totals[row]), scores=scores)
