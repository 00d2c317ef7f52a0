"""What a team is told to run: users and roles, on a real server."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from texgeist_retrieval.errors import IndexDenied, IndexReadOnly
from texgeist_retrieval.index import open_index

from ..milvus_server import TOKEN
from .conftest import papers_of, vectors_of

pytestmark = pytest.mark.milvus
ROLES = Path(__file__).parents[3] / "deploy" / "roles.py"
READER, WRITER = "ada:Reader22", "nightly:Writer22"
PAPERS = papers_of(10)


def roles(
    address: str, *users: str, passwords: str = "", token: str = TOKEN
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(ROLES), address, "--collection", "team", *users],
        env={**os.environ, "TEXGEIST_ADMIN_TOKEN": token},
        input=passwords,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_editors_search_and_the_sync_writes(milvus_server: str) -> None:
    made = roles(milvus_server, "--reader", "ada", "--writer", "nightly", passwords="Reader22\nWriter22\n")
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout == "ada: texgeist_reader\nnightly: texgeist_writer\n"
    again = roles(milvus_server, "--reader", "ada", passwords="Another22\n")
    assert again.stdout == "ada: texgeist_reader, with the password as it was\n"
    index = open_index(milvus_server, token=WRITER, collection="team", create=True, writable=True)
    index.upsert(PAPERS, vectors_of(PAPERS))
    index.delete([PAPERS[9].id])
    reader = open_index(milvus_server, token=READER, collection="team", writable=True)
    deadline = time.monotonic() + 20
    while len(found := reader.search(vectors_of(PAPERS[3:4]), 10)[0]) != 9:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert found[0].paper == PAPERS[3]
    with pytest.raises(IndexReadOnly, match="not change it"):
        reader.upsert(PAPERS[:1], vectors_of(PAPERS[:1]))
    open_index(milvus_server, token=TOKEN, collection="others", create=True).close()
    with pytest.raises((IndexReadOnly, IndexDenied)):
        others = open_index(milvus_server, token=WRITER, collection="others", writable=True)
        others.upsert(PAPERS[:1], vectors_of(PAPERS[:1]))
    reader.close()
    index.close()


def test_faults_are_one_sentence(milvus_server: str) -> None:
    assert "TEXGEIST_ADMIN_TOKEN" in roles(milvus_server, token="").stderr
    wrong = roles(milvus_server, token="root:wrong")
    assert wrong.returncode == 1 and "Traceback" not in wrong.stderr
