"""What every test may ask for. Where something is not there, people's runs skip and CI fails."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

# CI draws the same examples every time, so that a landing does not hang on luck; people's runs explore.
settings.register_profile("ci", derandomize=True, deadline=None)
if os.environ.get("CI"):
    settings.load_profile("ci")

ROOT = Path(__file__).resolve().parent.parent


@cache
def _run_together(file: str) -> str:
    """What `file`'s tests must not run beside: another file's of the same name. One Milvus server runs on a
    machine at a time, and editors share a data folder and wait for the clock."""
    if file.startswith("tests/editors/"):
        return "editors"
    if file.startswith("tests/retrieval/index/") or "milvus_server" in (ROOT / file).read_text("utf-8"):
        return "milvus"
    return file


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `-n`, hands out whole files, and those that must follow each other to one process."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return _run_together(nodeid.split("::", 1)[0])

    return ByFile(config, log)


WORKER_DIED = 70  # the exit code; 1 would mean that tests failed, and these are repeated


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object | None) -> None:
    """Ends the run when a process of `-n` dies, killed for its memory say: pytest-xdist would start another, never
    give it the files of the dead one, and wait for them without end."""
    if error:
        worker = node.gateway.id
        pytest.exit(
            f"The test process {worker} died ({error}). Out of memory? Run its files alone.", WORKER_DIED
        )


def absent(message: str) -> None:
    """Skips the test; in CI, where everything must be there, fails it."""
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message, allow_module_level=True)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real projects, citation data and API answers, beside the checkout."""
    folder = ROOT.parent / "shared" / "data"
    if not folder.is_dir():
        absent("the shared data folder is not beside this checkout (../shared/data)")
    return folder


@pytest.fixture(scope="session")
def test_tools() -> Path:
    """Where `scripts/test-tools` installs editors and browsers' libraries."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(os.environ.get("TEXGEIST_TEST_TOOLS") or cache / "texgeist-tests")


@pytest.fixture(scope="session")
def model_folder(test_tools: Path) -> Path:
    """The embedding model, fetched once by `scripts/test` into the folder of the test tools."""
    from texgeist_retrieval.embedding import is_fetched

    folder = test_tools / "data" / "model"
    if not is_fetched(folder):
        absent(f"the embedding model is not in {folder}: scripts/test fetches it")
    return folder
