"""Every way in which an index can fail: each within its bound, each with a sentence that says what to do.

The bounds are 3 s for a connection and 5 s for a search."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from texgeist_retrieval.errors import IndexDenied, IndexMismatch, IndexMissing, IndexUnavailable, SearchError
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.collection import CONNECT_SECONDS, SEARCH_SECONDS

from ..milvus_server import TOKEN, free_port
from .conftest import Proxy, papers_of, vectors_of

MARGIN = 1.5  # seconds for threads that wait for a processor, and for the sentence


@contextmanager
def within(seconds: float) -> Iterator[None]:
    import pymilvus  # noqa: F401 - its import is no part of the bound

    started = time.monotonic()
    yield
    took = time.monotonic() - started
    print(f"told after {took:.2f} s, bound {seconds:.0f} s")
    assert took < seconds + MARGIN


def told(error: pytest.ExceptionInfo[SearchError]) -> str:
    """What people read: it says what to do, and never shows the token."""
    assert error.value.help
    assert "Milvus" not in error.value.sentence() and "secret" not in error.value.sentence()
    return error.value.sentence()


def test_a_refused_connection(capfd: pytest.CaptureFixture[str]) -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index(f"http://127.0.0.1:{free_port()}", token="me:secret")
    assert "cannot be reached" in told(caught)
    assert caught.value.retryable
    assert capfd.readouterr().err == "", "pymilvus and gRPC keep their tracebacks to themselves"


def test_a_name_that_does_not_exist() -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index("http://nowhere.invalid:19530")
    assert "nowhere.invalid" in told(caught)


def test_a_host_that_never_answers(silent_port: int) -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index(f"http://127.0.0.1:{silent_port}")
    assert "did not answer in time" in told(caught)


@pytest.mark.milvus
@pytest.mark.parametrize("token", ["", "root:secret", "nobody:Milvus2"])
def test_a_wrong_token(milvus_server: str, token: str) -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexDenied) as caught:
        open_index(milvus_server, token=token)
    assert "TEXGEIST_INDEX_TOKEN" in caught.value.sentence()
    assert not caught.value.retryable


@pytest.mark.milvus
def test_a_wrong_token_after_a_right_one(milvus_server: str) -> None:
    """Connections are not shared: a second user is asked for the password again."""
    first = open_index(milvus_server, token=TOKEN, collection="shared", create=True)
    with pytest.raises(IndexDenied):
        open_index(milvus_server, token="root:secret", collection="shared")
    assert first.count() == 0
    first.close()


@pytest.mark.milvus
def test_encryption_asked_for_is_never_left_out(milvus_server: str) -> None:
    """After a plain connection to the same host, `https` must fail on a server without TLS."""
    plain = open_index(milvus_server, token=TOKEN, collection="plain", create=True)
    with within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index(milvus_server.replace("http:", "https:"), token=TOKEN, collection="plain")
    told(caught)
    plain.close()


@pytest.mark.milvus
def test_a_wrong_collection(milvus_server: str) -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexMissing) as caught:
        open_index(milvus_server, token=TOKEN, collection="nothing_here")
    assert "nothing_here" in told(caught)


@pytest.mark.milvus
def test_a_wrong_dimension(milvus_server: str) -> None:
    open_index(milvus_server, token=TOKEN, collection="small", dimension=384, create=True).close()
    with within(CONNECT_SECONDS), pytest.raises(IndexMismatch) as caught:
        open_index(milvus_server, token=TOKEN, collection="small")
    assert "384" in told(caught)


@pytest.mark.milvus
@pytest.mark.parametrize("way", ["freeze", "cut"])
def test_a_server_dying_in_mid_search(milvus_server: str, proxy: Proxy, way: str) -> None:
    index = open_index(
        f"http://127.0.0.1:{proxy.port}", token=TOKEN, collection=f"d{uuid.uuid4().hex[:8]}", create=True
    )
    papers = papers_of(5)
    index.upsert(papers, vectors_of(papers))
    assert index.search(vectors_of(papers[:1]), 3)[0]
    getattr(proxy, way)()
    with within(SEARCH_SECONDS), pytest.raises(IndexUnavailable) as caught:
        index.search(vectors_of(papers[:1]), 3)
    told(caught)
    index.close()


def test_a_local_index_that_another_program_holds(tmp_path: object) -> None:
    """A notebook that has the file open: said by name, not "Open local milvus failed"."""
    from pathlib import Path

    from milvus_lite.db import MilvusLite
    from texgeist_retrieval.index import local

    path = Path(str(tmp_path)) / "held.db"
    holder = MilvusLite(str(path))
    before, local.START_SECONDS = local.START_SECONDS, 6.0
    try:
        with pytest.raises(IndexUnavailable) as caught:
            open_index(str(path))
    finally:
        local.START_SECONDS = before
        holder.close()
    assert "another program has it open" in caught.value.sentence()


def test_a_folder_that_cannot_be_written() -> None:
    with pytest.raises(IndexUnavailable) as caught:
        open_index("/proc/nothing/library.db", create=True)
    assert "--index" in told(caught)
