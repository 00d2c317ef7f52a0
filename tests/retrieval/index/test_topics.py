"""Topics by the real BERTopic (extra `topics`), on a small index: UMAP and HDBSCAN over three clear subjects."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.hashes import table_of
from texgeist_retrieval.index.topics import give_topics
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.types import Matrix, Paper

# Not imported here: every test process would hold its 500 MB.
missing = find_spec("bertopic") is None
SUBJECTS = (
    "graph nodes edges networks message passing",
    "image diffusion pixels noise generation",
    "speech audio phonemes acoustic recognition",
)


def papers(first: int, count: int) -> tuple[list[Paper], Matrix]:
    """Papers of the three subjects in turn, with vectors close to those of their subject."""
    centres = np.eye(3, 768)
    random = np.random.default_rng(first)
    found = [
        Paper(f"2401.{n:05}", f"Paper {n}", " ".join(random.permutation(SUBJECTS[n % 3].split())))
        for n in range(first, first + count)
    ]
    rows = np.stack([centres[n % 3] for n in range(first, first + count)])
    rows = rows + 0.02 * random.normal(size=rows.shape)
    return found, (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.slow
@pytest.mark.skipif(missing, reason="finding topics needs the extra [topics]")
def test_subjects_become_topics_and_new_papers_get_theirs(database: Path) -> None:
    table = table_of(str(database), "abstracts")
    index = open_index(str(database), create=True)
    index.upsert(*papers(0, 150))
    names = give_topics(index, table, Silent())
    index.upsert(*papers(150, 3))
    assert give_topics(index, table, Silent()) == names, "found once"
    topics = {paper.id: paper.topic for paper in index.papers()}
    index.close()
    assert len(names) == 3
    for subject, words in enumerate(SUBJECTS):
        given = {topics[f"2401.{n:05}"] for n in range(subject, 153, 3)}
        assert len(given) == 1 and set(given.pop().split(", ")) <= set(words.split())
