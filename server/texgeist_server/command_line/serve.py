"""`texgeist lsp` and `texgeist mcp`: servers on standard input and output."""

from __future__ import annotations

import argparse
import gc
import logging
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import typer


def serve(log_level: str) -> None:
    from ..lsp.connection.first_answer import Messages, answer_first

    messages = Messages(sys.stdin.buffer)
    try:
        answered = answer_first(messages, sys.stdout.buffer)
    except KeyboardInterrupt:
        return
    # lsprotocol declares over a thousand classes. Garbage collection during the import frees nothing and
    # takes a quarter of the start-up time.
    gc.disable()
    from ..config.storage import log_to_file
    from ..lsp.server import serve_stdio

    gc.enable()
    gc.freeze()
    gc.set_threshold(50_000)  # entries and citations are many objects without cycles
    logging.basicConfig(
        level=log_level.upper(), stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s"
    )
    # At level INFO pygls logs whole messages, which contain the draft and the keys that an editor sends.
    logging.getLogger("pygls").setLevel(logging.WARNING)
    log_to_file()
    serve_stdio(messages, answered)


def quickly(arguments: list[str]) -> None:
    """Runs `texgeist lsp` without importing the libraries of the command line, which the server does not
    need."""
    parser = argparse.ArgumentParser(prog="texgeist lsp", allow_abbrev=False)
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--log-level", default="warning")
    parser.add_argument("--clientProcessId", help=argparse.SUPPRESS)  # added by VS Code's client library
    given, unknown = parser.parse_known_args(arguments)
    if unknown:
        parser.error(f"there is no option {unknown[0]}; texgeist uses standard input and output, not a port.")
    serve(given.log_level)


def register(app: typer.Typer) -> None:
    import typer

    @app.command("lsp")
    def lsp(
        stdio: bool = typer.Option(True, "--stdio", help="Communicate over standard input and output."),
        log_level: str = typer.Option("warning", help="debug, info, warning or error; on standard error."),
    ) -> None:
        """Start the language server."""
        serve(log_level)

    @app.command("mcp")
    def mcp() -> None:
        """Serve the Model Context Protocol on standard input and output: search, evidence, cite, verify.

        Assistants start this command themselves. Needs the extra `mcp`."""
        serve_tools()


def serve_tools() -> None:
    from texgeist_retrieval.errors import with_extra

    from ..errors import ServerError
    from .exits import plainly

    with plainly():
        try:
            from ..assistants.tools import build
        except ModuleNotFoundError as error:
            if (error.name or "").split(".")[0] not in ("mcp", "anyio"):
                raise
            raise ServerError("`texgeist mcp` needs the extra mcp.", with_extra("mcp")) from None
        build().run("stdio")
