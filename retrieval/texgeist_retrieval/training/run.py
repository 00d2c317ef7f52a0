"""Trains the ranker from citations and writes the weights into a folder (`texgeist train`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ..evaluation.collection import CitationCollection, CorpusDocument
from ..evaluation.systems import Bench
from ..ports import Monitor
from ..ranking.citation_table import Memory
from ..ranking.features import Parts
from ..ranking.query_adapter import Adapter, with_titles
from ..ranking.storage import ADAPTER, save_adapter, save_memory, save_trees, save_words
from ..types import Matrix
from .citation_table import MemoryOptions, count_words, make_memory
from .query_adapter import AdapterOptions, train_adapter
from .ranker import Table, TreeOptions, table_of, train_trees


@dataclass(frozen=True, slots=True)
class TrainOptions:
    adapter: AdapterOptions = AdapterOptions()
    memory: MemoryOptions = MemoryOptions()
    trees: TreeOptions = TreeOptions()
    folds: int = 4
    seed: int = 1


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Queries, the papers that they cite, and other papers, which no query cites.

    The other papers represent the rest of an index: without them, the trees could not learn how cited and
    uncited papers differ. The citations in the other papers are not used. `others`: the number of other
    papers."""

    collection: CitationCollection  # its last documents are the other papers
    papers: Matrix
    queries: Matrix
    others: int
    titles: Matrix | None = None  # the vectors of the queries' titles

    def part(self, rows: Sequence[int]) -> TrainingSet:
        topics = tuple(self.collection.topics[i] for i in rows)
        return replace(
            self,
            collection=replace(self.collection, topics=topics),
            queries=self.queries[list(rows)],
            titles=None if self.titles is None else self.titles[list(rows)],
        )

    @property
    def asked(self) -> Matrix:
        """The vectors of the queries, mixed with the vectors of their titles."""
        return with_titles(self.queries, self.titles)


def with_others(training_set: TrainingSet, others: Sequence[CorpusDocument], vectors: Matrix) -> TrainingSet:
    """Adds the papers of another corpus, except papers whose title is in the collection. `vectors`: one row
    for each paper of `others`."""
    from ..ranking.citation_table import title_key

    collection = training_set.collection
    known = {title_key(d.title) for d in collection.documents}
    kept = [i for i, d in enumerate(others) if title_key(d.title) not in known]
    documents = (*collection.documents, *(others[i] for i in kept))
    rows = np.vstack([training_set.papers, vectors[kept]]) if kept else training_set.papers
    return replace(
        training_set, collection=replace(collection, documents=documents), papers=rows, others=len(kept)
    )


def train(training_set: TrainingSet, folder: Path, options: TrainOptions, monitor: Monitor) -> None:
    """Trains the ranker and writes the weights into `folder`. The table of each fold is stored in
    `folder/work`; after an interruption, stored tables are used again."""
    cited_papers = len(training_set.collection.documents) - training_set.others
    words = count_words([d.text for d in training_set.collection.documents[:cited_papers]])
    save_words(folder, words)
    monitor.report("Learning the adapter")
    if not (folder / ADAPTER).exists():
        save_adapter(folder, _adapter(training_set, options, options.adapter.seed, monitor))
    save_memory(folder, _memory(training_set, options))
    order = (
        np.random.default_rng(options.seed).permutation(len(training_set.collection.topics)) % options.folds
    )
    tables = [_table(training_set, folder, order, fold, options, monitor) for fold in range(options.folds)]
    monitor.report("Learning the order")
    save_trees(folder, train_trees(tables, options.trees))


def _table(
    training_set: TrainingSet,
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
    from ..ranking.storage import load_words

    title = f"Fold {fold + 1} of {options.folds}"
    monitor.report(title)
    others = training_set.part(np.flatnonzero(order != fold).tolist())
    ours = training_set.part(np.flatnonzero(order == fold).tolist())
    parts = Parts(_adapter(others, options, fold, monitor), load_words(folder), _memory(others, options))
    bench = Bench(ours.collection, ours.papers, ours.queries, titles=ours.titles)
    bench.adapted = [parts.adapter.score(query, ours.papers) for query in bench.asked]
    table = table_of(bench, parts, lambda done, total: monitor.report(title, done, total))
    kept.parent.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(kept, features=table[0], cited=table[1])
    return table


def _adapter(training_set: TrainingSet, options: TrainOptions, seed: int, monitor: Monitor) -> Adapter:
    cited = [topic.cited for topic in training_set.collection.topics]
    settings = replace(options.adapter, seed=seed)

    def tell(epoch: int, epochs: int, loss: float) -> None:
        monitor.check()
        monitor.report(f"Adapter: loss {loss:.3f}", epoch, epochs)

    return train_adapter(
        training_set.queries, training_set.papers, cited, settings, tell, training_set.titles
    )


def _memory(training_set: TrainingSet, options: TrainOptions) -> Memory:
    cited = [topic.cited for topic in training_set.collection.topics]
    titles = [d.title for d in training_set.collection.documents]
    return make_memory(training_set.asked, titles, cited, options.memory)
