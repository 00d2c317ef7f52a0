"""Emacs with eglot, and with lsp-mode: the set-up that users get."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ..conftest import ROOT, absent
from .conftest import HERE, SERVER, run

pytestmark = [pytest.mark.editor, pytest.mark.model]
CHECKED = (
    "server attached",
    "a message says that it is at work",
    "cancel leaves all files alone",
    "code actions",
    "section in the document",
    "every key is in the bibliography",
    "a message says when it is done",
    "section on disk",
    "bibliography on disk",
    "hover says why",
    "M-x texgeist-why says why",
    "an edited section is not overwritten",
    "undo takes the section back",
    "undo keeps the saved bibliography",
    "typing meanwhile is kept",
    "papers are picked from a list with passages",
    "citation at the end of an astral sentence",
    "hover after astral characters",
    "a panel says why these papers",
    "a key of the bibliography is completed",
    "a bibliography is made",
    "undo keeps a new bibliography",
    "the review page has an address",
)


PICKED = (
    "what was picked is answered",
    "quitting picks none",
    "an error picks none",
    "nobody is asked inside of another question",
    "afterwards they are asked",
    "lsp-mode's lists, of either build",
    "its panels too",
    "what comes along with an answer is heard",
    "no answer is one, too",
    "a refusal is told",
    "nobody waits for ever",
)


@pytest.fixture(params=["eglot", "lsp-mode"])
def client(request: pytest.FixtureRequest) -> str:
    """The library of Emacs that speaks to the server."""
    if not (emacs := shutil.which("emacs")):
        absent("Emacs is not installed: scripts/test-tools does")
    look = f'(progn (package-initialize) (kill-emacs (if (locate-library "{request.param}") 0 1)))'
    if subprocess.run([str(emacs), "--batch", "--no-init-file", "--eval", look]).returncode:
        absent(f"{request.param} is not installed in Emacs: scripts/test-tools does")
    return str(request.param)


@pytest.mark.timeout(420)
def test_from_asking_to_undo(
    client: str, project: Path, lone: Path, data_folder: Path, tmp_path: Path
) -> None:
    shutil.copytree(lone, project / "lone")
    environment = {
        "HOME": str(tmp_path),
        "TEXGEIST_DATA": str(data_folder),
        "TEXGEIST_TEST_EDITORS": str(ROOT / "editors"),
        "TEXGEIST_TEST_FOLDER": str(project),
        "TEXGEIST_TEST_SERVER": "\n".join(SERVER),
        "TEXGEIST_TEST_LSP_MODE": "1" if client == "lsp-mode" else "",
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
    if client == "eglot":
        environment.pop("TEXGEIST_TEST_LSP_MODE")
    suite = HERE / "emacs" / "suite.el"
    ran = run(["emacs", "--batch", "--no-init-file", "-l", str(suite)], environment)
    of_library = {
        "eglot": "a paper whose entry eglot could not add is not offered",
        "lsp-mode": "a paper of the library has its entry and its key",
    }
    ran.passed(*CHECKED, of_library[client])


def test_a_list_is_answered_whatever_the_user_is_at(tmp_path: Path) -> None:
    if not shutil.which("emacs"):
        absent("Emacs is not installed: scripts/test-tools does")
    loaded = [ROOT / "editors" / "emacs" / "texgeist.el", HERE / "emacs" / "picking.el"]
    command = ["emacs", "--batch", "--no-init-file", *(word for file in loaded for word in ("-l", str(file)))]
    run(command, {"HOME": str(tmp_path), "LANG": os.environ.get("LANG", "C.UTF-8")}).passed(*PICKED)
