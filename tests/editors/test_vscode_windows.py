"""Two windows of VS Code that install at once, and an environment whose Python has gone: the extension's own modules,
run by Node."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from texgeist_retrieval.types import SERVICES

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
    def start(*arguments: str, path: Path | None = None, home: Path | None = None) -> subprocess.Popen[str]:
        """`path`: the only folder that programs are looked for in."""
        command = [shutil.which("node") or "", str(modules), str(tmp_path / "storage"), *arguments]
        env = {**os.environ, **({"PATH": str(path)} if path else {}), **({"HOME": str(home)} if home else {})}
        return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)

    return start


def line(window: subprocess.Popen[str]) -> str:
    assert window.stdout
    return window.stdout.readline().strip()


def end(window: subprocess.Popen[str]) -> str:
    """What it says after a word to its standard input."""
    return window.communicate("go on\n", timeout=30)[0].strip()


@pytest.mark.parametrize(
    ("button", "setting"),
    [
        ("Discover for Every Draft", {"index.discover": list(SERVICES)}),
        ("Never", {"index.discover": []}),
        ("", {}),
    ],
)
def test_discovery_is_asked_about_once_and_the_answer_is_a_setting(
    window: Run, button: str, setting: dict[str, list[str]]
) -> None:
    shown = json.loads(line(window("discovery", button)))
    [[question, *buttons, before]] = shown["asked"]
    assert buttons == ["Discover for Every Draft", "Never"] and before == {} and shown["settings"] == setting
    sent = ("title", "key words", "sentences with citations", "DOIs, arXiv ids and titles of the works")
    assert all(words in question for words in (*SERVICES.values(), *sent))


def test_one_window_installs_and_the_other_waits(window: Run) -> None:
    first = window("install")
    assert line(first) == "works"
    second = window("install")
    assert line(second) == "waits"
    assert end(first) == "done true"
    assert line(second) == "works"
    assert end(second) == "done true"


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


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """The lock of a window that lives, without a beat for longer than any is silent."""
    lock = tmp_path / "storage" / "installing"
    lock.parent.mkdir()
    lock.write_text(str(os.getpid()))
    os.utime(lock, (0, 0))
    return lock


def test_a_window_that_has_slept_is_given_time_to_beat(window: Run, silent: Path) -> None:
    other = window("install")
    assert line(other) == "waits"
    time.sleep(2)
    assert silent.read_text() == str(os.getpid())
    silent.unlink()
    assert line(other) == "works"
    assert end(other) == "done true"


def test_a_window_removes_no_others_lock(window: Run, tmp_path: Path) -> None:
    assert end(window("robbed", "4711")) == "true"
    assert (tmp_path / "storage" / "installing").read_text() == "4711"


def test_a_file_that_is_refused_for_a_while_is_waited_for_and_else_told(window: Run) -> None:
    assert end(window("refused", "3")) == "true"
    assert end(window("refused", "1000")) == "refused"


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


def test_a_texgeist_of_the_terminal_is_found_without_its_path(window: Run, tmp_path: Path) -> None:
    """`uv tool` and `pipx` install there; an editor started from a desktop does not have it in its PATH."""
    home, empty = tmp_path / "home", tmp_path / "empty"
    empty.mkdir()
    assert end(window("finds", path=empty, home=home)) == "undefined"
    program = home / ".local" / "bin" / "texgeist"
    program.parent.mkdir(parents=True)
    program.touch()
    assert end(window("finds", path=empty, home=home)) == str(program)


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


DIGEST = "0123456789ab"


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    """A folder to look for programs in, with nothing in it."""
    folder = tmp_path / "programs"
    folder.mkdir()
    return folder


def uv_that(programs: Path, does: str, version: str = "0.9.0") -> None:
    """A `uv` of this version that otherwise `does` as the test says."""
    uv = programs / "uv"
    uv.write_text(f'#!/bin/sh\n[ "$1" = --version ] && echo "uv {version}" && exit 0\n{does}\n')
    uv.chmod(0o755)


def installing(window: Run, path: Path) -> list[dict[str, Any]]:
    said = window("whole", DIGEST, path=path, home=path).communicate(timeout=60)[0]
    return list(json.loads(said.strip().splitlines()[-1]))


def test_without_a_python_and_a_new_uv_nothing_is_made_and_where_to_get_one_is_said(
    window: Run, programs: Path, tmp_path: Path
) -> None:
    uv_that(programs, "exit 1", version="0.4.30")
    (said,) = installing(window, programs)
    assert said["kind"] == "error" and "python.org" in said["message"]
    assert said["buttons"] == ["Try Again", "Show the Log"]
    assert not any((tmp_path / "storage").iterdir())


def test_an_environment_in_use_is_not_made_anew(
    window: Run, programs: Path, environments: Callable[[str], Path]
) -> None:
    """Its Python has gone, so that it is to be made anew; but the server of another window runs from it."""
    uv_that(programs, "exit 1")
    folder = environments(DIGEST)
    other = window("use", str(folder / "bin" / "python"))
    assert line(other) == "uses"
    (folder / "bin" / "python").unlink()
    (said,) = installing(window, programs)
    assert "Another window runs from the same environment" in said["message"]
    assert said["buttons"] == ["Try Again", "Show the Log"]
    assert (folder / "texgeist-ready").exists() and (folder / "pyvenv.cfg").exists()
    end(other)


def test_an_environment_that_fails_in_the_making_is_removed_and_the_old_one_stays(
    window: Run, programs: Path, environments: Callable[[str], Path], tmp_path: Path
) -> None:
    uv_that(programs, '/bin/mkdir -p "$4"; echo "No space left on device"; exit 1')
    old = environments("a" * 12)
    (said,) = installing(window, programs)
    assert "The disk is full" in said["message"] and said["buttons"] == ["Try Again", "Show the Log"]
    assert old.is_dir() and [each.name for each in (tmp_path / "storage").iterdir()] == [old.name]


def test_the_environment_has_no_links_to_the_downloads(
    window: Run, programs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are removed when the installation is complete."""
    monkeypatch.setenv("UV_LINK_MODE", "symlink")
    uv_that(programs, 'echo "by $UV_LINK_MODE"; exit 1')
    (said,) = installing(window, programs)
    assert said["message"].endswith("by hardlink")


def test_uv_gets_the_addresses_and_certificates_of_pip(window: Run) -> None:
    """In the form of `pip config list`, where a backslash of a Windows path is doubled."""
    listed = (
        r":env:.index-url='https://mirror.example/simple'",
        r"global.cert='C:\\netskope\\ca.pem'",
        r"global.extra-index-url='\nhttps://one.example\nhttps://two.example'",
        r"global.index-url='https://pypi.example/simple'",
        r"global.timeout='60'",
    )
    assert json.loads(end(window("settings", "\n".join(listed)))) == {
        "UV_INDEX_STRATEGY": "unsafe-best-match",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple",
        "UV_INDEX": "https://one.example https://two.example",
        "SSL_CERT_FILE": r"C:\netskope\ca.pem",
    }
