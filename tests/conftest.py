"""What every test may ask for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The data beside the checkout. Its absence is a skip for people and a failure in CI."""
    folder = ROOT.parent / "shared" / "data"
    if folder.is_dir():
        return folder
    message = "the shared data folder is not beside this checkout (../shared/data)"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
