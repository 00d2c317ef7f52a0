"""Generates files from declarations: the manifest's `contributes.configuration` and the tables of the docs (from
the settings), `lsp/capabilities.json` for `first_answer` (from the features), and the output of `clients` (from
commands and providers). Run by `scripts/generate` in a checkout; with `--check` it changes nothing and fails on
drift."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lsprotocol.types import ClientCapabilities, ServerCapabilities
from pygls.capabilities import ServerCapabilitiesBuilder
from texgeist_latex.diagnostic_codes import CODES, ENTRY_CHECKS, SENTENCE_CHECKS
from texgeist_server import __version__
from texgeist_server.config.settings import Settings
from texgeist_server.config.values import CLIENTS_OWN, Declared, declared
from texgeist_server.lsp.server import create_server

from . import clients
from .clients import between

ROOT = Path(__file__).parents[2]


def offered(client: ClientCapabilities) -> dict[str, Any]:
    """The server's capabilities for a client with these capabilities."""
    server, _ = create_server()
    features = server.protocol.fm
    builder = ServerCapabilitiesBuilder(
        client,
        {*features.features, *features.builtin_features},
        features.feature_options,
        list(features.commands),
        server._text_document_sync_kind,
        server._notebook_document_sync,
        ServerCapabilitiesBuilder.choose_position_encoding(client),
    )
    build: Callable[[], ServerCapabilities] = builder.build
    found: dict[str, Any] = server.protocol._converter.unstructure(build())
    return found


def capabilities(_: str) -> str:
    return json.dumps(offered(ClientCapabilities()), indent=2) + "\n"


BEGIN, END = "<!-- settings:begin -->", "<!-- settings:end -->"
CODES_BEGIN, CODES_END = "<!-- codes:begin -->", "<!-- codes:end -->"
_SHOWN = {"project": "while you type", ENTRY_CHECKS: "on save", SENTENCE_CHECKS: "on save, by a model"}
_KEPT = ("type", "items", "enum", "minimum", "maximum", "maxLength", "pattern", "default")


_CHOSEN_BY = {
    "writer.provider": " [Choose by name](command:texgeist.chooseWriter)",
    "index.location": " [Choose](command:texgeist.choosePapers)",
}


def properties() -> dict[str, dict[str, Any]]:
    """The settings as VS Code's manifest needs them, by their full name."""
    schema = Settings.model_json_schema(by_alias=True)
    found: dict[str, dict[str, Any]] = {}
    for setting in declared():
        group, name = setting.path
        definition = schema["properties"][group]["$ref"].rsplit("/", 1)[-1]
        described = _flat(schema["$defs"][definition]["properties"][name])
        entry = {key: described[key] for key in _KEPT if key in described}
        entry["markdownDescription"] = _one_line(described["description"]) + _CHOSEN_BY.get(
            f"{group}.{name}", ""
        )
        entry["scope"] = "machine" if setting.machine else "resource"
        found[f"texgeist.{group}.{name}"] = entry
    return found


def _flat(described: dict[str, Any]) -> dict[str, Any]:
    """Replaces the `anyOf` of a word and a number by a list of types, because editors show no input field for
    `anyOf`. Limits of numbers do not apply to words, and patterns do not apply to numbers."""
    flat = dict(described)
    for kind in described.get("anyOf", ()):
        word = {"pattern": f"^{kind['const']}$"} if "const" in kind else {}
        flat |= {**kind, **word, "type": [*flat.get("type", ()), kind["type"]]}
    return flat


def manifest(text: str) -> str:
    """`package.json` with its generated configuration; the client's own settings are kept."""
    package = json.loads(text)
    contributes = package["contributes"]
    old = contributes.get("configuration", {}).get("properties", {})
    own = {name: value for name, value in old.items() if name.split(".")[1] in CLIENTS_OWN}
    ordered = {
        name: {**entry, "order": at} for at, (name, entry) in enumerate({**properties(), **own}.items())
    }
    configuration = {
        "title": "texgeist",
        "properties": ordered,
    }  # without `order`, VS Code sorts by name
    if contributes.get("configuration") == configuration:
        return text
    if '"configuration":' not in text:
        text = text.replace('"contributes": {', '"contributes": {\n    "configuration": {},', 1)
    return _replaced(text, "configuration", configuration)


