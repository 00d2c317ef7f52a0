"""An index with little on the draft's subject says so; a small one of the right field does not."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.strands.selection import closeness, has_little, threshold
from texgeist_retrieval.types import Candidate, Paper


def found(*similarities: float, vectors: bool = True) -> list[Candidate]:
    vector = np.ones(3, dtype=np.float32) if vectors else None
    return [Candidate(Paper(str(n), "t"), s, n, vector=vector) for n, s in enumerate(similarities)]


@pytest.mark.parametrize(
    ("similarities", "papers", "little"),
    [
        ([0.45] * 20, 300, False),  # a small library of the field
        ([0.45] * 20, 16_000, True),  # so many papers, and none nearer
        ([0.6] * 20, 1_000_000, False),
        ([0.9] + [0.1] * 20, 300, True),  # one neighbour is no field
        ([0.6] * 3, 3, False),
    ],
)
def test_by_the_nearest_and_the_size(similarities: list[float], papers: int, little: bool) -> None:
    assert has_little(found(*similarities), papers) == little


def test_what_tells_nothing_raises_no_alarm() -> None:
    assert not has_little([], 0)
    assert not has_little(found(0.1, vectors=False), 300)
    assert closeness(np.array([], dtype=np.float32)) == 0.0


def test_the_more_papers_the_nearer_the_nearest_must_be() -> None:
    sizes = [0, 300, 3000, 30_000, 3_000_000]
    assert [threshold(n) for n in sizes] == sorted(threshold(n) for n in sizes)
    assert threshold(10**9) == threshold(10**7)
