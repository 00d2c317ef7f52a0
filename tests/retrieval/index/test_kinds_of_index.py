"""What a search asks of the index that a server's owner chose."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest
from texgeist_retrieval.index import open_index
from texgeist_retrieval.types import Matrix

from ..milvus_server import TOKEN, hosted_collection
from .conftest import papers_of

ROWS, TOP = 2000, 60  # a segment of fewer than 1024 rows is not indexed


def unit_rows(count: int, seed: int) -> Matrix:
    rows = np.random.default_rng(seed).normal(size=(count, 768)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@pytest.mark.milvus
def test_enough_lists_of_an_index_are_looked_through(milvus_server):
    ours, unasked = searched(milvus_server, "IVF_FLAT", nlist=32)
    assert ours > 0.99 and unasked < 0.9


def searched(address: str, kind: str, **built: Any) -> tuple[float, float]:
    """Recall of the product's search, and of one that asks for nothing."""
    name, papers, vectors = f"kind_{kind}", papers_of(ROWS), unit_rows(ROWS, 1)
    queries = unit_rows(5, 2)
    near = [{papers[row].id for row in np.argsort(-scores)[:TOP]} for scores in queries @ vectors.T]
    with hosted_collection(address, name, papers, vectors, kind=kind, **built):
        index = open_index(address, token=TOKEN, collection=name)
        until_built(index)
        ours = [{hit.paper.id for hit in hits} for hits in index.search(queries, TOP)]
        bare = {"metric_type": "COSINE", "params": {}}
        found = index._client.search(
            name, data=list(queries), anns_field="embedding", limit=TOP, search_params=bare
        )
        index.close()
    unasked = [{hit["id"] for hit in hits} for hits in found]
    return recall(ours, near), recall(unasked, near)


def until_built(index) -> None:
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        about = index._client.describe_index(index._collection, "embedding")
        if about["state"] == "Finished" and int(about["indexed_rows"]) == ROWS:
            index._client.release_collection(index._collection)
            index._client.load_collection(index._collection)
            return
        time.sleep(0.5)
    raise AssertionError("the server did not build its index")


def recall(found: list[set[str]], near: list[set[str]]) -> float:
    return float(np.mean([len(ids & wanted) / TOP for ids, wanted in zip(found, near, strict=True)]))
