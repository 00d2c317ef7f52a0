"""VS Code through its window, as a person uses it. `scripts/screenshots` takes the README's pictures so."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from .conftest import HERE, code_server, run

pytestmark = [pytest.mark.editor, pytest.mark.model]
SEEN = {
    "workbench.colorTheme": "Default Light Modern",
    "editor.minimap.enabled": False,
    "editor.wordWrap": "on",
}


@pytest.mark.timeout(420)
def test_as_a_person_does(
    project: Path, node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    shots = os.environ.get("TEXGEIST_SCREENSHOTS", "")
    with code_server(
        test_tools, extensions, tmp_path / "home", project, {"TEXGEIST_DATA": str(data_folder)}, SEEN
    ) as editor:
        command = ["node", str(HERE / "vscode" / "window.mjs"), str(editor.port), str(project), shots]
        failed = os.environ.get("TEXGEIST_TEST_SHOTS", str(tmp_path))
        ran = run(command, {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": failed})
    ran.passed(
        "code lens in the window",
        "palette",
        "light bulb",
        "progress in a notification",
        "cancel by its button",
        "section saved",
        "lens over the section in the window",
        "hover in the window",
        "one undo in the window",
        "the bibliography is there after undo",
        "menu behind the status bar item",
        "the library is offered while a citation is typed",
        "the paper taken has its entry and its key",
        "an entry that nobody cites is faded",
        "author and year stand behind the key",
        "the walkthrough ticks what was done before",
        "a question that was left ticks nothing",
        "a choice ticks its step",
        "review panel in the window",
        "the panel writes",
    )
