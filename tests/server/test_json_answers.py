"""The documented forms of JSON. The helpers that run the command line hold every answer of the other tests against
them; here is what these cannot show."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import typer
from texgeist_server.cli import COMMANDS, build

from ..json_answers import SCHEMA


def commands_with_json() -> set[str]:
    """Of all commands that there are, by what is typed."""
    found = set()

    def walk(group: Any, before: str) -> None:
        for name, command in group.commands.items():
            typed = f"{before} {name}".strip()
            if hasattr(command, "commands"):
                walk(command, typed)
            elif any("--json" in option.opts for option in command.params):
                found.add(typed)

    for name in COMMANDS:
        walk(typer.main.get_command(build(name)), "")
    return found


def test_every_command_with_json_is_documented() -> None:
    assert commands_with_json() == set(SCHEMA["commands"])


def test_the_schema_is_one_and_all_of_it_is_used() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    text = json.dumps(SCHEMA)
    given = {name for names in SCHEMA["commands"].values() for name in names} | {"error"}
    referred = {name for name in SCHEMA["$defs"] if f'"#/$defs/{name}"' in text}
    assert given | referred == set(SCHEMA["$defs"])
