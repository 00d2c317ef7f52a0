"""The systems that are compared. Each system returns, for every query, rows of the corpus, best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from ..ports import Monitor
from ..ranking.bm25 import Bm25
from ..ranking.features import CandidatePool, first_order
from ..ranking.fusion import best, reciprocal_ranks, standardise
from ..ranking.lexicon import Lexicon, keep_largest
from ..ranking.query_adapter import with_titles
from ..ranking.ranker import POOL, LearnedRanker, total
from ..ranking.storage import load_adapter, load_lexicon, load_memory
from ..text.words import query_words
from ..types import Matrix, Vector
from .collection import (
    BadCollection,
    CitationCollection,
    CollectionFiles,
    Opener,
    document_vectors,
    load_collection,
    query_vectors,
    title_vectors,
)
from .measures import DEPTH

Order = list[list[int]]


@dataclass
class Bench:
    """Data shared by the systems, computed when first needed. `vectors`: a unit row for each document.
    `queries`: a unit row for each query's abstract. `titles`: rows for the queries' titles, for systems that
    were trained with titles."""

    collection: CitationCollection
    vectors: Matrix
    queries: Matrix
    weights: Path | None = None  # a folder of trained weights; None: the shipped weights
    titles: Matrix | None = None

    @classmethod
    def load(
        cls,
        files: CollectionFiles,
        embedder: Opener,
        monitor: Monitor,
        weights: Path | None = None,
        titled: bool = False,
    ) -> Bench:
        """Reads the files; `embedder` opens the model for vectors that no file holds. `titled`: also embed the
        queries' titles. Raises `BadCollection`."""
        collection = load_collection(files.corpus, files.queries)
        vectors = document_vectors(collection.documents, files.vectors, embedder, monitor)
        queries = query_vectors(collection, files.query_vectors, embedder, monitor)
        titles = title_vectors(collection, embedder, monitor) if titled else None
        return cls(collection, vectors, queries, weights, titles)

    def part(self, rows: Sequence[int]) -> Bench:
        """The same papers with some of the queries."""
        topics = tuple(self.collection.topics[i] for i in rows)
        titles = None if self.titles is None else self.titles[list(rows)]
        collection = replace(self.collection, topics=topics)
        return Bench(collection, self.vectors, self.queries[list(rows)], self.weights, titles)

    @cached_property
    def asked(self) -> Matrix:
        return with_titles(self.queries, self.titles)

    @cached_property
    def bm25(self) -> Bm25:
        return Bm25.build([document.text for document in self.collection.documents])

    @cached_property
    def lexical(self) -> list[Vector]:
        texts = [f"{topic.title} {topic.abstract}" for topic in self.collection.topics]
        return [self.bm25.score(query_words(text)) for text in texts]

    @cached_property
    def ranker(self) -> LearnedRanker:
        return LearnedRanker.load(self.weights)

    @cached_property
    def adapted(self) -> list[Vector]:
        adapter = load_adapter(self.weights)
        return [adapter.score(query, self.vectors) for query in self.asked]

    @cached_property
    def dense(self) -> list[Vector]:
        return [self.vectors @ query for query in self.queries]


def dense(bench: Bench) -> Order:
    """Ranks by the cosine of the abstracts, as Citegeist's search does."""
    return [best(scores, DEPTH) for scores in bench.dense]


def bm25(bench: Bench) -> Order:
    """Ranks by BM25. Queries and documents are title and abstract."""
    return [best(scores, DEPTH) for scores in bench.lexical]


def hybrid(bench: Bench) -> Order:
    """Reciprocal rank fusion of `dense` and `bm25`."""
    return [
        best(reciprocal_ranks(dense) + reciprocal_ranks(lexical), DEPTH)
        for dense, lexical in zip(bench.dense, bench.lexical, strict=True)
    ]


def adapter(bench: Bench) -> Order:
    """The query-side adapter alone, on unchanged document vectors."""
    return [best(scores, DEPTH) for scores in bench.adapted]


def lexicon(bench: Bench) -> Order:
    """Lexicon-enhanced dense retrieval (UR3WG, section 4.3): the score of compressed vectors plus the
    weighted sparse score."""
    learned = load_lexicon(bench.weights)
    shares = learned.distributions()
    asked = [
        keep_largest(learned.importance(topic.text, shares), learned.group)
        for topic in bench.collection.topics
    ]
    dense = learned.compressed(bench.queries) @ learned.compressed(bench.vectors).T
    lexical = np.hstack([np.stack(asked) @ papers.T for papers in _importances(bench, learned, shares)])
    return [best(row, DEPTH) for row in dense + learned.weight * lexical]


def _importances(bench: Bench, learned: Lexicon, shares: Matrix, count: int = 1000) -> Iterator[Matrix]:
    """Yields the importance vectors of `count` documents at a time, to limit memory use."""
    documents = bench.collection.documents
    for start in range(0, len(documents), count):
        yield np.stack([learned.importance(d.text, shares) for d in documents[start : start + count]])


def full(bench: Bench) -> Order:
    """The best `POOL` documents by similarity, adapter and BM25, reranked by the learned ranker; then the
    rest of the `DEPTH` best."""
    return [_reranked(bench, i, first) for i, first in enumerate(first_orders(bench))]


def first_orders(bench: Bench) -> list[Vector]:
    """For each query, the scores of all documents before reranking."""
    lexical = [bench.bm25.score(query_words(topic.text)) for topic in bench.collection.topics]
    near = [bench.vectors @ query for query in bench.asked]
    return [
        first_order(standardise(d), standardise(a), standardise(w))
        for d, a, w in zip(near, bench.adapted, lexical, strict=True)
    ]


def _reranked(bench: Bench, number: int, first: Vector) -> list[int]:
    order = best(first, DEPTH)
    rows, rest = order[:POOL], order[POOL:]
    topic = bench.collection.topics[number]
    scores = total(bench.ranker.score(bench.asked[number], topic.text, pool_of(bench, rows)))
    return [rows[i] for i in np.argsort(-scores, kind="stable")] + rest


def pool_of(bench: Bench, rows: list[int]) -> CandidatePool:
    documents = [bench.collection.documents[row] for row in rows]
    return CandidatePool(
        [d.title for d in documents],
        [d.abstract for d in documents],
        bench.vectors[rows],
        np.array([np.nan if d.year is None else d.year for d in documents], dtype=np.float32),
    )


def unseen_documents(bench: Bench) -> list[bool]:
    """For each document, whether no paper of the weights' training data cites it."""
    numbers = load_memory(bench.weights).find([d.title for d in bench.collection.documents])
    return [bool(number < 0) for number in numbers]


def uses_titles(names: Iterable[str]) -> bool:
    return not {"adapter", "full"}.isdisjoint(names)


def named_systems(text: str) -> list[str]:
    """Names from a comma-separated list. Raises `BadCollection` for an unknown name."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in SYSTEMS]
    if unknown or not names:
        raise BadCollection(
            f"There is no system {', '.join(unknown) or 'to compare'}.", f"Known are {', '.join(SYSTEMS)}."
        )
    return names


def run_system(bench: Bench, name: str) -> Order:
    """The results of the system `name`. Raises `KeyError` for a name that is not in `SYSTEMS`."""
    return SYSTEMS[name](bench)


SYSTEMS: Mapping[str, Callable[[Bench], Order]] = {
    "dense": dense,
    "bm25": bm25,
    "hybrid": hybrid,
    "adapter": adapter,
    "lexicon": lexicon,
    "full": full,
}
