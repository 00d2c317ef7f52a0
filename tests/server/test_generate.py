"""The manifest and the README say what the settings say."""

from __future__ import annotations

import json
from pathlib import Path

from texgeist_server.config.settings import declared
from texgeist_server.generate import BEGIN, END, drifted, manifest, properties, readme

ROOT = Path(__file__).resolve().parents[2]


def test_manifest_and_readme_have_not_drifted() -> None:
    assert [file.name for file, _ in drifted(ROOT)] == []


def test_every_setting_reaches_the_manifest_with_its_scope() -> None:
    found = properties()
    assert set(found) == {"texgeist." + ".".join(setting.path) for setting in declared()}
    assert found["texgeist.writer.baseUrl"]["scope"] == "machine"
    assert found["texgeist.relatedWork.breadth"]["scope"] == "resource"
    assert found["texgeist.relatedWork.breadth"]["maximum"] == 60
    assert found["texgeist.index.location"]["default"] == "library"


def test_generating_keeps_the_clients_own_settings_and_all_other_lines() -> None:
    own = '"texgeist.server.command": { "type": "array" }'
    text = (
        '{\n  "contributes": {\n    "configuration": { "properties": { "texgeist.old.name": {}, '
        + own
        + ' } },\n    "commands": [ { "command": "x" } ]\n  }\n}\n'
    )
    made = manifest(text)
    found = json.loads(made)["contributes"]["configuration"]["properties"]
    assert "texgeist.server.command" in found
    assert "texgeist.old.name" not in found
    assert '"commands": [ { "command": "x" } ]' in made
    assert manifest(made) == made


def test_the_readme_table_stands_between_its_markers() -> None:
    made = readme(f"before\n{BEGIN}\nstale words\n{END}\nafter\n")
    assert made.startswith("before\n") and made.endswith("after\n")
    assert "stale words" not in made and "`relatedWork.breadth`" in made
    assert readme(made) == made
