"""A library to search, and a server that sees nothing of the person who runs the tests."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..local_index import end_servers
from ..retrieval.model_server import ModelServer
from .slow import SlowArxiv, SlowModel, running

ROOT = Path(__file__).resolve().parents[2]
PAPERS = 40  # of the sample library: enough to choose from, quickly embedded


@pytest.fixture(scope="session")
def library(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the model and a real Milvus Lite library in it. Filled by a process of its own: the model
    would stay in the memory of this one, 430 MB."""
    data = tmp_path_factory.mktemp("data")
    (data / "model").symlink_to(model_folder.resolve(), target_is_directory=True)
    entries = (ROOT / "examples" / "library.bib").read_text("utf-8").split("\n@misc{")[: PAPERS + 1]
    (data / "papers.bib").write_text("\n@misc{".join(entries), "utf-8")
    command = [sys.executable, "-m", "texgeist_server", "index", "add", str(data / "papers.bib")]
    chosen = {"TEXGEIST_DATA": str(data), "TEXGEIST_CONFIG": str(data / "no-config.toml")}
    subprocess.run(command, env={**os.environ, **chosen}, check=True, timeout=400)
    yield data
    with contextlib.suppress(ProcessLookupError):  # it ends by itself when nobody asks it
        end_servers(data)
    shutil.rmtree(data, ignore_errors=True)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """No settings, no keys, no data."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return {
        **kept,
        "TEXGEIST_CONFIG": str(tmp_path / "no-config.toml"),
        "TEXGEIST_DATA": str(tmp_path / "no-data"),
    }


@pytest.fixture
def searching(env: dict[str, str], library: Path) -> dict[str, str]:
    """As `env`, with the library."""
    return {**env, "TEXGEIST_DATA": str(library)}


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """The sample paper, in several files, in a folder with a space in its name."""
    folder = tmp_path / "my paper"
    shutil.copytree(ROOT / "examples" / "paper", folder)
    return folder


@pytest.fixture
def slow_arxiv(searching: dict[str, str]) -> Iterator[SlowArxiv]:
    """`searching` leads to it."""
    with running(SlowArxiv()) as server:
        searching |= server.environment()
        yield server


@pytest.fixture
def slow_model() -> Iterator[SlowModel]:
    with running(SlowModel()) as server:
        yield server


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model's, which says what it is told to."""
    server = ModelServer()
    yield server
    server.close()
