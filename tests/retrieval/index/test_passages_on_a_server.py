"""Passages of full papers on a real Milvus server: the same code as for Milvus Lite."""

from __future__ import annotations

from contextlib import closing

import pytest
from texgeist_retrieval.errors import IndexMissing
from texgeist_retrieval.index.passages import open_passages
from texgeist_retrieval.types import Passage

from ..milvus_server import TOKEN

pytestmark = pytest.mark.milvus


def passage(paper: str, place: int, page: int | None = 3) -> Passage:
    text = f"Passage {place} of {paper}, with Ünïcode and \\alpha."
    return Passage(paper, page, text, None, "results", "3 Results", place)


def test_passages_go_in_are_read_and_leave_with_their_paper(milvus_server: str) -> None:
    name = "full_papers"
    with pytest.raises(IndexMissing):
        open_passages(milvus_server, token=TOKEN, collection=name)
    made = [passage("a", 1), passage("a", 2, None), passage("b", 1)]
    with closing(
        open_passages(milvus_server, token=TOKEN, collection=name, create=True, writable=True)
    ) as index:
        index.put(made)
        index.put(made[:1])  # once more is still once
    with closing(open_passages(milvus_server, token=TOKEN, collection=name, writable=True)) as index:
        assert index.count_by_paper() == {"a": 2, "b": 1}
        assert sorted(index.passages(), key=lambda p: (p.paper_id, p.place)) == made
        index.remove(["a"])
        assert index.count_by_paper() == {"b": 1} and index.count() == 1
