"""Real editors, a small library and copies of the sample project."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from ..conftest import ROOT, absent

HERE = Path(__file__).parent
PAPERS = 40  # of the sample library: enough to choose from, few enough to embed on a small machine
SERVER = [sys.executable, "-P", "-m", "texgeist_server", "lsp"]
EDITOR_LIMIT = 240  # seconds that one editor's run may take


@pytest.fixture(scope="session")
def data_folder(test_tools: Path, model_folder: Path) -> Iterator[Path]:
    """What `TEXGEIST_DATA` names: the model, and a library of the sample's first papers. Made once."""
    text = "\n@misc{".join(
        (ROOT / "examples" / "library.bib").read_text("utf-8").split("\n@misc{")[: PAPERS + 1]
    )
    folder = test_tools / f"editors-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    environment = {**os.environ, "TEXGEIST_DATA": str(folder)}
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / "model").symlink_to(model_folder.resolve())
        (folder / "papers.bib").write_text(text, "utf-8")
        command = [sys.executable, "-m", "texgeist_server", "index", "add", str(folder / "papers.bib")]
        subprocess.run(command, env=environment, check=True, timeout=170)
        (folder / "complete").touch()
    yield folder
    _end_index_server(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The sample paper: several files, a bibliography, a line with characters outside the basic plane."""
    folder = tmp_path / "paper"
    shutil.copytree(ROOT / "examples" / "paper", folder)
    method = folder / "sections" / "method.tex"
    method.write_text(method.read_text("utf-8") + ASTRAL, "utf-8")
    return folder


ASTRAL = """
Earlier systems achieved 𝒳\U0001f600 dense retrieval of scientific papers with better recall scores.
"""


@pytest.fixture
def lone(tmp_path: Path) -> Path:
    """A paper without any bibliography."""
    folder = tmp_path / "lone"
    folder.mkdir()
    (folder / "paper.tex").write_text(LONE, "utf-8")
    return folder


LONE = r"""\documentclass{article}
\title{Citations that can be checked}
\begin{document}
\maketitle
\begin{abstract}
We retrieve papers for a related-work section and generate it with a language model, so that every
citation in the section is supported by evidence from the cited paper.
\end{abstract}
\section{Introduction}
Language models invent citations.
\end{document}
"""


@pytest.fixture(scope="session")
def node(test_tools: Path) -> Path:
    """Node's libraries for driving a browser."""
    folder = test_tools / "node"
    if not shutil.which("node") or not (folder / "node_modules" / "playwright-core").is_dir():
        absent(f"node and playwright-core are not in {folder}: scripts/test-tools installs them")
    if not _chromium():
        absent("chromium is not installed: scripts/test-tools says how")
    return folder


@dataclass(frozen=True)
class Ran:
    """An editor's run: what it said, line by line."""

    code: int
    text: str

    def passed(self, *names: str) -> None:
        """Fails with the editor's own words unless it ended well and checked all of `names`."""
        assert self.code == 0, self.text
        assert not re.search(r"^FAIL", self.text, re.M), self.text
        for name in names:
            assert re.search(rf"^ok\s+{re.escape(name)}", self.text, re.M), (
                f"not checked: {name}\n{self.text}"
            )


def run(command: list[str], environment: dict[str, str], limit: float = EDITOR_LIMIT) -> Ran:
    """Runs an editor to its end; ends it and its children when it takes too long."""
    with subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            output, _ = process.communicate()
            return Ran(124, output.decode(errors="replace") + f"\nFAIL ended after {limit} s")
    return Ran(process.returncode, told(output.decode(errors="replace")))


def told(output: str) -> str:
    """An editor's words without its own chatter."""
    chatter = "Creating a socket|Resolv|\\[Service|ChatSession|Updating|getaddrinfo|Extension host"
    noise = re.compile(rf"^(\s+at .*workbench\.js|{chatter})")
    return "\n".join(line for line in output.splitlines() if not noise.match(line))


@dataclass(frozen=True)
class CodeServer:
    """VS Code on loopback with the extension installed from its package."""

    port: int
    home: Path


@pytest.fixture(scope="session")
def vsix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is published, built anew from the sources."""
    if not (ROOT / "node_modules" / "@vscode" / "vsce").is_dir():
        absent("the extension's build tools are not installed: run `npm install` in the root")
    file = tmp_path_factory.mktemp("vsix") / "texgeist.vsix"
    done = run(["npm", "run", "--silent", "package", "--", "--out", str(file)], {})
    assert done.code == 0, done.text
    return file


@pytest.fixture(scope="session")
def extensions(test_tools: Path, vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An extensions folder with nothing but ours, installed by VS Code itself."""
    folder = tmp_path_factory.mktemp("extensions")
    home = tmp_path_factory.mktemp("install")
    where = ["--extensions-dir", str(folder), "--user-data-dir", str(home)]
    done = run([*code_server_command(test_tools), *where, "--install-extension", str(vsix)], {})
    assert "successfully installed" in done.text, done.text
    return folder


def code_server_command(tools: Path) -> list[str]:
    entry = tools / "code-server" / "package" / "out" / "node" / "entry.js"
    if not entry.is_file():
        absent(f"code-server is not in {tools}: scripts/test-tools installs it")
    return [shutil.which("node") or "node", str(entry)]  # some editors get a PATH without it


SETTINGS = {
    "workbench.startupEditor": "none",
    "telemetry.telemetryLevel": "off",
    "update.mode": "none",
    "extensions.autoCheckUpdates": False,
    "workbench.tips.enabled": False,
    "chat.commandCenter.enabled": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "files.autoSave": "off",
    "window.restoreWindows": "none",
    "editor.lightbulb.enabled": "on",
}


@contextmanager
def code_server(
    tools: Path,
    extensions: Path,
    home: Path,
    folder: Path,
    environment: dict[str, str],
    settings: dict[str, object] | None = None,
    trust: bool = True,
) -> Iterator[CodeServer]:
    """A running editor whose PATH finds this project's Python first, as in an active environment."""
    (home / "User").mkdir(parents=True, exist_ok=True)
    (home / "User" / "settings.json").write_text(json.dumps({**SETTINGS, **(settings or {})}))
    port = free_port()
    where = [
        "--user-data-dir",
        str(home),
        "--extensions-dir",
        str(extensions),
        "--bind-addr",
        f"127.0.0.1:{port}",
    ]
    quiet = ["--auth", "none", "--disable-telemetry", "--disable-update-check"]
    command = [
        *code_server_command(tools),
        *where,
        *quiet,
        *([] if not trust else ["--disable-workspace-trust"]),
        str(folder),
    ]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    variables = {**os.environ, "PATH": path, "CS_DISABLE_GETTING_STARTED_OVERRIDE": "1"}
    variables |= {"VSCODE_CLI": "1", **environment}  # else the login shell would set PATH anew
    with (home / "code-server.log").open("wb") as log:
        process = subprocess.Popen(command, env=variables, stdout=log, stderr=log, start_new_session=True)
    try:
        wait_for_port(port, process)
        yield CodeServer(port, home)
    finally:
        os.killpg(process.pid, 15)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait(10)


def free_port() -> int:
    with closing(socket.socket()) as opened:
        opened.bind(("127.0.0.1", 0))
        return int(opened.getsockname()[1])


def wait_for_port(port: int, process: subprocess.Popen[bytes], limit: float = 60) -> None:
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        assert process.poll() is None, "the program ended at once"
        with suppress(OSError), closing(socket.create_connection(("127.0.0.1", port), 1)):
            return
        time.sleep(0.1)
    raise AssertionError(f"nothing answers on port {port}")


def _chromium() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def _end_index_server(folder: Path) -> None:
    """Ends the library's own server, by its pid."""
    registration = folder / "library.db.server.json"
    with suppress(OSError, ValueError, KeyError):
        os.kill(int(json.loads(registration.read_text())["pid"]), 15)
