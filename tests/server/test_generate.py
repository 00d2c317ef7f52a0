"""The manifest and the README say what the settings say."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from texgeist_retrieval.models.providers import PROVIDERS, Provider
from texgeist_server.config.credentials import VARIABLES
from texgeist_server.config.user_file import load
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS, EditorCommand
from texgeist_server.lsp.server import create_server

from scripts.generating import clients
from scripts.generating.files import GENERATED, commands, drifted, manifest

ROOT = Path(__file__).resolve().parents[2]


def test_manifest_and_readme_have_not_drifted() -> None:
    assert [file.name for file, _ in drifted(ROOT)] == []


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


class TestWhatIsDeclaredOnce:
    """A new command or provider reaches every list by its declaration alone."""

    ONE = EditorCommand("draftIntroduction", "Draft an Introduction", "Draft an introduction.", place="1@9")
    OTHER = Provider(
        "mistral", "Mistral", "mistral", "MistralModel", ("TEXGEIST_MISTRAL_API_KEY",), "Mistral in Paris"
    )

    @pytest.fixture(autouse=True)
    def declared(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(clients, "EDITOR_COMMANDS", (*EDITOR_COMMANDS, self.ONE))
        monkeypatch.setattr(clients, "PROVIDERS", (*PROVIDERS, self.OTHER))

    def test_every_list_drifts_and_none_twice(self, tmp_path: Path) -> None:
        for name in GENERATED:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
        found = dict(drifted(tmp_path))
        assert (
            {str(file.relative_to(tmp_path)) for file in found}
            == {*GENERATED}
            - {
                "docs/settings.md",
                "docs/verify.md",
                *(name for name in GENERATED if name.startswith("packaging/")),
                "server/texgeist_server/lsp/capabilities.json",  # of what the server registers, not of what is declared
            }
        )
        for file, text in found.items():
            file.write_text(text, "utf-8")
        assert list(drifted(tmp_path)) == []

    def test_a_command_is_in_the_palette_the_context_menu_and_the_client(self) -> None:
        package = json.loads(commands((ROOT / "package.json").read_text("utf-8")))["contributes"]
        assert "texgeist.draftIntroduction" in [one["command"] for one in package["commands"]]
        shown = {one["command"]: one["when"] for one in package["menus"]["commandPalette"]}
        assert shown["texgeist.draftIntroduction"] == shown["texgeist.review"]
        menu = [one["command"] for one in package["menus"]["texgeist"]]
        before, after = menu.index("texgeist.review"), menu.index("texgeist.findCitations")
        assert before < menu.index("texgeist.draftIntroduction") < after
        assert 'id: "draftIntroduction"' in clients.declared_ts("")


async def test_every_command_that_editors_offer_is_one_of_the_servers() -> None:
    server, close = create_server()
    served = {name.removeprefix("texgeist.server.") for name in server.protocol.fm.commands}
    assert {command.order for command in EDITOR_COMMANDS} <= served
    ids = [command.id for command in EDITOR_COMMANDS]
    assert len(set(ids)) == len(ids)
    await close()


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
def test_every_provider_is_a_class_that_takes_what_the_settings_give(provider: Provider) -> None:
    taken = {
        "model": "",
        "api_key": "1:k",
        "timeout": 1.0,
        **dict.fromkeys(provider.takes, ""),
        **({"folder": ROOT} if provider.files else {}),
    }
    made = provider.load()(**taken)
    assert made.name.startswith(provider.name) and made.local is provider.files
    settings, problems = load({"writer": {"provider": provider.name}})
    assert settings.writer.provider == provider.name and not problems
    assert provider.name in VARIABLES
