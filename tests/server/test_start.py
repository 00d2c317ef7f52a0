"""An editor waits for the server's start: what a job needs is imported when there is one."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "numpy",
    "pymilvus",
    "pydantic",
    "anthropic",
    "openai",
    "texgeist_retrieval.pipeline",
    "texgeist_latex.writing.merge",
    "texgeist_retrieval.fulltext.arxiv",
)


def test_the_start_brings_nothing_heavy() -> None:
    code = (
        f"import sys, texgeist_server.lsp.server; print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
