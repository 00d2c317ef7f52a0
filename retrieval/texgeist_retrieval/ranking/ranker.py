"""Rankers, which order the candidates of a search. Each candidate keeps the named parts of its score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..ports import Ranker
from ..text.words import query_words
from ..types import Candidate, CitationGraph, Matrix, Query, Vector
from .bm25 import WordStatistics
from .cited_works import CITED_WITH, LIKE_CITED, co_citation, like_cited
from .depth import at_depth, feedback
from .features import NEIGHBOURS, CandidatePool, Parts, Signals, features, signals
from .fusion import reciprocal_ranks
from .lexicon import Lexicon, keep_largest
from .phrases import phrase_parts
from .query_adapter import words_asked
from .storage import load_lexicon, load_parts, load_trees, load_words
from .trees import Trees

POOL = 200  # candidates that are reranked
REACH = 0.2  # weight of co-citation in the order that selects these candidates
FACET_ROWS = 2  # number of search rows after merging the facets


@dataclass(frozen=True)
class LearnedRanker:
    """Implements `ports.Ranker`. `parts` compute the features, `trees` the score from the features."""

    parts: Parts
    trees: Trees

    @classmethod
    def load(cls, folder: Path | None = None) -> LearnedRanker:
        """Loads the weights in `folder`, or the shipped weights. Raises `BadWeights`."""
        return cls(load_parts(folder), load_trees(folder))

    def search_rows(self, query: Vector) -> Matrix:
        """Additional query vectors for the search, so that the papers that this ranker prefers are among the
        candidates: the facets of the adapter, merged to `FACET_ROWS` unit rows.

        In a local index, the search for one row takes as long as the whole ranking. On `dev`, with 100 papers
        for each row and 100 found by their words, recall@20 is 39.1 with all four facets and 38.8 with two
        rows; for papers that no training paper cites, 40.6 and 41.1."""
        return merged_rows(self.parts.adapter.facets(query), FACET_ROWS)

    def rank(
        self,
        query: Query,
        asked: Vector,
        candidates: Sequence[Candidate],
        graph: CitationGraph = CitationGraph(),
    ) -> list[Candidate]:
        """Returns the candidates best first. The best `POOL` by `first_order` and co-citation are reranked,
        and their `score` and `scores` are set; the trees were trained with the same number, since the features
        compare a candidate with the others. The other candidates follow in the first order, then those without
        a vector, or with a vector of another model's length, in the given order."""
        size = self.parts.adapter.dimension
        known, rest = usable(candidates, size)
        if len(known) < 2 or asked.size != size:
            return list(candidates)
        pool, text = as_pool(known), _text(query)
        raw = signals(asked, text, pool, self.parts)
        cited = np.array([c.already_cited for c in known])
        together = co_citation(self.parts.memory, query, known, graph)
        first = np.argsort(-(raw.order() + REACH * together.lists), kind="stable")
        inner = first[:POOL]
        parts = self.score(asked, text, pool.part(inner), raw.part(inner))
        if together.lists.any():
            parts[CITED_WITH] = together.score[inner]
        if cited.any():
            parts[LIKE_CITED] = like_cited(pool.vectors[inner], pool.vectors[cited])
        return [*ordered([known[i] for i in inner], parts), *(known[i] for i in first[POOL:]), *rest]

    def score(
        self, query: Vector, text: str, pool: CandidatePool, known: Signals | None = None
    ) -> dict[str, Vector]:
        """The parts of the score by feature, one entry for each candidate. `known`: as in `features`."""
        found = features(query, text, pool, self.parts, known)
        parts = at_depth(self.trees.parts(found), found)
        parts[NEIGHBOURS] = parts[NEIGHBOURS] + feedback(found, pool.vectors)
        return parts | phrase_parts(text, pool.titles, pool.abstracts)


def merged_rows(rows: Matrix, count: int) -> Matrix:
    """Replaces the two most similar unit rows by their mean until `count` are left."""
    while len(rows) > count:
        alike = rows @ rows.T
        np.fill_diagonal(alike, -2.0)
        pair = divmod(int(alike.argmax()), len(rows))
        mean = rows[list(pair)].mean(axis=0, keepdims=True)
        rows = np.vstack([np.delete(rows, pair, axis=0), mean / max(float(np.linalg.norm(mean)), 1e-12)])
    return np.ascontiguousarray(rows, dtype=np.float32)


def _text(query: Query) -> str:
    if query.kind in ("sentence", "question"):
        return words_asked(query)
    return " ".join((query.title, *(part.text for part in query.parts)))


BY_VECTOR, BY_WORDS = "rank by similarity", "rank by words"


