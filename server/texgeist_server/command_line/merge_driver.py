"""`texgeist merge-driver`: merges bibliographies when git merges branches."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import typer

from .terminal import inform


def register(app: typer.Typer) -> None:
    app.command("merge-driver")(merge_driver)


def merge_driver(
    versions: list[Path] = typer.Argument(None, help="From git: the common version, ours, theirs."),
) -> None:
    """Merge bibliographies by entry when git merges branches. Without arguments: set this up in the repository of this folder."""
    from texgeist_latex.writing.branches import merge_bib

    if versions and len(versions) != 3:
        raise typer.BadParameter("git gives three files: the common version, ours and theirs.")
    if versions:
        base, ours, theirs = (file.read_bytes().decode(errors="surrogateescape") for file in versions)
        text, conflicts = merge_bib(base, ours, theirs)
        versions[1].write_bytes(text.encode(errors="surrogateescape"))
        raise typer.Exit(bool(conflicts))
    command = f"{shlex.quote(sys.executable)} -P -m texgeist_server merge-driver %O %A %B"
    if subprocess.run(["git", "config", "merge.texgeist.driver", command]).returncode:
        raise typer.Exit(1)  # git said why
    file, line = Path(".gitattributes"), "*.bib merge=texgeist"
    text = file.read_text("utf-8") if file.exists() else ""
    if line not in text.splitlines():
        file.write_text(f"{text.rstrip()}\n{line}\n".lstrip(), "utf-8")
    inform(
        "git now merges the .bib files of this repository with texgeist. Commit .gitattributes; co-authors must run "
        f"this command too. git's settings of this repository name this Python: {sys.executable}. If it moves, run "
        "this command again; until then git reports a conflict."
    )
