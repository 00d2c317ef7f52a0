"""A library to search, and a server that sees nothing of the person who runs the tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from ..retrieval.model_server import ModelServer
from .slow import SlowArxiv, SlowModel

ROOT = Path(__file__).resolve().parents[2]
PAPERS = 40  # of the sample library: enough to choose from, quickly embedded


@pytest.fixture(scope="session")
def library(model_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder with the model and a real Milvus Lite library in it."""
    from texgeist_latex.bib.parser import read_bib
    from texgeist_retrieval.embedding import load_embedder
    from texgeist_retrieval.index import open_index
    from texgeist_retrieval.types import Paper
    from texgeist_server.config import storage

    data = tmp_path_factory.mktemp("data")
    (data / "model").symlink_to(model_folder.resolve(), target_is_directory=True)
    source = ROOT / "examples" / "library.bib"
    entries = read_bib(source, source.read_text("utf-8")).entries[:PAPERS]
    papers = [
        Paper(
            id=entry.fields["eprint"],
            title=entry.fields["title"].replace("{", "").replace("}", ""),
            abstract=entry.fields["abstract"],
            authors=tuple(entry.fields["author"].split(" and ")),
            year=int(entry.fields["year"]),
            primary=entry.fields.get("primaryclass", ""),
        )
        for entry in entries
    ]
    embedder = load_embedder(data / "model")
    index = open_index(str(storage.library(data)), create=True)
    index.upsert(papers, embedder.embed_documents([paper.abstract for paper in papers]))
    index.close()
    yield data
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
    server = SlowArxiv()
    searching |= server.environment()
    yield server
    server.close()


@pytest.fixture
def slow_model() -> Iterator[SlowModel]:
    server = SlowModel()
    yield server
    server.close()


@pytest.fixture
def model() -> Iterator[ModelServer]:
    """A model's, which says what it is told to."""
    server = ModelServer()
    yield server
    server.close()
