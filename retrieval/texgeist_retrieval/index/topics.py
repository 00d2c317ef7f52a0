"""Topics of abstracts by BERTopic (Grootendorst 2022, arXiv 2203.05794), the extra `[topics]`.

The topics of an index are computed once and stored beside it, as centres of vectors. Papers that are added
later get the topic of the nearest centre, so topics keep their names, and the extra is no longer needed.
Without the extra, papers have no topics."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import numpy as np

from ..errors import Cancelled, IndexMissing, IndexUnavailable, ModelMissing, with_extra
from ..ports import Monitor
from ..types import Matrix, Vector
from .hashes import TOPICS, beside, broken_off
from .milvus import MilvusIndex

LEAST = 100  # abstracts; with fewer, clusters are random
SAMPLE = 20_000  # abstracts from which topics are computed
NEAREST = 0.3  # a paper has no topic if its cosine to every topic's centre is smaller
ROWS = 500


class Topics:
    """The names of topics and their centres: unit vectors [topics, dimension]."""

    def __init__(self, names: Sequence[str], centres: Matrix) -> None:
        self.names = tuple(names)
        self.centres = np.asarray(centres, dtype=np.float32)

    def assign(self, vectors: Sequence[Vector]) -> list[str]:
        """For each vector, the name of the nearest topic, "" if no topic is near enough."""
        if not self.names or not len(vectors):
            return [""] * len(vectors)
        cosines = np.stack(list(vectors)) @ self.centres.T
        nearest = cosines.argmax(axis=1)
        return [
            self.names[topic] if cosines[row, topic] >= NEAREST else "" for row, topic in enumerate(nearest)
        ]

    def save(self, path: Path) -> None:
        part = path.with_suffix(".part.npz")
        np.savez(part, centres=self.centres, names=np.array(json.dumps(self.names)))
        part.replace(path)


def load_topics(table: Path) -> Topics | None:
    """The topics of the index whose hash table is `table`; None if they were not computed yet."""
    path = beside(table, TOPICS)
    if not path.exists():
        return None
    with np.load(path, allow_pickle=False) as stored:
        return Topics(json.loads(str(stored["names"])), stored["centres"])


def give_topics(index: MilvusIndex, table: Path, monitor: Monitor, *, again: bool = False) -> tuple[str, ...]:
    """Assigns a topic to every paper; first computes the topics of the index, unless they are stored.
    `again`: True computes them again. Returns the names of the topics. Raises `ModelMissing` without the
    extra, `IndexMissing` if the index is too small."""
    topics = None if again else load_topics(table)
    if topics is None:
        topics = _find(index, monitor)
        topics.save(beside(table, TOPICS))
    done = 0
    try:
        for done in _give(index, topics):
            monitor.report("Giving topics", done)
    except (Cancelled, IndexUnavailable) as stopped:
        raise broken_off(stopped, ("given their topics", done)) from None
    return topics.names


def _give(index: MilvusIndex, topics: Topics) -> Iterator[int]:
    """Assigns topics in batches; yields the number of papers done."""
    entries = index.entries()
    done = 0
    while batch := list(islice(entries, ROWS)):
        names = topics.assign([vector for _, vector, _ in batch])
        papers = [replace(paper, topic=name) for (paper, _, _), name in zip(batch, names, strict=True)]
        index.upsert(papers, np.stack([v for _, v, _ in batch]), [digest for _, _, digest in batch])
        yield (done := done + len(batch))


def _find(index: MilvusIndex, monitor: Monitor) -> Topics:
    if not find_spec("bertopic"):
        raise ModelMissing(
            "Finding topics needs BERTopic, which is not installed.",
            with_extra("topics"),
        )
    monitor.report("Reading abstracts")
    step = max(1, index.count() // SAMPLE)
    sample = list(islice(index.entries(), 0, None, step))
    if len(sample) < LEAST:
        raise IndexMissing(f"{len(sample)} papers are too few to find topics in.", f"It takes {LEAST}.")
    monitor.report(f"Finding topics in {len(sample):,} abstracts")
    return find_topics([paper.abstract for paper, _, _ in sample], np.stack([v for _, v, _ in sample]))


def find_topics(texts: Sequence[str], vectors: Matrix) -> Topics:
    """Finds topics with BERTopic in the given vectors (UMAP, HDBSCAN); names them by class-based TF-IDF."""
    from bertopic import BERTopic
    from sklearn.feature_extraction.text import CountVectorizer

    words = CountVectorizer(stop_words="english", ngram_range=(1, 2))
    model = BERTopic(vectorizer_model=words, min_topic_size=max(10, len(texts) // 100), verbose=False)
    assigned, _ = model.fit_transform(list(texts), np.asarray(vectors, dtype=np.float32))
    labels = np.asarray(assigned)
    numbers = sorted(set(assigned) - {-1})  # -1: outliers
    names = [", ".join(word for word, _ in model.get_topic(number)[:3]) for number in numbers]
    centres = [vectors[labels == number].mean(axis=0) for number in numbers]
    units = [centre / np.linalg.norm(centre) for centre in centres]
    return Topics(names, np.stack(units) if units else np.zeros((0, vectors.shape[1]), np.float32))
