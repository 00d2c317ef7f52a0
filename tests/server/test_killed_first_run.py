"""A first run that is killed leaves an index that its user may go on filling, and that nobody else can read."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from texgeist_retrieval.index.hashes import table_of

from ..local_index import end_servers

OPEN_TO_WRITE = """
import sys
from texgeist_retrieval.monitor import Silent
from texgeist_server.config.credentials import Keys
from texgeist_server.config.settings import Settings
from texgeist_server.library.own_index import writing
with writing(Settings(), Keys(), Silent(), index=sys.argv[1]) as opened:
    print(opened.index.count())
"""


def open_to_write(index: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", OPEN_TO_WRITE, str(index)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_killed_as_soon_as_the_index_exists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEXGEIST_DATA", str(tmp_path / "data"))
    index = tmp_path / "new.db"
    first, deadline = open_to_write(index), time.monotonic() + 60
    while not index.exists():
        assert time.monotonic() < deadline and first.poll() is None
        time.sleep(0.002)
    first.send_signal(signal.SIGKILL)
    first.communicate()
    try:
        again = open_to_write(index)
        out, err = again.communicate(timeout=90)
        assert (again.returncode, out.strip()) == (0, "0"), err
        kept = [
            index,
            table_of(str(index), "abstracts"),
            *index.rglob("*"),
            *tmp_path.glob("new.db.server.log"),
        ]
        assert {str(path): oct(path.stat().st_mode) for path in kept if path.stat().st_mode & 0o077} == {}
    finally:
        end_servers(tmp_path, seconds=20)
