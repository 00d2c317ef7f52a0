"""Every way in which an index can fail: each within its bound, each with a sentence that says what to do.

The bounds are 3 s for a connection and 5 s for a search."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from texgeist_retrieval.errors import IndexDenied, IndexMismatch, IndexMissing, IndexUnavailable, SearchError
from texgeist_retrieval.index import open_index
from texgeist_retrieval.index.collection import CONNECT_SECONDS, SEARCH_SECONDS
from texgeist_retrieval.index.milvus import MilvusIndex

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


def test_an_index_on_this_machine_is_asked_by_no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(0.5)
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        for name in ("no_proxy", "NO_PROXY", "no_grpc_proxy"):
            monkeypatch.delenv(name, raising=False)
        with pytest.raises(IndexUnavailable):
            open_index(f"http://localhost:{free_port()}", token=TOKEN, collection="x")
        with pytest.raises(TimeoutError):
            proxy.accept()


@pytest.mark.parametrize(
    ("address", "error", "words"),
    [
        ("nowhere.invalid:19530", IndexUnavailable, "nowhere.invalid"),
        *(
            (rest, IndexMissing, "is no address of a server")
            for rest in ("", "127.0.0.1:99999", "127.0.0.1:abc", "127.0.0.1:0", "[::1", "me:secret@[::1")
        ),
    ],
)
def test_a_wrong_address(address: str, error: type[SearchError], words: str) -> None:
    with within(CONNECT_SECONDS), pytest.raises(error) as caught:
        open_index(f"http://{address}")
    assert words in told(caught)


def test_a_host_that_never_answers(silent_port: int) -> None:
    with within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index(f"http://127.0.0.1:{silent_port}")
    assert "did not answer in time" in told(caught)


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
@pytest.mark.parametrize("kinds", [("INT64", "FLOAT_VECTOR"), ("VARCHAR", "BINARY_VECTOR")], ids=" ".join)
def test_fields_of_unknown_types(milvus_server: str, kinds: tuple[str, str]) -> None:
    from pymilvus import DataType, MilvusClient

    client = MilvusClient(milvus_server, token=TOKEN, timeout=10, dedicated=True)
    schema = client.create_schema(auto_id=False)
    length = {"max_length": 50} if kinds[0] == "VARCHAR" else {}
    schema.add_field("id", DataType[kinds[0]], is_primary=True, **length)
    schema.add_field("embedding", DataType[kinds[1]], dim=768)
    name = f"odd{uuid.uuid4().hex[:8]}"
    client.create_collection(name, schema=schema)
    with within(CONNECT_SECONDS), pytest.raises(IndexMismatch) as caught:
        open_index(milvus_server, token=TOKEN, collection=name)
    assert "is of the type " in told(caught)
    client.drop_collection(name)
    client.close()


@pytest.mark.milvus
def test_a_collection_that_is_not_loaded_any_more(milvus_server: str) -> None:
    """Released by whoever runs the server, after it was opened here."""
    from pymilvus import MilvusClient

    name = f"r{uuid.uuid4().hex[:8]}"
    index = open_index(milvus_server, token=TOKEN, collection=name, create=True)
    client = MilvusClient(milvus_server, token=TOKEN, timeout=10, dedicated=True)
    client.release_collection(name)
    with within(SEARCH_SECONDS), pytest.raises(IndexUnavailable) as caught:
        index.search(vectors_of(papers_of(1)), 3)
    assert "is not loaded yet" in told(caught)
    client.close()
    index.close()


def test_a_server_that_is_too_old_is_told_before_it_is_searched() -> None:
    class Old:
        def has_collection(self, name: str, **_: object) -> bool:
            return True

        def get_server_version(self, **_: object) -> str:
            return "v2.2.16"

    with pytest.raises(IndexMismatch) as caught:
        MilvusIndex(Old, "here", "abstracts", "all-mpnet-base-v2", 768)
    assert "version v2.2.16; searching by cosine needs 2.3" in caught.value.sentence()
    assert caught.value.help and not caught.value.retryable


def test_a_certificate_that_nobody_vouches_for(tmp_path: Path) -> None:
    with tls_server(tmp_path) as port, within(CONNECT_SECONDS), pytest.raises(IndexUnavailable) as caught:
        open_index(f"https://localhost:{port}")
    assert "by its certificate" in told(caught)


@contextmanager
def tls_server(folder: Path) -> Iterator[int]:
    """A server with a certificate that it signed itself."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *names, *files]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    context.set_alpn_protocols(["h2"])
    listener = socket.create_server(("127.0.0.1", 0))

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                with suppress(OSError):
                    context.wrap_socket(connection, server_side=True).close()

    threading.Thread(target=accept, daemon=True).start()
    yield int(listener.getsockname()[1])
    listener.close()


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
    with pytest.raises(IndexMismatch) as caught:
        open_index("/proc/nothing/library.db", create=True)
    assert "--index" in told(caught)