@dataclass(frozen=True)
class HybridRanker(Ranker):
    """Implements `ports.Ranker` by reciprocal rank fusion of similarity and BM25. `words`: the word
    frequencies in a large collection of papers."""

    words: WordStatistics

    @classmethod
    def load(cls, folder: Path | None = None) -> HybridRanker:
        """Loads the word frequencies in `folder`, or the shipped ones. Raises `BadWeights`."""
        return cls(load_words(folder))

    def rank(
        self,
        query: Query,
        asked: Vector,
        candidates: Sequence[Candidate],
        graph: CitationGraph = CitationGraph(),
    ) -> list[Candidate]:
        """Returns the candidates best first, by the sum of 1 / (60 + rank) for the ranks by similarity and by
        words. The second term is 0 for a paper that shares no words with the query. For a candidate without a
        vector, or with a vector of another model's length, the similarity that the search returned is
        used."""
        near = [
            c.similarity if c.vector is None or c.vector.size != asked.size else float(c.vector @ asked)
            for c in candidates
        ]
        texts = [f"{c.paper.title} {c.paper.abstract}" for c in candidates]
        by_words = self.words.score(query_words(words_asked(query)), texts)
        parts = {
            BY_VECTOR: reciprocal_ranks(np.array(near, dtype=np.float32)),
            BY_WORDS: np.where(by_words > 0, reciprocal_ranks(by_words), 0.0).astype(np.float32),
        }
        return ordered(candidates, parts)


BY_COMPRESSED, BY_LEXICON = "similarity of compressed vectors", "shared weights of words"


@dataclass(frozen=True)
class LexiconRanker(Ranker):
    """Implements `ports.Ranker` by lexicon-enhanced dense retrieval (UR3WG, section 4.3)."""

    lexicon: Lexicon
    shares: Matrix  # the distribution of every word, see `Lexicon.distributions`

    @classmethod
    def load(cls, folder: Path | None = None) -> LexiconRanker:
        """Loads the weights in `folder`, or the shipped weights. Raises `BadWeights`, also if this
        installation lacks them."""
        lexicon = load_lexicon(folder)
        return cls(lexicon, lexicon.distributions())

    def rank(
        self,
        query: Query,
        asked: Vector,
        candidates: Sequence[Candidate],
        graph: CitationGraph = CitationGraph(),
    ) -> list[Candidate]:
        """Returns the candidates best first by S_s + S_l (see `lexicon`), then those without a vector, or
        with a vector of another length, in the given order."""
        size = len(self.lexicon.compress)
        known, rest = usable(candidates, size)
        if not known or asked.size != size:
            return list(candidates)
        lexicon, pool = self.lexicon, as_pool(known)
        compressed = lexicon.compressed(np.vstack([asked, pool.vectors]))
        wanted = keep_largest(lexicon.importance(words_asked(query), self.shares), lexicon.group)
        texts = [f"{c.paper.title} {c.paper.abstract}" for c in known]
        shared = np.array([lexicon.importance(text, self.shares) @ wanted for text in texts])
        parts = {
            BY_COMPRESSED: compressed[1:] @ compressed[0],
            BY_LEXICON: np.asarray(lexicon.weight * shared, dtype=np.float32),
        }
        return [*ordered(known, parts), *rest]


def usable(candidates: Sequence[Candidate], size: int) -> tuple[list[Candidate], list[Candidate]]:
    """The candidates with a vector of this length, and the others."""
    known = [c for c in candidates if c.vector is not None and c.vector.size == size]
    return known, [c for c in candidates if c.vector is None or c.vector.size != size]


def as_pool(candidates: Sequence[Candidate]) -> CandidatePool:
    return CandidatePool(
        [c.paper.title for c in candidates],
        [c.paper.abstract for c in candidates],
        np.stack([c.vector for c in candidates if c.vector is not None]).astype(np.float32),
        np.array([np.nan if c.paper.year is None else c.paper.year for c in candidates], dtype=np.float32),
    )


def total(parts: Mapping[str, Vector]) -> Vector:
    """The score: the sum of its parts."""
    return np.asarray(np.sum(list(parts.values()), axis=0, dtype=np.float32))


def ordered(candidates: Sequence[Candidate], parts: Mapping[str, Vector]) -> list[Candidate]:
    """The candidates best first, with `score` and `scores` set. Equal scores keep the given order."""
    totals = total(parts)
    order = np.argsort(-totals, kind="stable")
    return [_scored(candidates[i], parts, totals, int(i)) for i in order]


def _scored(candidate: Candidate, parts: Mapping[str, Vector], totals: Vector, row: int) -> Candidate:
    scores = {name: round(float(values[row]), 4) for name, values in parts.items()}
    return replace(candidate, score=float(totals[row]), scores=scores)
