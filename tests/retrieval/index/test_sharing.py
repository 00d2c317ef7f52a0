"""Several programs, one local index: editor windows and command lines at once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socketserver
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from texgeist_retrieval.index import open_index
from texgeist_retrieval.shared_process import (
    Registration,
    lock_file,
    read_registration,
    register,
    registration_file,
)

from .conftest import end_server, papers_of, vectors_of

PROGRAM = """
import sys, json
from pathlib import Path
sys.path.insert(0, sys.argv[3])
from conftest import papers_of, vectors_of
from texgeist_retrieval.index import open_index
from texgeist_retrieval.shared_process import read_registration
number = int(sys.argv[2])
index = open_index(sys.argv[1], create=True)
papers = papers_of(50, start=50 * number)
for start in range(0, 50, 10):
    index.upsert(papers[start:start + 10], vectors_of(papers[start:start + 10]))
    assert index.search(vectors_of(papers[start:start + 1]), 1)[0][0].paper.id == papers[start].id
print(json.dumps(read_registration(Path(sys.argv[1])).pid))
index.close()
"""


def test_four_programs_at_once_find_one_server(database: Path) -> None:
    """None of them is there first; all write and search; nothing is lost and nobody waits for ever."""
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(database), str(number), str(Path(__file__).parent)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for number in range(4)
    ]
    ended = [program.communicate(timeout=170) for program in programs]

    assert [program.returncode for program in programs] == [0] * 4, [err for _, err in ended]
    assert len({json.loads(out) for out, _ in ended}) == 1, "one server"
    assert [err for _, err in ended] == [b""] * 4
    index = open_index(str(database))
    assert index.count() == 200
    index.close()


def test_a_search_survives_the_death_of_the_server(database: Path) -> None:
    papers = papers_of(10)
    index = open_index(str(database), create=True)
    index.upsert(papers, vectors_of(papers))
    killed = read_registration(database)
    assert killed is not None
    os.kill(killed.pid, signal.SIGKILL)

    found = index.search(vectors_of(papers[4:5]), 1)[0]

    assert found[0].paper == papers[4]
    now = read_registration(database)
    assert now is not None and now.pid != killed.pid
    index.close()


@contextlib.contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """A stranger's program on loopback, and what was said to it."""
    heard: list[bytes] = []

    class Ear(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            heard.append(self.request.recv(4096))

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Ear) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_address[1], heard
        server.shutdown()


@pytest.mark.parametrize("locked", [False, True])
def test_a_registration_that_came_with_an_index_calls_nobody(database: Path, locked: bool) -> None:
    """Packed with an index, it names a port of another user's: of this machine's, or of a container's."""
    open_index(str(database), create=True).close()
    end_server(database)
    with listening() as (port, heard):
        register(database, Registration(os.getpid(), port, "stranger"))
        if locked:
            lock_file(database).write_bytes(b"")  # as it was packed: nobody holds it
        index = open_index(str(database))
        assert index.count() == 0
        index.close()
    assert heard == []


@pytest.mark.parametrize(
    "text",
    [
        *["", "[", "[" * 100_000, "{}", "null", '{"pid": 1, "port": "80@example.org", "token": "a"}'],
        *['{"pid": 1, "port": -1, "token": "a"}', '{"pid": 1, "port": 70000, "token": "a"}'],
        *['{"pid": 1, "port": [], "token": "a"}', '{"pid": 1, "port": true, "token": "a"}'],
        *[
            '{"pid": 1, "port": 1, "token": {}}',
            '{"pid": 1, "port": 1, "token": "a\\r\\nb"}',
            '{"pid":1}' + " " * 5000,
        ],
    ],
)
def test_a_registration_that_is_none_is_passed_over(text: str, tmp_path: Path) -> None:
    file = registration_file(tmp_path / "library.db")
    file.touch(0o600)
    file.write_text(text)
    assert read_registration(tmp_path / "library.db") is None


@pytest.mark.skipif(os.name == "nt", reason="modes and pipes of POSIX")
def test_only_a_private_file_is_a_registration(tmp_path: Path) -> None:
    database = tmp_path / "library.db"
    file, known = registration_file(database), Registration(1, 1, "a")
    register(database, known)
    assert read_registration(database) == known
    file.chmod(0o644)
    assert read_registration(database) is None
    file.unlink()
    os.mkfifo(file, 0o600)
    assert read_registration(database) is None  # and waits for no writer
    file.unlink()
    register(tmp_path / "other.db", known)
    file.symlink_to(registration_file(tmp_path / "other.db"))
    assert read_registration(database) is None


def test_the_server_keeps_others_out(database: Path) -> None:
    """Other users of the machine reach loopback, too: without the token nothing is answered, and the
    token is readable by its owner alone."""
    from pymilvus import MilvusClient
    from pymilvus.exceptions import MilvusException

    open_index(str(database), create=True).close()
    server = read_registration(database)
    assert server is not None
    assert registration_file(database).stat().st_mode & 0o077 == 0
    with pytest.raises(MilvusException) as caught:
        MilvusClient(f"http://127.0.0.1:{server.port}", token="guess", timeout=5, dedicated=True)
    cause = caught.value.__cause__
    assert isinstance(cause, grpc.RpcError)
    assert cause.code() is grpc.StatusCode.UNAUTHENTICATED


def test_the_server_ends_when_nobody_calls(database: Path) -> None:
    database.parent.mkdir(parents=True)
    command = [sys.executable, "-m", "texgeist_retrieval.index.lite_server", str(database), "1"]
    server = subprocess.Popen(command)
    assert server.wait(timeout=60) == 0
    assert read_registration(database) is None


def test_the_server_ends_when_its_file_is_gone(database: Path) -> None:
    import shutil

    open_index(str(database), create=True).close()
    server = read_registration(database)
    assert server is not None
    shutil.rmtree(database)
    deadline = time.monotonic() + 30
    while registration_file(database).exists():
        assert time.monotonic() < deadline
        time.sleep(0.05)
