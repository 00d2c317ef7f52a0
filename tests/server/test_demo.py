"""The README shows what `scripts/demo` writes today."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import demo

from ..conftest import ROOT
from ..local_index import end_servers


def keys(latex: str) -> list[str]:
    return sorted(key for found in re.findall(r"\\cite[pt]\{([^}]*)\}", latex) for key in found.split(","))


@pytest.mark.model
def test_the_section_in_the_readme_is_the_demos(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is cited: the words of two machines may differ where two papers are equally close."""
    data = tmp_path / "data"
    data.mkdir()
    (data / "model").symlink_to(model_folder.resolve(), target_is_directory=True)
    monkeypatch.setenv("TEXGEIST_DATA", str(data))
    monkeypatch.setenv("TEXGEIST_CONFIG", str(tmp_path / "none.toml"))
    for name, part in (("SCRATCH", ""), ("LIBRARY", "library.db"), ("PAPER", "paper")):
        monkeypatch.setattr(demo, name, tmp_path / "demo" / part)
    try:
        demo.main()
    finally:
        end_servers(tmp_path)
    written = (tmp_path / "demo" / "paper" / "main.tex").read_text().split("% texgeist:begin")[1]
    shown = (ROOT / "README.md").read_text().split("<!-- demo:begin -->")[1].split("<!-- demo:end -->")[0]
    assert keys(written.split("% texgeist:end")[0]) == keys(shown) != []
