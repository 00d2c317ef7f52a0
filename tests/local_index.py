"""Indexes on this machine, as tests fill them by the command line, and the servers that hold them."""

from __future__ import annotations

import gzip
import json
import logging
import os
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from texgeist_retrieval.shared_process import is_served
from texgeist_retrieval.types import Matrix, Vector
from texgeist_server.cli import build
from texgeist_server.library import syncing
from typer.testing import CliRunner, Result

from .json_answers import hold

Run = Callable[..., Result]


class Quick:
    """Vectors of abstracts, for tests that do not look at them."""

    name, dimension = "all-mpnet-base-v2", 768

    def embed_query(self, text: str) -> Vector:
        return self.embed_documents([text])[0]

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        return np.tile(np.eye(1, 768, dtype=np.float32), (len(texts), 1))


def called(arguments: Sequence[str], code: int = 0) -> Result:
    """A command line, run in this process, which spares each its imports."""
    done = CliRunner().invoke(build(arguments[0]), list(arguments))
    close_logs()
    assert done.exit_code == code, f"{done.stdout}{done.stderr}{done.exception!r}"
    assert "Traceback" not in done.stderr, done.stderr
    hold(arguments, done.stdout)
    return done


def commands(monkeypatch: pytest.MonkeyPatch, folder: Path, data: Path) -> Run:
    """Runs command lines from the folder, with settings of its own."""
    monkeypatch.setenv("TEXGEIST_DATA", str(data))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(folder / "config.toml"))
    monkeypatch.chdir(folder)

    def call(*arguments: str, config: str = "", code: int = 0) -> Result:
        (folder / "config.toml").write_text(config)
        return called(arguments, code)

    return call


def close_logs() -> None:
    """Closes the log files that a command has opened in this process."""
    for name in ("texgeist_latex", "texgeist_retrieval", "texgeist_server"):
        for handler in logging.getLogger(name).handlers[:]:
            logging.getLogger(name).removeHandler(handler)
            handler.close()


@contextmanager
def shelf_of(folder: Path, records: Sequence[Mapping[str, object]]) -> Iterator[Path]:
    """A data folder whose index holds these full papers, as lines of JSON."""
    source = folder / "papers.jsonl.gz"
    with gzip.open(source, "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TEXGEIST_DATA", str(folder))
        patch.setenv("TEXGEIST_CONFIG", str(folder / "none.toml"))
        patch.setattr(syncing, "build_embedder_of_papers", lambda *_, **__: Quick())
        called(["index", "add", str(source)])
    yield folder
    end_servers(folder)


def end_servers(folder: Path, *, seconds: float = 0) -> None:
    """Ends the servers of all indexes below the folder, by their pids. With `seconds`, waits at most so long until they
    have let go of their files: one that is ending still removes some, under the feet of who looks through the folder."""
    registrations = list(folder.rglob("*.server.json"))
    for registration in registrations:
        os.kill(json.loads(registration.read_text())["pid"], signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while seconds and any(is_served(_database(one)) for one in registrations):
        assert time.monotonic() < deadline, "a server did not end"
        time.sleep(0.05)


def _database(registration: Path) -> Path:
    return registration.with_name(registration.name.removesuffix(".server.json"))
