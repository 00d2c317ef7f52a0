"""A real Milvus server (the `milvus` package) with users and passwords. For tests and benchmarks."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from texgeist_retrieval.types import Matrix, Paper

TOKEN = "root:Milvus"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def running(folder: Path) -> Iterator[str]:
    """The address of a server that keeps its data in `folder`; ended at the end. One at a time on a machine:
    beside the port that it is told, it takes ten that it cannot be told (etcd's, the coordinators')."""
    lock = Path(tempfile.gettempdir()) / f"texgeist-milvus-{os.getuid()}.lock"
    with FileLock(lock):
        _end_left_behind(lock.with_suffix(".pid"))
        yield from _running(folder, lock.with_suffix(".pid"))


def _end_left_behind(noted: Path) -> None:
    """Ends the server of a test run that was killed: it would hold the ports. Only one that was started here."""
    with contextlib.suppress(OSError, ValueError):
        pid = int(noted.read_text())
        if b"milvus-server" in Path(f"/proc/{pid}/cmdline").read_bytes():
            os.killpg(pid, signal.SIGKILL)
            time.sleep(1)


def _running(folder: Path, noted: Path) -> Iterator[str]:
    port = free_port()
    program = Path(sys.executable).with_name("milvus-server")
    command = [str(program), "--data", str(folder), "--proxy-port", str(port)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            [*command, "--authorization-enabled", "true"], stdout=log, stderr=log, start_new_session=True
        )
    noted.write_text(str(server.pid))
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}"
    finally:  # the wrapper leaves its child behind: both are in the group that we made
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGKILL)
        server.wait()
        noted.unlink(missing_ok=True)


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    from pymilvus import MilvusClient
    from pymilvus.exceptions import MilvusException

    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        assert server.poll() is None, "Milvus did not start"
        with contextlib.suppress(OSError, MilvusException):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            client = MilvusClient(f"http://127.0.0.1:{port}", token=TOKEN, timeout=3)
            client.list_collections(timeout=3)
            client.close()
            return
        time.sleep(0.2)
    raise AssertionError("Milvus did not answer")


def make_hosted(address: str, name: str, kind: str = "FLAT", **built: int) -> Any:
    """A client, after it made a collection as Citegeist's authors make it, to the field: no titles, no dates,
    no categories, and topics by number. `kind` of index, and how it is `built`: theirs is FLAT."""
    from pymilvus import DataType, MilvusClient

    client = MilvusClient(address, token=TOKEN, timeout=30)
    schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
    schema.add_field("id", DataType.VARCHAR, max_length=50, is_primary=True)
    schema.add_field("embedding", DataType.FLOAT_VECTOR, dim=768)
    schema.add_field("hash", DataType.VARCHAR, max_length=64)
    schema.add_field("topic", DataType.INT64)
    index = client.prepare_index_params()
    index.add_index("embedding", index_type=kind, metric_type="COSINE", params=built)
    client.create_collection(name, schema=schema, index_params=index)
    return client


@contextlib.contextmanager
def hosted_collection(
    address: str,
    name: str,
    papers: Sequence[Paper],
    vectors: Matrix,
    topics: Sequence[int] = (),
    kind: str = "FLAT",
    **built: int,
) -> Iterator[None]:
    """Such a collection with `papers` in it, of topic 0 without `topics`. `vectors` are unit rows, one a paper."""
    client = make_hosted(address, name, kind, **built)
    numbers = list(topics) or [0] * len(papers)
    rows = zip(papers, np.asarray(vectors, dtype=np.float32), numbers, strict=True)
    filled = [
        {"id": paper.id, "embedding": vector, "hash": _digest(paper), "topic": topic}
        for paper, vector, topic in rows
    ]
    for start in range(0, len(filled), 1000):
        client.insert(name, filled[start : start + 1000])
    client.flush(name)
    client.load_collection(name)
    try:
        yield
    finally:
        client.drop_collection(name)
        client.close()


def _digest(paper: Paper) -> str:
    return hashlib.sha256(paper.abstract.encode()).hexdigest()
