"""Installing by one click, on a machine that has Python, VS Code and a package index of its own."""

from __future__ import annotations

import re
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from ..conftest import ROOT, absent
from .conftest import HERE, code_server, run
from .package_index import package_index

LOCK = ROOT / "requirements.txt"


def pins(text: str) -> dict[str, str]:
    """Names, as the index normalises them, with versions."""
    found = re.findall(r"^([A-Za-z0-9_.-]+)==([^\s;\\]+)", text, re.M)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


@pytest.fixture(scope="session")
def wheels(test_tools: Path) -> Path:
    """The wheels that requirements.txt names for this machine: scripts/test-tools has fetched them."""
    folder = test_tools / "wheels"
    if not (folder / "version").is_file():
        absent(f"the wheels of requirements.txt are not in {folder}: scripts/test-tools fetches them")
    return folder


def test_the_package_names_every_library_by_version_and_hash(vsix: Path) -> None:
    with zipfile.ZipFile(vsix) as package:
        brought = package.read("extension/client-vscode/server/requirements.txt").decode()
        (wheel,) = [name for name in package.namelist() if name.endswith(".whl")]
        assert "/client-vscode/server/texgeist-" in wheel
    assert brought == LOCK.read_text("utf-8")
    for block in re.findall(r"^[a-z].*?(?=^[a-z]|\Z)", brought, re.M | re.S):
        assert re.match(r"[a-z0-9_.-]+==\S+ ", block), block
        assert "--hash=sha256:" in block, block
    assert "://" not in brought


def test_the_lock_holds_what_was_tested_and_all_that_is_needed() -> None:
    from importlib.metadata import requires

    from packaging.requirements import Requirement

    locked = pins(LOCK.read_text("utf-8"))
    tested = pins((ROOT / "constraints.txt").read_text("utf-8"))
    assert {name: version for name, version in locked.items() if tested.get(name, version) != version} == {}
    declared = [Requirement(text) for text in requires("texgeist") or []]
    for needed in declared:
        if needed.marker and "extra" in str(needed.marker):
            continue
        name = re.sub(r"[-_.]+", "-", needed.name).lower()
        assert name in locked, f"{name}: run scripts/pin"
        assert needed.specifier.contains(locked[name]), f"{name}: run scripts/pin"


@pytest.mark.editor
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("brings", ["uv", "python3"])
def test_one_click_survives_no_network_and_cancel(
    project: Path,
    node: Path,
    test_tools: Path,
    extensions: Path,
    data_folder: Path,
    wheels: Path,
    tmp_path: Path,
    brings: str,
) -> None:
    """With the machine's uv; and without one, so that pip fetches it."""
    home = tmp_path / "home"
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "node").symlink_to(shutil.which("node") or "")
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    (programs / "python3").symlink_to(python)
    if brings == "uv":
        (wheel,) = wheels.glob("uv-*.whl")
        with zipfile.ZipFile(wheel) as contents:
            (name,) = [name for name in contents.namelist() if name.endswith("/uv")]
            (programs / "uv").write_bytes(contents.read(name))
        (programs / "uv").chmod(0o755)
    storage = home / "User" / "globalStorage" / "texgeist.texgeist"
    with package_index(wheels) as address:
        alone = {
            "PATH": f"{programs}:/bin",
            "PYTHONPATH": "",
            "TEXGEIST_DATA": str(data_folder),
            "HOME": str(home),  # whose .local/bin has no uv
            "PIP_CONFIG_FILE": "/dev/null",
            "UV_DEFAULT_INDEX" if brings == "uv" else "PIP_INDEX_URL": f"{address}/simple",
            "PIP_TRUSTED_HOST": "127.0.0.1",  # pip keeps nothing of other plain servers
        }
        with code_server(test_tools, extensions, home, project, alone) as editor:
            driver = str(HERE / "vscode" / "install.mjs")
            shown = {"TEXGEIST_TEST_NODE": str(node)}
            arguments = [str(editor.port), str(project), address, str(storage)]
            ran = run(["node", driver, *arguments], shown, limit=540)
    ran.passed(
        "without a network it ends with a sentence and a button",
        "nothing half-made stays",
        "cancel says that nothing is lost",
        "nothing half-made stays after cancel",
        "cancel ends what it had started",
        "some packages had arrived",
        "what had arrived was not fetched again",
        "one environment, and no downloads beside it",
        "the server runs from it",
        "the terminal has the same program",
    )
    held = pins("\n".join(re.findall(r"^HELD (.*)$", ran.text, re.M)))
    allowed = pins(LOCK.read_text("utf-8"))
    strangers = {name: version for name, version in held.items() if allowed.get(name) != version}
    assert not strangers
    assert re.search(r"^HELD texgeist @ file:.*client-vscode/server/texgeist-.*\.whl", ran.text, re.M)
