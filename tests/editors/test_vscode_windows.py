"""Two windows of VS Code that install at once, and an environment whose Python has gone: the extension's own modules,
run by Node."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ..conftest import ROOT, absent
from .conftest import HERE

pytestmark = pytest.mark.editor
Run = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """alone.ts, environment.ts and python.ts as one file, with a `vscode` that has no settings."""
    esbuild = ROOT / "node_modules" / ".bin" / "esbuild"
    if not esbuild.exists():
        absent("the extension's build tools are not installed: run `npm install` in the root")
    made = tmp_path_factory.mktemp("modules") / "windows.cjs"
    stub = HERE / "vscode" / "without_editor.js"
    options = ["--bundle", "--platform=node", f"--alias:vscode={stub}", f"--outfile={made}"]
    subprocess.run([esbuild, HERE / "vscode" / "windows.ts", *options], check=True, capture_output=True)
    return made


@pytest.fixture
def window(modules: Path, tmp_path: Path) -> Run:
    def start(*arguments: str) -> subprocess.Popen[str]:
        command = ["node", str(modules), str(tmp_path / "storage"), *arguments]
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    return start


def line(window: subprocess.Popen[str]) -> str:
    assert window.stdout
    return window.stdout.readline().strip()


def end(window: subprocess.Popen[str]) -> str:
    """What it says after a word to its standard input."""
    return window.communicate("go on\n", timeout=30)[0].strip()


def test_one_window_installs_and_the_other_waits(window: Run) -> None:
    first = window("install")
    assert line(first) == "works"
    second = window("install")
    assert line(second) == "waits"
    assert end(first) == "done true"
    assert line(second) == "works"
    assert end(second) == "done true"


def test_who_waits_can_be_cancelled(window: Run) -> None:
    first = window("install")
    assert line(first) == "works"
    second = window("install", "cancelled")
    assert line(second) == "done false"
    second.communicate(timeout=30)
    assert end(first) == "done true"


def test_a_window_that_was_killed_holds_up_nobody(window: Run) -> None:
    first = window("install")
    assert line(first) == "works"
    first.kill()
    first.communicate(timeout=30)
    others = [window("install") for _ in range(4)]  # all of them find what it has left behind
    said = [line(other) for other in others]
    assert said.count("works") <= 1
    for other in others:
        assert other.stdin
        other.stdin.write("go on\n")
        other.stdin.flush()
    assert all(other.communicate(timeout=60)[0].endswith("done true\n") for other in others)
    assert [other.returncode for other in others] == [0] * 4


def test_never_two_at_once(window: Run, tmp_path: Path) -> None:
    """Each adds its number and takes it away again; where two were at it, one of them would have seen the other."""
    others = [window("count", str(tmp_path / "at-it")) for _ in range(6)]
    said = [other.communicate(timeout=60)[0].strip() for other in others]
    assert said == ["alone"] * 6


@pytest.fixture
def environments(tmp_path: Path) -> Callable[[str], Path]:
    def made(name: str) -> Path:
        """One that has texgeist, as far as anybody asks."""
        folder = tmp_path / "storage" / f"python-{name}"
        version = f"python3.{sys.version_info.minor}"
        (folder / "lib" / version / "site-packages" / "texgeist_server").mkdir(parents=True)
        (folder / "lib" / version / "site-packages" / "texgeist_server" / "__init__.py").touch()
        (folder / "bin").mkdir()
        (folder / "bin" / "python").symlink_to(Path(sys.base_prefix) / "bin" / version)
        (folder / "pyvenv.cfg").write_text(
            f"home = {sys.base_prefix}/bin\ninclude-system-site-packages = false\n"
        )
        (folder / "texgeist-ready").touch()
        return folder

    return made


def test_an_environment_whose_python_has_gone_is_not_taken_for_one(
    window: Run, environments: Callable[[str], Path]
) -> None:
    folder = environments("0123456789ab")
    assert end(window("starts", str(folder))) == "true"
    (folder / "bin" / "python").unlink()
    (folder / "bin" / "python").symlink_to("/usr/bin/python3.0")
    assert end(window("starts", str(folder))) == "false"


def test_what_another_window_runs_from_stays(window: Run, environments: Callable[[str], Path]) -> None:
    new, used, unused = (environments(name * 12) for name in "abc")
    other = window("use", str(used / "bin" / "python"))
    assert line(other) == "uses"
    assert end(window("remove", str(new))) == "removed"
    assert new.is_dir() and used.is_dir() and not unused.exists()
    end(other)
    assert end(window("remove", str(new))) == "removed"
    assert new.is_dir() and not used.exists()
