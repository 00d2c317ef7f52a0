"""What the command line prints with `--json`, held against the schema that is documented."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import jsonschema

from .conftest import ROOT

SCHEMA: dict[str, Any] = json.loads((ROOT / "docs" / "json.schema.json").read_text("utf-8"))


def command_of(arguments: Sequence[str]) -> str:
    """ "index status" of `-q index status --json`; "" where it has no answer of a form that is written down."""
    words = [word for word in arguments if not word.startswith("-")]
    return next((name for name in (" ".join(words[:2]), *words[:1]) if name in SCHEMA["commands"]), "")


def hold(arguments: Sequence[str], printed: str) -> None:
    """Fails where a command was asked for JSON and printed a document that docs/json.schema.json does not allow."""
    command = command_of(arguments)
    if "--json" not in arguments or not command or not printed.strip():
        return
    answer = json.loads(printed)
    failed = isinstance(answer, dict) and "error" in answer
    names = ["error"] if failed else SCHEMA["commands"][command]
    wrong = {name: list(_checker(name).iter_errors(answer)) for name in names}
    if all(wrong.values()):
        told = [f"{name}: {one.json_path}: {one.message[:300]}" for name in names for one in wrong[name][:3]]
        raise AssertionError(f"`texgeist {command}` is not as docs/json.schema.json says: " + "; ".join(told))


def _checker(name: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
