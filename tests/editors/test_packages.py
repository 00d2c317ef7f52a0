"""The files for package collections: what tools on this machine can build or parse."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from texgeist_server import __version__

from ..conftest import ROOT, absent

pytestmark = pytest.mark.editor
PACKAGING = ROOT / "packaging"
INSTALL = """(progn
  (setq package-user-dir (expand-file-name "packages") byte-compile-error-on-warn t)
  (let ((recipe (with-temp-buffer (insert-file-contents "packaging/melpa/texgeist") (read (current-buffer)))))
    (dolist (pattern (plist-get (cdr recipe) :files))
      (mapc #'package-install-file (file-expand-wildcards pattern))))
  (princ (package-version-join (package-desc-version (cadr (assq 'texgeist package-alist)))))
  (princ (if (autoloadp (symbol-function 'texgeist-verify)) " autoloaded" " not autoloaded")))"""


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """The files as a release publishes them, with an address."""
    for name in ("packaging", "editors"):
        shutil.copytree(ROOT / name, tmp_path / name)
    for name in ("pyproject.toml", "package.json", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    script = str(ROOT / "scripts" / "name-repository")
    command = [sys.executable, script, str(tmp_path), "https://github.com/some/where"]
    subprocess.run(command, check=True)
    return tmp_path


def test_every_file_names_the_repository_and_mason_the_version(release: Path) -> None:
    texts = {file.name: file.read_text("utf-8") for file in release.glob("packaging/*/*")}
    assert not [name for name, text in texts.items() if "OWNER" in text]
    assert '"some/where"' in texts["texgeist"] and "github.com/some/where" in texts["texgeist.rb"]
    package = pytest.importorskip("yaml").safe_load(texts["package.yaml"])
    assert package["source"]["id"] == f"pkg:pypi/texgeist@{__version__}"
    assert package["bin"] == {"texgeist": "pypi:texgeist"} and package["categories"] == ["LSP"]


def test_emacs_builds_the_package_of_the_recipe_without_a_warning(release: Path) -> None:
    if not (emacs := shutil.which("emacs")):
        absent("Emacs is not installed: scripts/test-tools does")
    command = [str(emacs), "--batch", "-Q", "-l", "package", "--eval", INSTALL]
    ran = subprocess.run(command, cwd=release, capture_output=True, text=True, timeout=120)
    assert ran.stdout == f"{__version__} autoloaded", ran.stderr
    assert list(release.glob("packages/texgeist-*/texgeist.elc")), ran.stderr  # no warning became an error


@pytest.mark.parametrize(
    ("program", "option", "file"),
    [
        ("ruby", "-c", "homebrew/texgeist.rb"),
        ("nix-instantiate", "--parse", "nix/package.nix"),
    ],
)
def test_the_language_of_each_file_parses_it(program: str, option: str, file: str) -> None:
    if not (found := shutil.which(program)):
        pytest.skip(f"{program} is not installed")
    subprocess.run([found, option, PACKAGING / file], check=True, capture_output=True)


def test_what_the_files_repeat_is_what_we_ship() -> None:
    """Neovim's configuration is ours, and the wheel in the Nix package is the pinned one."""
    ours = (ROOT / "editors" / "nvim" / "lua" / "texgeist.lua").read_text("utf-8")
    given = (PACKAGING / "nvim-lspconfig" / "texgeist.lua").read_text("utf-8")
    for name in ("cmd", "filetypes", "root_markers"):
        assert re.findall(rf"^M\.{name} = (.*)$", ours, re.M) == re.findall(
            rf"^  {name} = (.*),$", given, re.M
        )
    (wheel,) = re.findall(
        r'sha256 = "([0-9a-f]{64})"', (PACKAGING / "nix" / "package.nix").read_text("utf-8")
    )
    assert f"sha256:{wheel}" in (ROOT / "requirements.txt").read_text("utf-8")
