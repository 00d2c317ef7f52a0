"""Trains the ranker from citations and writes the weights into a folder (`texgeist train`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..ports import Monitor
from ..ranking.citation_table import Memory, title_key
from ..ranking.features import Parts
from ..ranking.query_adapter import Adapter
from ..ranking.storage import ADAPTER, load_words, save_adapter, save_memory, save_trees, save_words
from ..types import Matrix
from .citation_table import count_words, make_memory
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
    """Trains the ranker and writes the weights into `folder`. Words are counted in the first `papers` papers, those
    that queries may cite. The table of each fold is stored in `folder/work`; after an interruption, stored tables
    are used again."""
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
