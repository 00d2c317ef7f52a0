"""Real Milvus: Lite behind its own server, and lines to a server that break."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import socket
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.shared_process import read_registration
from texgeist_retrieval.sources.records import Record, UnreadableRecord
from texgeist_retrieval.types import Matrix, Paper, Vector

TEXTS = ("Dense retrieval of passages", "Citations in drafts", "Half-lives of isotopes", "Étale cohomology")


class HashEmbedder:
    """Unit vectors from a text's hash: the same text, the same vector. Remembers what it embedded."""

    name = "all-mpnet-base-v2"
    dimension = 768

    def __init__(self, journal: Path | None = None) -> None:
        self.texts: list[str] = []
        self._journal = journal

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        self.texts += texts
        if self._journal:
            with self._journal.open("a") as file:
                file.writelines(f"{text}\n" for text in texts)
        return np.stack([vector_of(text) for text in texts])


def vector_of(text: str) -> Vector:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")
    vector = np.random.default_rng(seed).normal(size=768).astype(np.float32)
    return vector / np.linalg.norm(vector)


def papers_of(count: int, start: int = 0) -> list[Paper]:
    """Papers with old and new ids, dates, categories and topics."""
    return [
        Paper(
            id=f"hep-th/{n:07}" if n % 2 else f"2401.{n:05}",
            title=f"The “{n}” title",
            abstract=f"Abstract number {n}: {TEXTS[n % 4]}.",
            authors=("Ada Ö. Lovelace", "Émile de Rüdesheim"),
            year=2000 + n % 20,
            published=f"{2000 + n % 20}-03-04",
            primary="cs.CL" if n % 3 else "hep-th",
            categories=("cs.CL", "stat.ML") if n % 3 else ("hep-th",),
            topic=f"topic {n % 5}",
        )
        for n in range(start, start + count)
    ]


def vectors_of(papers: Sequence[Paper]) -> Matrix:
    return np.stack([vector_of(paper.abstract) for paper in papers])


def end_server(database: Path) -> None:
    """Ends the local server of an index, by its pid, and waits until it has let go."""
    registration = read_registration(database)
    if registration is None:
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(registration.pid, signal.SIGTERM)
    for _ in range(200):
        if not _alive(registration.pid):
            return
        time.sleep(0.05)


def _alive(pid: int) -> bool:
    with contextlib.suppress(OSError):
        os.waitpid(pid, os.WNOHANG)  # ours once its starter is gone or is us
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / "new" / "library.db"  # the folder is not there yet
    yield path
    end_server(path)


class Proxy:
    """A TCP line to a real server that can be frozen or cut while calls are under way."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._cut = False
        self._open = threading.Event()
        self._open.set()
        self._sockets: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def freeze(self) -> None:
        self._open.clear()

    def cut(self) -> None:
        self._cut = True
        with contextlib.suppress(OSError):  # closing alone leaves a waiting accept() to take one more
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for end in self._sockets:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if self._cut:
                    near.close()
                    return
                far = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=pair, daemon=True).start()

    def _pump(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                self._open.wait()
                target.sendall(data)


@pytest.fixture
def proxy(milvus_server: str) -> Iterator[Proxy]:
    made = Proxy(int(milvus_server.rsplit(":", 1)[1]))
    yield made
    made.cut()


@pytest.fixture
def silent_port() -> Iterator[int]:
    """A host that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield int(listener.getsockname()[1])


class ListSource:
    """Records that are in memory already."""

    def __init__(self, records: Iterable[Record | UnreadableRecord]) -> None:
        self._records = list(records)
        self.position = 0
        self.size: int | None = len(self._records)

    def __iter__(self) -> Iterator[Record | UnreadableRecord]:
        for self.position, record in enumerate(self._records, 1):  # noqa: B020
            yield record
