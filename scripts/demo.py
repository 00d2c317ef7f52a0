"""The demonstration that `scripts/demo` runs: the main job on the sample paper and library. It uses the
command line, as a user would, and shows every command before running it."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.rule import Rule
from rich.syntax import Syntax
from rich.table import Table

ROOT = Path(__file__).resolve().parents[1]
SCRATCH = ROOT / ".demo"
LIBRARY = SCRATCH / "library.db"
PAPER = SCRATCH / "paper"


def main() -> None:
    """Runs the demo. Exits with the status of a failing command."""
    console = Console(highlight=False)
    started = time.monotonic()
    _texgeist(console, "model", "fetch")
    SCRATCH.mkdir(exist_ok=True)
    _texgeist(console, "index", "add", "sample", "--index", LIBRARY)
    shutil.rmtree(PAPER, ignore_errors=True)
    shutil.copytree(ROOT / "examples" / "paper", PAPER)
    arguments = ("related-work", PAPER / "main.tex", "--index", LIBRARY, "--writer", "extractive")
    answer = json.loads(_texgeist(console, *arguments, "--apply", "--json", capture=True))
    _show(console, answer)
    console.print(f"[bold]Done in {time.monotonic() - started:.0f} s.[/] Where everything is:")
    for what, where in _places(answer):
        console.print(f"  {what:<24} {where}", soft_wrap=True)


def _texgeist(console: Console, *arguments: str | Path, capture: bool = False) -> str:
    """Runs a command. Returns its standard output if `capture`, else ""."""
    words = [str(argument) for argument in arguments]
    shown = [word.replace(str(ROOT) + "/", "") for word in words]
    console.print(f"[bold cyan]$ texgeist {escape(shlex.join(shown))}[/]", soft_wrap=True)
    command = [sys.executable, "-m", "texgeist_server", *words]
    done = subprocess.run(command, stdout=subprocess.PIPE if capture else None, text=True, check=False)
    if done.returncode:
        raise SystemExit(done.returncode)
    return done.stdout or ""


def _show(console: Console, answer: dict[str, Any]) -> None:
    for title, text, language in (
        ("The section", answer["section"]["latex"], "latex"),
        ("The new entries", answer["entries"], "bibtex"),
    ):
        console.print(Rule(title))
        shown = Syntax("", language, background_color="default").highlight(text)
        console.print(shown, soft_wrap=True)
    console.print(Rule("The papers chosen"))
    table = Table(box=SIMPLE, padding=(0, 1, 1, 0))
    for heading in ("key", "paper", "similarity", "why it is there"):
        number = heading == "similarity"
        table.add_column(heading, justify="right" if number else "left", no_wrap=number or heading == "key")
    for citation in answer["citations"]:
        paper = citation["paper"]
        name = f"{paper['title']} ({paper['year']}), {paper['id']}"
        table.add_row(citation["key"], escape(name), f"{citation['similarity']:.2f}", escape(citation["why"]))
    console.print(table)


def _places(answer: dict[str, Any]) -> list[tuple[str, Path]]:
    edited = [(f"edited: {Path(edit['file']).name}", PAPER / edit["file"]) for edit in answer["edits"]]
    return [
        *dict.fromkeys(edited),
        ("why each is there", PAPER / ".texgeist" / "provenance.json"),
        ("the index (Milvus Lite)", LIBRARY),
    ]


if __name__ == "__main__":
    main()