def commands(text: str) -> str:
    """`package.json` with the generated commands; the client's own commands are kept."""
    old = json.loads(text)["contributes"]
    for key, value in clients.contributions(old).items():
        if old[key] != value:
            text = _replaced(text, key, value)
    return text


def table() -> str:
    """The table of docs/settings.md."""
    rows = ["| setting | default | what it does |", "|---|---|---|"]
    for setting in declared():
        name = ".".join(setting.path)
        rows.append(f"| `{name}`{_mark(setting)} | {_default(setting)} | {_description(setting)} |")
    note = "¹ Taken from your own settings alone, never from a workspace."
    return "\n".join([*rows, "", note])


def codes_table() -> str:
    """The table of docs/verify.md."""
    rows = ["| code | severity | shown | meaning |", "|---|---|---|---|"]
    for code in CODES.values():
        rows.append(f"| `{code.name}` | {code.severity} | {_SHOWN[code.group]} | {code.meaning} |")
    return "\n".join(rows)


def readme(text: str) -> str:
    """A documentation page with its generated tables."""
    if BEGIN in text and END in text:
        text = between(text, BEGIN, END, f"\n\n{table()}\n\n")
    if CODES_BEGIN in text and CODES_END in text:
        text = between(text, CODES_BEGIN, CODES_END, f"\n\n{codes_table()}\n\n")
    return clients.provider_rows(text)


_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
_REQUIRED = [re.split("([^a-z0-9-]+)", each, maxsplit=1) for each in _PROJECT["dependencies"]]


def package(text: str) -> str:
    """A file of packaging/ with this version, and the exact versions that pyproject.toml requires."""
    exact = {name: version for name, relation, version in _REQUIRED if relation == "=="}
    for name, version in {"texgeist": __version__, **exact}.items():
        before = name.replace("-", "[-_]") + r'(?:@|-|";\s+version = ")'
        text = re.sub(rf"({before})\d+\.\d+\.\d+", rf"\g<1>{version}", text)
    return text


def nix(text: str) -> str:
    """The package of nixpkgs, with the dependencies of pyproject.toml."""
    names = "".join(f"    {name}\n" for name, *_ in _REQUIRED)
    return between(package(text), "# by scripts/generate\n", "  ];", names)


def drifted(root: Path) -> Iterator[tuple[Path, str]]:
    """The files that differ from what would be generated, with their new text."""
    for name, made in GENERATED.items():
        file = root / name
        old = file.read_text("utf-8") if file.exists() else ""
        if (new := made(old)) != old:
            yield file, new


def _replaced(text: str, key: str, value: Any) -> str:
    """`text` with the value of a key of `contributes` replaced; other lines are unchanged."""
    start = text.index(f'"{key}":', text.index('"contributes":')) + len(f'"{key}":')
    start += len(text[start:]) - len(text[start:].lstrip())
    _, end = json.JSONDecoder().raw_decode(text, start)
    pretty = json.dumps(value, indent=2, ensure_ascii=False).replace("\n", "\n    ")
    return text[:start] + pretty + text[end:]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _description(setting: Declared) -> str:
    return _one_line(setting.field.description or "").replace("|", "\\|")


def _mark(setting: Declared) -> str:
    return " ¹" if setting.machine else ""


def _default(setting: Declared) -> str:
    default = setting.field.default
    return f"`{json.dumps(list(default) if isinstance(default, tuple) else default)}`"


GENERATED: dict[str, Callable[[str], str]] = {
    "package.json": lambda text: commands(manifest(text)),
    "README.md": readme,
    "docs/settings.md": readme,
    "docs/verify.md": readme,
    "server/texgeist_server/lsp/capabilities.json": capabilities,
    "client-vscode/src/declared.ts": clients.declared_ts,
    "editors/nvim/lua/texgeist.lua": clients.neovim,
    "editors/nvim/doc/texgeist.txt": clients.neovim_help,
    "editors/emacs/texgeist.el": clients.emacs,
    "packaging/mason/package.yaml": package,
    "packaging/homebrew/texgeist.rb": package,
    "packaging/nix/package.nix": nix,
}


def main(arguments: list[str]) -> int:
    found = list(drifted(Path.cwd()))
    for file, text in found:
        if "--check" in arguments:
            sys.stderr.write(f"{file.name} differs: run `scripts/generate`.\n")
        else:
            file.write_text(text, "utf-8")
    return 1 if found and "--check" in arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
