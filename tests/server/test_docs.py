"""The pages say what the program does: codes, orders and places that they name are there."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder
from texgeist_server.command_line import exits
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS

from scripts import demo

from ..conftest import ROOT
from ..local_index import end_servers

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
    for target, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", path.read_text("utf-8")):
        if "://" in target:
            continue
        file = path.parent / target if target else path
        assert file.exists(), target
        titles = re.findall(r"^#+ (.*)", file.read_text("utf-8"), re.M) if file.suffix == ".md" else []
        assert not anchor or anchor in {
            re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles
        }, f"{target}#{anchor}"


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


def keys(latex: str) -> set[str]:
    return {key for found in re.findall(r"\\cite[pt]\{([^}]*)\}", latex) for key in found.split(",")}


@pytest.mark.model
def test_the_section_in_the_readme_is_the_demos(
    tmp_path: Path, model_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what is cited. Two papers may differ: the model's weights have 8 bits or 32, by processor, and papers at the
    end of the list are almost equally close to the draft."""
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
    here, there = keys(written.split("% texgeist:end")[0]), keys(shown)
    assert len(here) == len(there) > 10 and len(here - there) <= 2


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
