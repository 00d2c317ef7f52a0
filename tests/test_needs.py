"""The table of what the tests drive: every row is asked for, and its package is the one that ships it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import ROOT
from .needs import TABLE, Need, describe, missing, read_needs

NEEDS = read_needs(TABLE.read_text("utf-8"))


def test_a_bare_machine_is_told_all_at_once(tmp_path: Path):
    """Nothing on PATH: every row is named, a line for each package, and the check fails."""
    command = [sys.executable, str(ROOT / "tests" / "needs.py")]
    told = subprocess.run(command, env={"PATH": str(tmp_path)}, capture_output=True, text=True)
    assert told.returncode == 1
    lines = told.stdout.splitlines()[1:]
    assert len(lines) == len({need.package for need in NEEDS})
    for need in NEEDS:
        assert any(
            line.startswith(f"{need.package}: ") and need.name in re.split("[:,] ", line) for line in lines
        )


def test_what_is_missing_is_found_and_no_more():
    rows = [Need("program", "sh", "dash"), Need("program", "no-such-program", "nothing")]
    if shutil.which("kpsewhich"):
        rows += [Need("tex", "article.cls", "texlive-latex-base"), Need("tex", "no-such-file.sty", "nothing")]
    if shutil.which("emacs"):
        rows += [Need("emacs", "cl-lib", "emacs-common"), Need("emacs", "no-such-library", "nothing")]
    assert {need.package for need in missing(rows)} == {"nothing"}
    assert describe(rows[:2]) == "dash: sh\nnothing: no-such-program"


@pytest.mark.parametrize("text", ["program\tsh\n", "font\tx\ty\n", "tex\t\tpackage\n", "tex a.sty b\n"])
def test_a_row_that_is_none_is_refused(text: str):
    with pytest.raises(ValueError, match="line 1 of the table"):
        read_needs(text)


def test_every_program_that_tests_look_for_is_in_the_table():
    tests = [path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    asked = {name for text in tests for name in re.findall(r'which\("([\w+-]+)"\)', text)}
    known = {need.name for need in NEEDS} | {"kpsewhich", "node"}  # Node is no Debian package here
    assert {"pdflatex", "emacs", "nvim"} <= asked
    assert asked <= known


@pytest.mark.latex
def test_the_packages_ship_what_the_table_says():
    if not Path("/etc/debian_version").exists() or missing(NEEDS):
        reason = "only Debian's own packages can be asked what they ship"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    names = [need.name for need in NEEDS if need.kind == "tex"]
    found = subprocess.run(["kpsewhich", *names], capture_output=True, text=True).stdout.split()
    paths = {Path(path).name: str(Path(path).resolve()) for path in found}
    owners = subprocess.run(["dpkg", "-S", *paths.values()], capture_output=True, text=True).stdout
    shipped = {line.split(": ")[1]: line.split(": ")[0] for line in owners.splitlines()}
    wrong = [need for need in NEEDS if need.kind == "tex" and shipped.get(paths[need.name]) != need.package]
    assert not wrong
