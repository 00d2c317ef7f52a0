"""Users of a server with the rights to search and no others, as a team gives them; and with none at all."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from texgeist_retrieval.errors import IndexDenied, IndexReadOnly, IndexRefused
from texgeist_retrieval.index import milvus, open_index
from texgeist_retrieval.index.milvus import MilvusIndex

from ..milvus_server import TOKEN
from .conftest import papers_of, vectors_of

pytestmark = pytest.mark.milvus
READER, NOBODY = "reader:Reader22", "nobody:Nobody22"
PAPERS = papers_of(10)


@pytest.fixture(scope="module")
def full(milvus_server: str) -> Iterator[MilvusIndex]:
    from pymilvus import MilvusClient

    index = open_index(milvus_server, token=TOKEN, collection="roles", create=True)
    index.upsert(PAPERS, vectors_of(PAPERS))
    client = MilvusClient(milvus_server, token=TOKEN, timeout=10, dedicated=True)
    for token in (READER, NOBODY):
        client.create_user(*token.split(":"))
    client.create_role("may_search")
    for right in ("Search", "Query"):
        client.grant_privilege("may_search", "Collection", right, "roles")
    client.grant_role("reader", "may_search")
    wait_until_seen(milvus_server)
    yield index
    index.close()
    client.close()


def wait_until_seen(address: str) -> None:
    """Whoever did not write a row sees it a moment later, and a right is known a moment after it was given."""
    deadline = time.monotonic() + 60
    while (seen := rows_seen(address)) != (10, 10):
        assert time.monotonic() < deadline, seen
        time.sleep(0.1)


def rows_seen(address: str) -> tuple[int, int] | IndexDenied:
    """By the reader: found by a search, and counted."""
    with closing(open_index(address, token=READER, collection="roles")) as index:
        try:
            return len(index.search(vectors_of(PAPERS[:1]), 10)[0]), index.status().papers
        except IndexDenied as error:
            return error


def test_what_it_may_not_do_is_told(full: MilvusIndex, milvus_server: str) -> None:
    index = open_index(milvus_server, token=READER, collection="roles", writable=True)
    with pytest.raises(IndexReadOnly, match=r"search the index and not change it \(no right to Delete\)"):
        index.delete([PAPERS[0].id])
    with pytest.raises(IndexReadOnly, match="not change it"):
        index.upsert(PAPERS[:1], vectors_of(PAPERS[:1]))
    with pytest.raises(IndexReadOnly, match="not change it"):
        open_index(milvus_server, token=READER, collection="another", create=True)
    assert full.count() == 10
    index.close()


def test_a_role_without_rights_is_told_which_it_lacks(full: MilvusIndex, milvus_server: str) -> None:
    index = open_index(milvus_server, token=NOBODY, collection="roles")
    with pytest.raises(IndexDenied, match="no right to Search"):
        index.search(vectors_of(PAPERS[:1]), 3)
    index.close()


def test_what_is_opened_to_be_searched_cannot_be_written_to(full: MilvusIndex, milvus_server: str) -> None:
    """Whoever may do everything on the server, and forgets himself."""
    index = open_index(milvus_server, token=TOKEN, collection="roles")
    with pytest.raises(IndexReadOnly, match="opened to be searched"):
        index.delete([PAPERS[0].id])
    with pytest.raises(IndexReadOnly, match="opened to be searched"):
        index.upsert(PAPERS[:1], vectors_of(PAPERS[:1]))
    assert full.count() == 10
    index.close()


def test_a_server_says_which_rows_it_refuses(full: MilvusIndex, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the gate: it measures in bytes, and more strictly than a local index does."""
    monkeypatch.setattr(milvus, "admitted", lambda paper: paper)
    for odd in (replace(PAPERS[0], id="é" * 250), replace(PAPERS[0], title="x" * 100_000)):
        with pytest.raises(IndexRefused, match="exceeds max length"):
            full.upsert([odd], vectors_of(PAPERS[:1]))
