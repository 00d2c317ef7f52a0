"""VS Code: the extension as published, inside the real extension host."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import pytest

from ..http_server import got, send
from ..retrieval.model_server import serving_model
from ..retrieval.reading_model import PassageBrain
from .conftest import HERE, CodeServer, code_server, run

pytestmark = [pytest.mark.editor, pytest.mark.model]


def suite(editor: CodeServer, project: Path, extension: str, tests: str) -> list[str]:
    """The command that runs tests inside the extension host, beside an extension for tests."""
    inside, *given = (str(HERE / "vscode" / name) for name in ("inside.mjs", extension, tests))
    return ["node", inside, str(editor.port), str(project), *given]


def test_the_package_is_small_and_holds_no_sources(vsix: Path) -> None:
    assert vsix.stat().st_size < 12_000_000  # most of it the wheel of the server
    names = zipfile.ZipFile(vsix).namelist()
    assert "extension/client-vscode/out/extension.js" in names
    assert not [name for name in names if name.endswith((".ts", ".py")) or "node_modules" in name]


@pytest.mark.timeout(420)
def test_from_asking_to_undo(
    project: Path,
    lone: Path,
    node: Path,
    test_tools: Path,
    extensions: Path,
    data_folder: Path,
    tmp_path: Path,
) -> None:
    shutil.copytree(lone, project / "lone")
    with code_server(
        test_tools, extensions, tmp_path / "home", project, {"TEXGEIST_DATA": str(data_folder)}
    ) as editor:
        ran = run(
            suite(editor, project, "development", "suite.js"),
            {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": str(tmp_path)},
        )
    ran.passed(
        "installed from its package",
        "server found",
        "code lens over the abstract",
        "code actions",
        "progress",
        "cancel leaves all files alone",
        "the command returns at once",
        "section in the document",
        "every key is in the bibliography",
        "section on disk",
        "provenance on disk",
        "hover says why",
        "lens over the section",
        "an edited section is not overwritten",
        "one undo takes the section back",
        "undo keeps the saved bibliography",
        "typing meanwhile is kept",
        "citation at the end of an astral sentence",
        "hover after astral characters",
        "a bibliography is made",
        "undo keeps a new bibliography",
        "a document that is no file is refused, with the reason",
    )


@pytest.mark.timeout(420)
def test_the_editors_own_model_writes(
    project: Path, node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    listed = b'{"object": "list", "data": [{"id": "qwen3:8b", "object": "model"}]}'
    with (
        got(lambda handler: send(handler, 200, listed)) as ollama,
        serving_model(PassageBrain()) as model,
        code_server(
            test_tools,
            extensions,
            tmp_path / "home",
            project,
            {
                "TEXGEIST_DATA": str(data_folder),
                "TEXGEIST_TEST_MODEL": f"{model.url}/v1",
                "TEXGEIST_MODEL_PORTS": f"Ollama={ollama.rpartition(':')[2]}",
            },
            {"texgeist.writer.provider": "editor"},
        ) as editor,
    ):
        ran = run(
            suite(editor, project, "models", "models.js"),
            {"TEXGEIST_TEST_NODE": str(node), "TEXGEIST_TEST_SHOTS": str(tmp_path)},
        )
    ran.passed(
        "the editor's model writes",
        "it is asked by texgeist, and told why",
        "no key is asked of it",
        "the model refuses",
        "refused, nothing is written",
        "another writer chosen, it is not asked",
        "a model server of this machine is chosen by a click",
    )


@pytest.mark.timeout(420)
def test_beside_latex_workshop_nothing_is_shown_twice(
    project: Path, node: Path, test_tools: Path, extensions: Path, data_folder: Path, tmp_path: Path
) -> None:
    with code_server(
        test_tools, extensions, tmp_path / "home", project, {"TEXGEIST_DATA": str(data_folder)}
    ) as editor:
        ran = run(suite(editor, project, "neighbour", "beside.js"), {"TEXGEIST_TEST_NODE": str(node)})
    ran.passed(
        "the neighbour is there",
        "no second hover on the user's own citation",
        "no second completion of keys",
        "asked outright, it still says why",
        "what only texgeist does is there",
        "no second warning",
    )


@pytest.mark.timeout(420)
def test_an_untrusted_folder_runs_nothing_and_a_missing_server_is_offered(
    project: Path, node: Path, test_tools: Path, extensions: Path, tmp_path: Path
) -> None:
    evidence = tmp_path / "was-run"
    python = tmp_path / "python"
    python.write_text(f"#!/bin/sh\ntouch '{evidence}'\n")
    python.chmod(0o755)
    (project / ".vscode").mkdir()
    command = {
        "texgeist.server.command": ["touch", str(evidence)],
        "texgeist.server.python": str(python),
        "texgeist.writer.baseUrl": "http://127.0.0.1:9",
    }
    (project / ".vscode" / "settings.json").write_text(json.dumps(command))
    home = tmp_path / "home"
    nothing = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ""}  # programs, but no environment with texgeist
    with code_server(test_tools, extensions, home, project, nothing, trust=False) as editor:
        driver = str(HERE / "vscode" / "restricted.mjs")
        ran = run(
            ["node", driver, str(editor.port), str(project), str(evidence)], {"TEXGEIST_TEST_NODE": str(node)}
        )
    ran.passed(
        "the status bar says that nothing is run",
        "no command that would run or send",
        "nothing was run",
        "with trust, installing is offered with what it downloads",
        "trusted, the folder's settings name no program",
    )
    assert not list(home.rglob("python/bin/python")), "nothing is installed before the user says so"
