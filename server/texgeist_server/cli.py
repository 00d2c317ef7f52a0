"""The command line, `texgeist`.

Only the module of the requested command is imported, so that the language server starts quickly and
`texgeist draft` does not load a search library."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer

# Each command has a line: its name, and the module in `command_line` that declares it with `register(app)`,
# or that holds a group of commands as `app`.
COMMANDS = {
    "related-work": "write_section",
    "draft": "draft",
    "search": "search",
    "ask": "search",
    "evidence": "evidence",
    "cite": "cite",
    "missing": "cite",
    "add": "add",
    "merge-driver": "add",
    "review": "write_section",
    "draft-section": "write_section",
    "lsp": "serve",
    "verify": "verify",
    "mcp": "serve",
    "index": "index",
    "model": "config",
    "config": "config",
    "doctor": "doctor",
    "train": "training",
    "export-training": "training",
}


LOUDNESS = {"-q": "--quiet", "--quiet": "--quiet", "-v": "--verbose", "--verbose": "--verbose"}


def main() -> None:
    """Entry point of the console command."""
    for stream in (sys.stdout, sys.stderr):  # characters that the console cannot show become “?”
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    check_arguments(sys.argv[1:])
    sys.argv[1:] = loudness_first(sys.argv[1:])
    if sys.argv[1:] == ["--version"]:  # without importing the commands, which takes .4 s
        print_version(True)
    called = next((argument for argument in sys.argv[1:] if not argument.startswith("-")), "")
    if called == "lsp" and not {"--help", "-h"} & set(sys.argv):
        from .command_line.serve import quickly

        quickly([argument for argument in sys.argv[1:] if argument not in ("lsp", *LOUDNESS)])
        return
    build(called)()


def check_arguments(arguments: Sequence[str]) -> None:
    """Exits with code 2 if an argument is empty. A shell passes an empty argument for an unset variable; an
    empty path would mean the current folder, and an empty index name the user's own index. Only the value of
    `config set` may be empty, since the empty text is the default of some settings."""
    if arguments[:2] == ["config", "set"] and len(arguments) == 4 and arguments[2]:
        return
    for before, argument in zip(["", *arguments], arguments, strict=False):
        if not argument or re.fullmatch("--[a-z-]+=", argument):
            named = argument or (f"{before} " if before.startswith("--") else "") + '""'
            sys.stderr.write(
                f"The argument {named} is empty, so nothing was done. Give it a value, or leave it out.\n"
            )
            raise SystemExit(2)


def loudness_first(arguments: list[str]) -> list[str]:
    """Moves `-q` and `-v` to the front: they are options of the program, but users may write them anywhere
    before `--`."""
    end = arguments.index("--") if "--" in arguments else len(arguments)
    said = [LOUDNESS[one] for one in arguments[:end] if one in LOUDNESS]
    return [*said, *(one for one in arguments[:end] if one not in LOUDNESS), *arguments[end:]]


def build(called: str = "") -> typer.Typer:
    """Returns the application with only the command that is called, or with all commands (for the help
    text)."""
    import typer

    app = typer.Typer(
        name="texgeist",
        help="Write related work into LaTeX projects, with an explanation of each citation.",
        no_args_is_help=True,
        add_completion=not called,  # --install-completion, --show-completion
        context_settings={"help_option_names": ["-h", "--help"]},  # also for the commands
        pretty_exceptions_show_locals=False,  # locals may hold the user's text or keys
    )

    @app.callback()
    def root(
        version: bool = typer.Option(
            False, "--version", callback=print_version, is_eager=True, help="Show the version."
        ),
        quiet: bool = typer.Option(False, "-q", "--quiet", help="Print only results and errors."),
        verbose: bool = typer.Option(False, "-v", "--verbose", help="Log progress to standard error."),
    ) -> None:
        """texgeist reads a LaTeX draft, finds related papers, and writes a related-work section with its
        bibliography entries."""
        from .command_line.terminal import MANNER, Manner
        from .config.storage import log_to_file

        MANNER.set(Manner(quiet, "--json" in sys.argv))
        log_to_file(verbose)

    wanted = [COMMANDS[called]] if called in COMMANDS else dict.fromkeys(COMMANDS.values())
    for name in wanted:
        _mount(app, name)
    return app


def print_version(asked: bool) -> None:
    if asked:
        from . import __version__

        sys.stdout.write(f"texgeist {__version__}\n")
        raise SystemExit


def _mount(app: typer.Typer, name: str) -> None:
    module = import_module(f"texgeist_server.command_line.{name}")
    if hasattr(module, "register"):
        module.register(app)
    else:
        app.add_typer(module.app, name=name)
