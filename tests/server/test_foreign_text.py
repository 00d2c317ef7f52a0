"""Text of others in the editor: it is shown as it stands, and makes no links, directions or control characters."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from texgeist_server.lsp.hover_text import unmarked
from texgeist_server.plain_text import escaped

from .editor import editor

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
EVIL = "Read \u202egnp.exe\u202c \x1b[2K at http://evil.example now"
PAPER = (
    "\\documentclass{article}\n\\begin{document}\nWords \\cite{a}.\n\\bibliography{refs}\n\\end{document}\n"
)
BIB = f"@article{{a,\n  title = {{{EVIL}}},\n  author = {{Mallory, {EVIL}}},\n  year = {{2020}}\n}}\n"


async def test_marks_and_links_in_a_bibliography(tmp_path: Path, env: dict[str, str]) -> None:
    main = tmp_path / "main.tex"
    main.write_text(PAPER)
    (tmp_path / "refs.bib").write_text(BIB)
    async with editor(tmp_path, env=env) as one:
        one.open(main)
        hover = await one.hover(main, "a}")
        item = (await one.completions(main, "{a}")).items[0]
    assert isinstance(item.documentation, lsp.MarkupContent)
    shown = (
        hover,
        item.label,
        str(item.detail),
        item.documentation.value,
    )
    assert not [text for text in shown if CONTROLS.search(text)]
    assert "http\\://evil.example" in hover and "http://evil" not in hover


@pytest.mark.parametrize(
    "text", ["https://a.example/x", "ftp://a.example", "see WWW.a.example", "mail me@a.example"]
)
def test_what_editors_make_links_of_is_escaped(text: str) -> None:
    """VS Code and GitHub make links of bare addresses."""
    assert not re.search(r"[a-z]://|www\.|(?<!\\)@", escaped(text), re.I)
    assert unmarked(escaped(text)) == text
