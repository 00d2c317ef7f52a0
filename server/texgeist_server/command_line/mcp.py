"""`texgeist mcp`: tools for assistants, which cite what was found and nothing else."""

from __future__ import annotations

import typer

from ..errors import ServerError
from .exits import plainly


def register(app: typer.Typer) -> None:
    @app.command("mcp")
    def mcp() -> None:
        """Serve the Model Context Protocol on standard input and output: search, cite, verify.

        For assistants, which start it themselves. It needs the extra `mcp`."""
        with plainly():
            try:
                from ..assistants.tools import build
            except ModuleNotFoundError as error:
                if (error.name or "").split(".")[0] not in ("mcp", "anyio"):
                    raise
                raise ServerError(
                    "`texgeist mcp` needs the extra mcp.", "Install texgeist with it: `texgeist[mcp]`."
                ) from None
            build().run("stdio")
