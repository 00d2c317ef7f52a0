"""The published weights, and a model hub of our own that gives them out."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest
from texgeist_retrieval.errors import ModelMissing

from ...conftest import absent
from ...http_server import got
from .original import FOLDER, put_together


@pytest.fixture(scope="session")
def original(test_tools: Path) -> Path:
    """The model as it was published, put together from its packages once."""
    folder = test_tools / FOLDER
    try:
        put_together(folder)
    except ModelMissing as error:
        absent(str(error))
    return folder


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

    with got(made.serve) as made.address:
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
