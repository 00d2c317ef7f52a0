"""What is called from outside: the command line's entry, the scripts that are named, the wheel that ships."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from texgeist_server import cli

from ..conftest import ROOT


def test_a_command_whose_module_is_missing_is_not_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(cli.COMMANDS, "gone", "no_such_module")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        cli.build()


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_every_script_that_is_named_is_there(page: str) -> None:
    named = set(re.findall(r"\bscripts/([\w-]+)", (ROOT / page).read_text("utf-8")))
    assert named and not [name for name in named if not (ROOT / "scripts" / name).exists()]


def test_the_wheel_holds_nothing_that_needs_the_checkout(tmp_path: Path) -> None:
    """A module that climbs above its package, or names what lies beside the packages, works here alone."""
    (wheel,) = WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    with zipfile.ZipFile(wheel) as files:
        held = files.namelist()
        modules = {name: files.read(name).decode() for name in held if name.endswith(".py")}
        sample = files.read("texgeist_server/library/sample.bib")
    assert sample == (ROOT / "examples" / "library.bib").read_bytes()
    assert {"texgeist_server/cli.py", "texgeist_latex/__init__.py"} <= modules.keys()
    beside = re.compile(r"resolve\(\)\.parents\[[2-9]\]|Path\.cwd\(\)|\"package\.json\"|(?<!, )\"examples\"")
    either = {"texgeist_server/library/sources/bib_file.py"}  # takes the wheel's sample, else the checkout's
    assert {name for name, text in modules.items() if beside.search(text)} == either
    weights = {Path(name).name for name in held if "/weights/" in name}
    assert "trees.npz" in weights and "lexicon.npz" not in weights
