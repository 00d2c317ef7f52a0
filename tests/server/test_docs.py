"""The pages say what the program does: codes, orders and places that they name are there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from texgeist_server.command_line import exits
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS

from ..conftest import ROOT

PAGES = sorted(ROOT.joinpath("docs").glob("*.md"))


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def test_the_exit_codes_are_those_of_the_program() -> None:
    written = set(re.findall(r"^\| (\d+) \|", page("command-line.md"), re.M))
    assert written == set(re.findall(r"^ *(\d+)  ", exits.__doc__ or "", re.M))
    assert {
        str(code) for code in (exits.FAILED, exits.NOTHING_FOUND, exits.NO_ANSWER, exits.CANCELLED)
    } <= written


def test_every_order_stands_in_the_protocol() -> None:
    written = set(re.findall(r"^\| `(\w+)` \| .* \|$", page("protocol.md").split("## Init")[0], re.M))
    assert written == {one.order for one in EDITOR_COMMANDS}


@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=lambda path: path.name)
def test_what_a_page_points_to_is_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", path.read_text("utf-8")):
        assert "://" in target or (path.parent / target).exists(), target


def test_changes_are_gathered_under_their_headings(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "CHANGELOG.md").write_text(
        "# C\n\n## [Unreleased]\n\n### Added\n\n- Old.\n\n## [0.1.0]\n\n### Fixed\n\n- A.\n"
    )
    (tmp_path / "changes" / "README.md").write_text("How.\n")
    (tmp_path / "changes" / "added-one.md").write_text("New\nthing.\n")
    (tmp_path / "changes" / "fixed-two.md").write_text("Mended.\n")
    gather = [sys.executable, str(ROOT / "scripts" / "gather-changes"), str(tmp_path)]
    subprocess.run(gather, check=True)
    text = (tmp_path / "CHANGELOG.md").read_text()
    assert text == (
        "# C\n\n## [Unreleased]\n\n### Added\n\n- New thing.\n- Old.\n\n### Fixed\n\n- Mended.\n\n"
        "## [0.1.0]\n\n### Fixed\n\n- A.\n"
    )
    assert [file.name for file in (tmp_path / "changes").iterdir()] == ["README.md"]
    (tmp_path / "changes" / "wrong.md").write_text("x")
    assert subprocess.run(gather, capture_output=True).returncode == 1


def test_the_modules_of_the_three_systems_are_there() -> None:
    named = re.findall(r"`([\w/]+\.py)`", page("systems.md"))
    roots = (ROOT / "retrieval" / "texgeist_retrieval", ROOT)
    assert len(named) > 15 and not [
        name for name in named if not any((root / name).is_file() for root in roots)
    ]
