"""Generates the lists of commands and providers for the three editors and the README. Used by `generate`."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import Any

from texgeist_retrieval.models.providers import PROVIDERS, Provider
from texgeist_server.config.credentials import VARIABLES
from texgeist_server.lsp.editor_commands import EDITOR_COMMANDS, EditorCommand

_ROWS = re.compile(r"(\| `writer\.provider` \|.*\n.*\n\| `extractive`.*\n)(?:\|.*\n)*")
_LATEX = "editorLangId =~ /^(latex|tex)$/"
_TEXTS = "editorLangId =~ /^(latex|tex|quarto|rmd|markdown)$/"  # where sentences get citations
_KEYS = [names[-1] for names in VARIABLES.values() if names]


def between(text: str, begin: str, end: str, new: str) -> str:
    """`text` with the part between the two marks replaced. Raises `ValueError` if a mark is missing."""
    head, found, rest = text.partition(begin)
    _, closed, tail = rest.partition(end)
    if not (found and closed):
        raise ValueError(f"There is no {begin!r} with {end!r} after it.")
    return f"{head}{begin}{new}{end}{tail}"


def contributions(old: dict[str, Any]) -> dict[str, Any]:
    """The manifest's `commands` and `menus`: the server's commands first, then the client's. The entry of a
    removed server command must be deleted by hand."""
    ours = {f"texgeist.{command.id}" for command in EDITOR_COMMANDS}

    def own(entries: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in entries if entry["command"] not in ours]

    declared = [
        {"command": f"texgeist.{one.id}", "title": one.title, "category": "texgeist"}
        for one in EDITOR_COMMANDS
    ]
    menus = old["menus"]
    return {
        "commands": [*declared, *own(old["commands"])],
        "menus": {
            **menus,
            "commandPalette": [*map(_palette, EDITOR_COMMANDS), *own(menus["commandPalette"])],
            "texgeist": [*_context_menu(), *own(menus["texgeist"])],
        },
    }


def _palette(one: EditorCommand) -> dict[str, str]:
    if one.while_working:
        return {"command": f"texgeist.{one.id}", "when": "texgeist.working"}
    selected = ["editorHasSelection"] if one.needs == "selection" else []
    latex = [] if one.needs == "nothing" else [_TEXTS if one.needs == "selection" else _LATEX]
    return {"command": f"texgeist.{one.id}", "when": " && ".join(["texgeist.ready", *latex, *selected])}


def _context_menu() -> Iterator[dict[str, str]]:
    for one in sorted((one for one in EDITOR_COMMANDS if one.place), key=lambda one: one.place):
        when = {"when": "editorHasSelection"} if one.needs == "selection" else {}
        yield {"command": f"texgeist.{one.id}", **when, "group": one.place}


def _texts() -> list[dict[str, Any]]:
    return [
        {
            "id": one.id,
            "order": one.order,
            "needs": one.needs,
            "argument": dict(one.argument),
            "always": one.always,
            "whileWorking": one.while_working,
        }
        for one in EDITOR_COMMANDS
    ]


def declared_ts(_: str) -> str:
    """The TypeScript module for VS Code's client: its commands, and the providers that need keys."""
    providers = [
        {
            "id": one.name,
            "label": one.label,
            "needs": one.needs,
            "reaches": one.reaches.replace("`", ""),
            "addressed": one.addressed,
            "keyed": bool(one.variables),
        }
        for one in PROVIDERS
    ]
    return (
        "/** Generated from the server's declarations by scripts/generate: change those. */\n\n"
        f"export const commands = {_pretty(_texts())} as const;\n\n"
        f"export const providers = {_pretty(providers)} as const;\n"
    )


def _pretty(rows: list[dict[str, Any]]) -> str:
    lines = [
        "  { " + ", ".join(f"{key}: {json.dumps(value)}" for key, value in row.items()) + " },"
        for row in rows
    ]
    return "\n".join(["[", *lines, "]"])


def neovim(text: str) -> str:
    """`texgeist.lua` with the generated list of commands."""
    rows = "".join(f"  {_upper(one.called)} = {{ {', '.join(_lua(one))} }},\n" for one in EDITOR_COMMANDS)
    return between(text, "-- scripts/generate writes these:\nlocal commands = {\n", "}\n", rows)


