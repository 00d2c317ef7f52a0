"""The command line, `texgeist`.

Only the module of the command that is called gets imported, so that the language server starts quickly
and `texgeist draft` does not wait for a search library."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

# One line a command: its name, and the module in `commands` that declares it with `register(app)`, or
# that holds a group of commands as `app`.
COMMANDS = {
    "related-work": "related_work",
    "draft": "draft",
    "search": "search",
    "ask": "ask",
    "cite": "cite",
    "lsp": "lsp",
    "verify": "verify",
    "index": "index",
    "model": "model",
    "eval": "evaluate",
    "train": "evaluate",
    "export-training": "evaluate",
}


def main() -> None:
    """Entry point of the console command."""
    called = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "")
    if called == "lsp" and "--help" not in sys.argv:
        from .commands.lsp import quickly

        quickly(sys.argv[2:])
        return
    build(called)()


def build(called: str = "") -> typer.Typer:
    """The application with the one command that is called, or with all for help."""
    import typer

    app = typer.Typer(
        name="texgeist",
        help="Write related work into LaTeX projects, with citations that can be asked why.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_show_locals=False,  # they may hold the user's text or keys
    )
    app.callback()(_root)
    wanted = [COMMANDS[called]] if called in COMMANDS else dict.fromkeys(COMMANDS.values())
    for name in wanted:
        _mount(app, name)
    return app


def _root() -> None:
    """texgeist reads a LaTeX draft, finds the papers that it should be talking to, and writes its
    related-work section with the matching bibliography entries."""


def _mount(app: typer.Typer, name: str) -> None:
    if find_spec(f"texgeist_server.commands.{name}") is None:
        return
    module = import_module(f"texgeist_server.commands.{name}")
    if hasattr(module, "register"):
        module.register(app)
    else:
        app.add_typer(module.app, name=name)
