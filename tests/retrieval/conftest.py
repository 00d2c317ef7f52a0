"""A local arXiv and a real Milvus, for whoever asks."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from .arxiv_server import Arxiv, serving
from .milvus_server import running
from .model_server import ModelServer


@pytest.fixture
def arxiv() -> Iterator[Arxiv]:
    with serving(Arxiv()) as state:
        yield state


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model's, which says what it is told to."""
    running = ModelServer()
    yield running
    running.close()


@pytest.fixture(params=["anthropic", "openai"])
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def answers(shared_data: Path) -> Callable[[str], tuple[int, bytes]]:
    """A real answer of the API by the beginning of its file's name: status and body."""

    def answer(name: str) -> tuple[int, bytes]:
        (path,) = (shared_data / "arxiv" / "api").glob(f"{name}_s0_m100_*.json")
        record = json.loads(path.read_text(encoding="utf-8"))
        return record["status_code"], record["body"].encode()

    return answer


@pytest.fixture(scope="session")
def milvus_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a real Milvus with users and passwords; the pair of `milvus_server.TOKEN` is let in."""
    if not find_spec("milvus"):
        message = "Milvus is not installed: pip install --no-deps milvus==2.3.5"
        pytest.fail(message) if os.environ.get("CI") else pytest.skip(message)
    with running(tmp_path_factory.mktemp("milvus")) as address:
        yield address
