"""Trains the ranker from citations and writes the weights into a folder (`texgeist train`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..errors import RetrievalError, with_extra
from ..ports import Monitor
from ..ranking.bm25 import WordStatistics
from ..ranking.citation_table import Memory, title_key
from ..ranking.features import Parts
from ..ranking.query_adapter import Adapter
from ..ranking.storage import ADAPTER, load_words, save_adapter, save_memory, save_trees, save_words
from ..text.words import words
from ..types import Matrix
from .collection import CitationCollection, CorpusDocument
from .query_adapter import AdapterOptions, train_adapter
from .ranker import Table, table_of, train_trees


@dataclass(frozen=True, slots=True)
class TrainOptions:
    adapter: AdapterOptions = AdapterOptions()
    folds: int = 4
    seed: int = 1


def with_others(
    collection: CitationCollection, others: Sequence[CorpusDocument], vectors: Matrix
) -> CitationCollection:
    """Adds papers that no query cites, except papers whose title is in the collection. They represent the rest of
    an index: without them, the trees could not learn how cited and uncited papers differ. `vectors`: one row for
    each paper of `others`."""
    known = {title_key(d.title) for d in collection.documents}
    kept = [i for i, d in enumerate(others) if title_key(d.title) not in known]
    documents = (*collection.documents, *(others[i] for i in kept))
    return replace(collection, documents=documents, vectors=np.vstack([collection.vectors, vectors[kept]]))


def train(
    collection: CitationCollection, papers: int, folder: Path, options: TrainOptions, monitor: Monitor
) -> None:
    """Trains the ranker and writes the weights into `folder`. Words are counted in the first `papers` papers,
    which queries may cite. The table of each fold is stored in `folder/work`; after an interruption, stored
    tables are used again."""
    save_words(folder, count_words([d.text for d in collection.documents[:papers]]))
    monitor.report("Learning the adapter")
    if not (folder / ADAPTER).exists():
        save_adapter(folder, _adapter(collection, options, options.adapter.seed, monitor))
    save_memory(folder, _memory(collection))
    order = np.random.default_rng(options.seed).permutation(len(collection.topics)) % options.folds
    tables = [_table(collection, folder, order, fold, options, monitor) for fold in range(options.folds)]
    monitor.report("Learning the order")
    save_trees(folder, train_trees(tables))


def _table(
    collection: CitationCollection,
    folder: Path,
    order: np.ndarray,
    fold: int,
    options: TrainOptions,
    monitor: Monitor,
) -> Table:
    kept = folder / "work" / f"fold-{fold}.npz"
    if kept.exists():
        with np.load(kept) as data:
            return data["features"], data["cited"]
    title = f"Fold {fold + 1} of {options.folds}"
    monitor.report(title)
    others = collection.part(np.flatnonzero(order != fold).tolist())
    ours = collection.part(np.flatnonzero(order == fold).tolist())
    parts = Parts(_adapter(others, options, fold, monitor), load_words(folder), _memory(others))
    table = table_of(ours, parts, lambda done, total: monitor.report(title, done, total))
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(kept, features=table[0], cited=table[1])
    return table


def _adapter(collection: CitationCollection, options: TrainOptions, seed: int, monitor: Monitor) -> Adapter:
    cited = [topic.cited for topic in collection.topics]
    settings = replace(options.adapter, seed=seed)

    def tell(epoch: int, epochs: int, loss: float) -> None:
        monitor.check()
        monitor.report(f"Adapter: loss {loss:.3f}", epoch, epochs)

    return train_adapter(collection.queries, collection.vectors, cited, settings, tell, collection.titles)


def _memory(collection: CitationCollection) -> Memory:
    cited = [topic.cited for topic in collection.topics]
    return make_memory(collection.asked, [d.title for d in collection.documents], cited)


_TOPICS = 500
_SHARPNESS = 30.0  # of the softmax from a training abstract to topics
_LEAST_SHARE = 0.05  # an abstract's smaller shares in topics are set to 0
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
        raise RetrievalError("Training needs scikit-learn.", with_extra("torch")) from None
    fitted = KMeans(count, n_init=1, max_iter=12, random_state=0).fit(queries)
    centres = fitted.cluster_centers_ / np.linalg.norm(fitted.cluster_centers_, axis=1, keepdims=True)
    shares = np.exp(_SHARPNESS * (queries @ centres.T - 1.0))
    shares /= shares.sum(axis=1, keepdims=True)
    shares[shares < _LEAST_SHARE] = 0.0
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1e-12)
    return centres.astype(np.float32), shares.astype(np.float32)
