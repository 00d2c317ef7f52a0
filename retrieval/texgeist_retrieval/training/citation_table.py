"""Builds the citation table and the word counts from a collection."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Sized

import numpy as np

from ..errors import RetrievalError
from ..ranking.bm25 import WordStatistics
from ..ranking.citation_table import Memory, title_key
from ..text.words import words
from ..types import Matrix

_TOPICS = 500
_SHARPNESS = 30.0  # of the softmax from a training abstract to topics
_LEAST_SHARE = 0.05  # an abstract's share in a topic is set to 0 if it is smaller
_LEAST_TEXTS = 3  # words that occur in fewer texts are not listed


def make_memory(queries: Matrix, titles: Sequence[str], cited: Sequence[Sequence[int]]) -> Memory:
    """Builds the citation table. `queries`: the vectors of the citing abstracts; `titles`: the titles of the
    papers; `cited`: for each query, the indexes in `titles` of the papers that it cites. Deterministic."""
    centres, shares = _topics(queries, min(_TOPICS, max(1, len(queries) // 2)))
    cells: dict[int, Counter[int]] = {}
    citers: dict[int, list[int]] = {}
    for query, rows in enumerate(cited):
        near = np.flatnonzero(shares[query])
        for key in {title_key(titles[row]) for row in rows}:
            citers.setdefault(key, []).append(query)
            cell = cells.setdefault(key, Counter())
            for topic in near:
                cell[int(topic)] += shares[query, topic]
    keys = sorted(cells)
    flat = [(topic, weight) for key in keys for topic, weight in sorted(cells[key].items())]
    return Memory(
        centres,
        shares.sum(axis=0).astype(np.float32),
        np.array(keys, dtype=np.uint64),
        _starts(cells, keys),
        np.array([topic for topic, _ in flat], dtype=np.int32),
        np.array([weight for _, weight in flat], dtype=np.float32),
        _starts(citers, keys),
        np.array([query for key in keys for query in citers[key]], dtype=np.int32),
    )


def _starts(lists: Mapping[int, Sized], keys: Sequence[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum([len(lists[key]) for key in keys])]).astype(np.int64)


def count_words(texts: Sequence[str]) -> WordStatistics:
    """The word statistics of the texts, for BM25."""
    found = [words(text) for text in texts]
    counts = Counter(word for text in found for word in set(text))
    kept = {word: count for word, count in counts.items() if count >= _LEAST_TEXTS}
    return WordStatistics(kept, len(texts), sum(map(len, found)) / max(len(texts), 1))


def _topics(queries: Matrix, count: int) -> tuple[Matrix, np.ndarray]:
    try:
        from sklearn.cluster import KMeans
    except ImportError:
        raise RetrievalError(
            "Training needs scikit-learn.", "Install it with `pip install texgeist[torch]`."
        ) from None
    fitted = KMeans(count, n_init=1, max_iter=12, random_state=0).fit(queries)
    centres = fitted.cluster_centers_ / np.linalg.norm(fitted.cluster_centers_, axis=1, keepdims=True)
    shares = np.exp(_SHARPNESS * (queries @ centres.T - 1.0))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[shares < _LEAST_SHARE] = 0.0
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    return centres.astype(np.float32), shares.astype(np.float32)
