"""A few hundred drawn worlds of benchmarks/latex/fuzz_paths.py, on every run."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

FUZZER = Path(__file__).parents[2] / "benchmarks" / "latex" / "fuzz_paths.py"


def test_drawn_projects_write_nothing_outside_and_read_no_secret() -> None:
    spec = importlib.util.spec_from_file_location("fuzz_paths", FUZZER)
    assert spec and spec.loader
    module = sys.modules["fuzz_paths"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tally = module.fuzz(150, 3)
    assert tally.rounds == 150 and tally.written > 40 and sum(tally.refused.values()) > 40
    assert tally.outside_writes == tally.secrets_read == tally.crashes == []
