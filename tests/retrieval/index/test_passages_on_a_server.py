"""Passages of full papers on a real Milvus server: the same code as for Milvus Lite."""

from __future__ import annotations

from contextlib import closing

import numpy as np
import pytest
from texgeist_retrieval.errors import IndexMissing
from texgeist_retrieval.index.passages import open_passages
from texgeist_retrieval.types import Passage

from ..milvus_server import TOKEN

pytestmark = pytest.mark.milvus


def passage(paper: str, place: int, axis: int, page: int | None = 3) -> Passage:
    vector = np.zeros(8, np.float32)
    vector[axis] = 1.0
    text = f"Passage {place} of {paper}, with Ünïcode and \\alpha."
    return Passage(paper, page, text, vector, "results", "3 Results", place)


def test_passages_go_in_are_searched_and_leave_with_their_paper(milvus_server: str) -> None:
    name = "full_papers"
    with pytest.raises(IndexMissing):
        open_passages(milvus_server, token=TOKEN, collection=name)
    made = [passage("a", 1, 0), passage("a", 2, 1, None), passage("b", 1, 2)]
    with closing(
        open_passages(
            milvus_server, token=TOKEN, collection=name, model="m", dimension=8, create=True, writable=True
        )
    ) as index:
        index.put(made)
        index.put(made[:1])  # once more is still once
    with closing(open_passages(milvus_server, token=TOKEN, collection=name, writable=True)) as index:
        assert index.model == "m" and index.count_by_paper() == {"a": 2, "b": 1}
        (found,) = index.search(made[1].vector[None], 2)  # type: ignore[index]
        first, nearness = found[0]
        assert (first.paper_id, first.place, first.page) == ("a", 2, None) and nearness > 0.99
        assert (first.text, first.heading, first.section) == (made[1].text, "3 Results", "results")
        assert {(p.paper_id, p.place) for p in index.passages()} == {("a", 1), ("a", 2), ("b", 1)}
        index.remove(["a"])
        assert index.count_by_paper() == {"b": 1} and index.count() == 1