def _lua(one: EditorCommand) -> Iterator[str]:
    does = _lower(one.does).rstrip(".").replace("'", "\\'")
    yield from (f"'{one.order}'", f"'{does}'")
    argument = [f"{key} = '{value}'" for key, value in one.argument.items()]
    argument += ["quiet = true"] if one.page else []
    if argument:
        yield f"argument = {{ {', '.join(argument)} }}"
    if (
        what := {"nothing": "bare", "selection": "range", "cursor": "cursor", "position": "position"}.get(
            one.needs
        )
    ) is not None:
        yield f"{what} = true"


def neovim_help(text: str) -> str:
    """Neovim's help with the generated list of commands and of environment variables for keys."""
    rows = []
    for one in EDITOR_COMMANDS:
        name = f"Texgeist{_upper(one.called)}"
        shown = f":{'[range]' if one.needs == 'selection' else ''}{name}"
        rows.append(f"{'':48}*:{name}*\n" + _wrapped(one.does, f"{shown:<31} ", " " * 32, 79))
    listed = between(text, "once the server is attached:\n\n", "\nAll return at once", "\n".join(rows) + "\n")
    first = "Keys come from the environment:"
    keys = _wrapped(f"{', '.join(_KEYS)}.", f"{first} ", "", 79).removeprefix(first)
    return between(listed, first, "\nBy default,", keys)


def emacs(text: str) -> str:
    """`texgeist.el` with the generated commands and list of environment variables for keys."""
    made = "\n".join(_defun(one) for one in EDITOR_COMMANDS)
    listed = between(text, ";;;; Commands, by scripts/generate\n\n", "\n;;;; Set-up", made)
    keys = _wrapped(f"{', '.join(_KEYS)}.", ";; Keys come from the environment: ", ";; ", 100)
    return between(listed, "never from a project.\n", "\n;; By default", keys)


def _defun(one: EditorCommand) -> str:
    name = f"texgeist-{_kebab(one.called)}"
    argument = "".join(f' :{key} "{value}"' for key, value in one.argument.items())
    argument += " :quiet t" if one.page else ""
    argument += " :range (texgeist--range)" if one.needs == "selection" else ""
    argument += " :position (texgeist--position (point))" if one.needs == "cursor" else ""
    call = f'({"texgeist--show" if one.needs == "position" else "texgeist--start"} "{one.order}"{argument})'
    if (other := _twin(one)) is None:
        return f';;;###autoload\n(defun {name} ()\n  "{_docstring(one.does)}"\n  (interactive)\n  {call})\n'
    return (
        f';;;###autoload\n(defun {name} (&optional other)\n  "{_docstring(one.does)}\n'
        f'{_docstring(f"With a prefix argument OTHER: {_lower(other.does)}")}"\n  (interactive "P")\n'
        f"  (if other (texgeist-{_kebab(other.called)})\n    {call}))\n"
    )


def _docstring(text: str) -> str:
    """In lines of at most 80 columns, the quotation mark included: MELPA takes no compiler warnings."""
    return textwrap.fill(text, 77)


def _twin(one: EditorCommand) -> EditorCommand | None:
    """If two commands have the same order and `one` is the first of them, the second; else None."""
    same = [other for other in EDITOR_COMMANDS if other.order == one.order]
    return same[1] if len(same) > 1 and same[0] is one else None


def provider_rows(text: str) -> str:
    """The README with a row for each `writer.provider`, after the row of the extractive writer."""
    rows = (f"| `{one.name}` | {one.reaches} | {_needs(one)} |\n" for one in PROVIDERS)
    return _ROWS.sub(lambda table: table[1] + "".join(rows), text)


def _needs(one: Provider) -> str:
    key = f"a key (`{one.variables[-1]}`)" if one.variables else ""
    return one.needs.removeprefix("needs ").replace("a key", key) if key else one.needs


def _upper(name: str) -> str:
    return name[0].upper() + name[1:]


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


def _kebab(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def _wrapped(text: str, first: str, others: str, width: int) -> str:
    return textwrap.fill(text, width, initial_indent=first, subsequent_indent=others)
