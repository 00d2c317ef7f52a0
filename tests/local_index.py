"""Indexes on this machine, as tests fill them by the command line, and the servers that hold them."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from texgeist_retrieval.types import Matrix, Vector
from texgeist_server.cli import build
from typer.testing import CliRunner, Result


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
    assert done.exit_code == code, f"{done.stdout}{done.stderr}{done.exception!r}"
    assert "Traceback" not in done.stderr
    return done


def end_servers(folder: Path) -> None:
    """Ends the servers of all indexes below the folder, by their pids."""
    for registration in folder.rglob("*.server.json"):
        os.kill(json.loads(registration.read_text())["pid"], signal.SIGTERM)
