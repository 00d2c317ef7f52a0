"""The systems that are compared. Each returns, for every topic, the rows of the corpus, best first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from texgeist_retrieval.ranking.fusion import best, reciprocal_ranks
from texgeist_retrieval.ranking.lexicon import Lexicon, keep_largest
from texgeist_retrieval.ranking.ranker import POOL, LearnedRanker, total
from texgeist_retrieval.ranking.storage import load_adapter, load_lexicon
from texgeist_retrieval.text.words import query_words
from texgeist_retrieval.training.collection import CitationCollection
from texgeist_retrieval.types import Matrix

DEPTH = 1000  # ranks

Order = list[list[int]]


def dense(collection: CitationCollection, weights: Path | None) -> Order:
    """By the cosine of the abstracts, as Citegeist's search does."""
    return [best(collection.vectors @ query, DEPTH) for query in collection.queries]


def bm25(collection: CitationCollection, weights: Path | None) -> Order:
    """By BM25. Queries and documents are title and abstract."""
    texts = (f"{topic.title} {topic.abstract}" for topic in collection.topics)
    return [best(collection.bm25.score(query_words(text)), DEPTH) for text in texts]


def hybrid(collection: CitationCollection, weights: Path | None) -> Order:
    """Reciprocal rank fusion of `dense` and `bm25`."""
    near = [collection.vectors @ query for query in collection.queries]
    words = [collection.bm25.score(query_words(f"{t.title} {t.abstract}")) for t in collection.topics]
    return [best(reciprocal_ranks(d) + reciprocal_ranks(w), DEPTH) for d, w in zip(near, words, strict=True)]


def adapter(collection: CitationCollection, weights: Path | None) -> Order:
    """The query-side adapter alone, on unchanged document vectors."""
    learned = load_adapter(weights)
    return [best(learned.score(query, collection.vectors), DEPTH) for query in collection.asked]


def lexicon(collection: CitationCollection, weights: Path | None) -> Order:
    """Lexicon-enhanced dense retrieval (UR3WG, section 4.3): the score of compressed vectors plus the weighted
    sparse score."""
    return [best(row, DEPTH) for row in lexicon_scores(load_lexicon(weights), collection)]


def lexicon_scores(learned: Lexicon, collection: CitationCollection) -> Matrix:
    """Shape [topics, documents]."""
    near = learned.compressed(collection.queries) @ learned.compressed(collection.vectors).T
    return np.asarray(near + learned.weight * lexical_scores(learned, collection))


def lexical_scores(learned: Lexicon, collection: CitationCollection) -> Matrix:
    """The sparse score alone, shape [topics, documents]."""
    shares = learned.distributions()
    asked = np.stack(
        [keep_largest(learned.importance(t.text, shares), learned.group) for t in collection.topics]
    )
    return np.stack([asked @ learned.importance(d.text, shares) for d in collection.documents]).T


def full(collection: CitationCollection, weights: Path | None) -> Order:
    """The best `POOL` documents by similarity, adapter and BM25, reranked by the learned ranker; then the rest."""
    ranker, orders = LearnedRanker.load(weights), Order()
    for number, first in enumerate(collection.first_orders(ranker.parts.adapter)):
        order = best(first, DEPTH)
        rows, rest = order[:POOL], order[POOL:]
        text = collection.topics[number].text
        scores = total(ranker.score(collection.asked[number], text, collection.pool(rows)))
        orders.append([*(rows[i] for i in np.argsort(-scores, kind="stable")), *rest])
    return orders


SYSTEMS: Mapping[str, Callable[[CitationCollection, Path | None], Order]] = {
    "dense": dense,
    "bm25": bm25,
    "hybrid": hybrid,
    "adapter": adapter,
    "lexicon": lexicon,
    "full": full,
}
