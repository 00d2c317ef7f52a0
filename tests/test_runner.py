"""How the test run itself ends."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from .conftest import ROOT, WORKER_DIED

DIES = "import os\ndef test_before(): pass\ndef test_dies(): os._exit(9)\ndef test_after(): pass\n"


def test_a_dead_worker_ends_the_run_with_an_error(tmp_path: Path) -> None:
    """Without the hook the run never ends: the files of the dead process are given to nobody."""
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_testnodedown\n")
    (tmp_path / "test_a.py").write_text(DIES)
    for name in "bcdef":
        (tmp_path / f"test_{name}.py").write_text("def test_passes(): pass\n")
    options = ["-n", "2", "--dist", "loadfile", "--rootdir", str(tmp_path), "-p", "no:cacheprovider"]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == WORKER_DIED, done.stdout + done.stderr
    assert "died" in done.stdout + done.stderr
