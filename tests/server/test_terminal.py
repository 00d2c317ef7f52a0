"""What a project holds reaches the terminal as text, and never as something that the terminal acts on."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest
from texgeist_retrieval.monitor import Pace
from texgeist_server.command_line.terminal import without_controls, working

from ..conftest import ROOT
from .test_cli import texgeist

EVIL = "\x1b[2K\x1b[1A\x9b31m\u202egnp"
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
MAIN = (
    f"\\documentclass{{article}}\n\\title{{A Title {EVIL}}}\n\\begin{{document}}\n"
    f"\\begin{{abstract}}Words {EVIL} on retrieval.\\end{{abstract}}\n\\section{{Heading {EVIL}}}\n"
    f"\\cite{{key{EVIL}}} \\cite{{other}}\n\\bibliography{{refs,x{EVIL}}}\n\\end{{document}}\n"
)


@pytest.mark.parametrize("command", ["draft", "verify", "related-work"])
def test_no_control_character_of_a_project_reaches_the_terminal(
    tmp_path: Path, env: dict[str, str], command: str
) -> None:
    (tmp_path / "main.tex").write_text(MAIN)
    (tmp_path / "refs.bib").write_text(f"@misc{{key{EVIL}, title={{T {EVIL}}}, year=1}}\n@misc{{a, title}}\n")
    done = texgeist(env, command, str(tmp_path / "main.tex"))
    assert not CONTROLS.search(done.stdout + done.stderr), (done.stdout, done.stderr)


def test_what_a_terminal_shows_stays() -> None:
    assert without_controls("é 中\tü\r\n\u00a0“x”") == "é 中\tü\r\n\u00a0“x”"
    assert without_controls("a\rb\x07") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}"


def test_every_command_prints_through_one_place() -> None:
    """`typer.echo` and rich's own console hand on whatever they are given."""
    for file in (ROOT / "server" / "texgeist_server" / "command_line").glob("*.py"):
        if file.name != "terminal.py":
            assert not re.search(r"typer\.echo\(|(?<!\w)Console\(", file.read_text("utf-8")), file.name


def test_progress_without_a_terminal_says_total_and_remaining_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    with working("Indexing") as monitor:
        for done in range(0, 700, 100):
            monitor.report("Embedding", done, 700)
            now[0] += 30
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "Embedding: 100 of 700, about 3 min left" and len(said) == 6
    assert Pace().words("3 read", 10, 40) == "3 read: 25 %"
    pace = Pace()
    for done in range(0, 701, 100):
        pace.words("Embedding", done, 700)
        now[0] += 30
    assert pace.words("Writing", 0, 700) == "Writing: 0 of 700"
    now[0] += 6
    assert (
        pace.words("Writing", 350, 700) == "Writing: 350 of 700, less than a minute left"
    )  # not of both steps
