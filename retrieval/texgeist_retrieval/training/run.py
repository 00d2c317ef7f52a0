"""Trains the ranker from citations and writes the weights into a folder (`texgeist train`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..evaluation.collection import CorpusDocument
from ..evaluation.systems import Bench
from ..ports import Monitor
from ..ranking.citation_table import Memory, title_key
from ..ranking.features import Parts
from ..ranking.query_adapter import Adapter
from ..ranking.storage import ADAPTER, load_words, save_adapter, save_memory, save_trees, save_words
from ..types import Matrix
from .citation_table import count_words, make_memory
from .query_adapter import AdapterOptions, train_adapter
from .ranker import Table, table_of, train_trees


@dataclass(frozen=True, slots=True)
class TrainOptions:
    adapter: AdapterOptions = AdapterOptions()
    folds: int = 4
    seed: int = 1


def with_others(bench: Bench, others: Sequence[CorpusDocument], vectors: Matrix) -> Bench:
    """Adds papers that no query cites, except papers whose title is in the collection. They represent the rest of
    an index: without them, the trees could not learn how cited and uncited papers differ. `vectors`: one row for
    each paper of `others`."""
    known = {title_key(d.title) for d in bench.collection.documents}
    kept = [i for i, d in enumerate(others) if title_key(d.title) not in known]
    documents = (*bench.collection.documents, *(others[i] for i in kept))
    rows = np.vstack([bench.vectors, vectors[kept]])
    return Bench(replace(bench.collection, documents=documents), rows, bench.queries, titles=bench.titles)


def train(bench: Bench, papers: int, folder: Path, options: TrainOptions, monitor: Monitor) -> None:
    """Trains the ranker and writes the weights into `folder`. Words are counted in the first `papers` papers, those
    that queries may cite. The table of each fold is stored in `folder/work`; after an interruption, stored tables
    are used again."""
    save_words(folder, count_words([d.text for d in bench.collection.documents[:papers]]))
    monitor.report("Learning the adapter")
    if not (folder / ADAPTER).exists():
        save_adapter(folder, _adapter(bench, options, options.adapter.seed, monitor))
    save_memory(folder, _memory(bench))
    order = np.random.default_rng(options.seed).permutation(len(bench.collection.topics)) % options.folds
    tables = [_table(bench, folder, order, fold, options, monitor) for fold in range(options.folds)]
    monitor.report("Learning the order")
    save_trees(folder, train_trees(tables))


def _table(
    bench: Bench,
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
    others = bench.part(np.flatnonzero(order != fold).tolist())
    ours = bench.part(np.flatnonzero(order == fold).tolist())
    parts = Parts(_adapter(others, options, fold, monitor), load_words(folder), _memory(others))
    ours.adapted = [parts.adapter.score(query, ours.vectors) for query in ours.asked]
    table = table_of(ours, parts, lambda done, total: monitor.report(title, done, total))
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(kept, features=table[0], cited=table[1])
    return table


def _adapter(bench: Bench, options: TrainOptions, seed: int, monitor: Monitor) -> Adapter:
    cited = [topic.cited for topic in bench.collection.topics]
    settings = replace(options.adapter, seed=seed)

    def tell(epoch: int, epochs: int, loss: float) -> None:
        monitor.check()
        monitor.report(f"Adapter: loss {loss:.3f}", epoch, epochs)

    return train_adapter(bench.queries, bench.vectors, cited, settings, tell, bench.titles)


def _memory(bench: Bench) -> Memory:
    cited = [topic.cited for topic in bench.collection.topics]
    titles = [d.title for d in bench.collection.documents]
    return make_memory(bench.asked, titles, cited)
