"""The door to the editor's own models: who may knock, and what a model may do that heeds nothing."""

from __future__ import annotations

import shutil
from pathlib import Path

from ..conftest import ROOT, absent
from .conftest import HERE, run


def test_the_door_is_for_the_server_alone_and_bounded(tmp_path: Path) -> None:
    if not shutil.which("node") or not (ROOT / "node_modules" / "esbuild").is_dir():
        absent("the extension's build tools are not installed: run `npm install` in the root")
    ran = run(["node", str(HERE / "vscode" / "door.mjs"), str(tmp_path)], {})
    ran.passed(
        "who has the token is answered",
        "a request without the token is refused",
        "a request by another name is refused",
        "a request too large is refused",
        "an answer of words without an end is cut",
        "an answer of nothing at all without an end is cut",
        "a model that does not heed a cancel is read no further",
        "with another writer chosen there is no door",
        "no token stands in the log",
    )
