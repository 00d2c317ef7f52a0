"""docs/json.md from docs/json.schema.json, against which the tests hold every answer that they see. For `generate`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).parents[2] / "docs" / "json.schema.json"
_HEAD = """# Answers as JSON

With `--json` a command prints one JSON document on standard output and nothing else; notes to people go to standard error. [json.schema.json](json.schema.json) says the same for programs, of this version: later ones may add fields, so read those that you need and leave others alone. The exit codes are under [the command line](command-line.md#exit-codes).

```sh
texgeist search "dense retrieval" --json | jq -r '.[].id'
```
"""


def page(_: str) -> str:
    """The page: a table for each answer, with the commands that give it."""
    schema = json.loads(SCHEMA.read_text("utf-8"))
    definitions = schema["$defs"]
    parts = [_HEAD]
    for name in dict.fromkeys(["error", *(name for names in schema["commands"].values() for name in names)]):
        given_by = [command for command, names in schema["commands"].items() if name in names]
        commands = ", ".join(f"`texgeist {command}`" for command in given_by) or "Failures"
        parts.append(f"## {commands}: {name}\n\n{definitions[name]['description']}\n")
        if rows := list(_rows(definitions[name], "", definitions)):
            parts.append("\n".join(["| field | type | what |", "|---|---|---|", *rows, ""]))
    return "\n".join(parts)


def _rows(form: dict[str, Any], path: str, definitions: dict[str, Any]) -> Iterator[str]:
    """One row a field, those within it behind it: `papers[].title`, `papers.*.title` where the names are ids."""
    form = _resolved(form, definitions)
    if form.get("type") == "array":
        yield from _rows(form["items"], f"{path}[]", definitions)
    elif isinstance(more := form.get("additionalProperties"), dict):
        yield from _rows(more, f"{path}.*" if path else "*", definitions)
    for name, field in form.get("properties", {}).items():
        at = f"{path}.{name}" if path else name
        optional = "" if name in form["required"] else " (not always)"
        what = field.get("description", "") or _resolved(field, definitions).get("description", "")
        yield f"| `{at}` | {_type(field, definitions)}{optional} | {what} |"
        yield from _rows(field, at, definitions)


def _type(form: dict[str, Any], definitions: dict[str, Any]) -> str:
    while "$ref" in form:
        form = definitions[form["$ref"].rsplit("/", 1)[-1]]
    nothing = ["null"] if "oneOf" in form else []
    form = _resolved(form, definitions)
    if "enum" in form:
        return ", ".join(f"`{word}`" for word in form["enum"])
    kinds = form["type"] if isinstance(form["type"], list) else [form["type"]]
    return " or ".join([*kinds, *nothing])


def _resolved(form: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """What a reference, or the one that may be missing, stands for."""
    while "$ref" in form or "oneOf" in form:
        form = definitions[form["$ref"].rsplit("/", 1)[-1]] if "$ref" in form else form["oneOf"][0]
    return form
