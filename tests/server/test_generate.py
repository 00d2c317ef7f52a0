"""The manifest and the README say what the settings say."""

from __future__ import annotations

from pathlib import Path

import pytest
from texgeist_retrieval.models.providers import PROVIDERS, Provider
from texgeist_server.config.credentials import VARIABLES
from texgeist_server.config.user_file import load
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS
from texgeist_server.lsp.server import create_server

from scripts.generating.files import drifted

ROOT = Path(__file__).resolve().parents[2]


def test_manifest_and_readme_have_not_drifted() -> None:
    assert [file.name for file, _ in drifted(ROOT)] == []


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
