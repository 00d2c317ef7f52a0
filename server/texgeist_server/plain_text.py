"""Prepares foreign text for display: in a single line, without control characters, and shortened."""

from __future__ import annotations

import re
from pathlib import Path

_SPECIAL = re.compile(  # the last three: text that editors turn into links without Markdown
    r"[\\`*_{}\[\]<>#|!~$&]|(?<=[a-z]):(?=//)|(?<=www)\.|@", re.I
)


def visible(text: str) -> str:
    """The text in a single line. Control characters and bidirectional marks become spaces, because they would
    change how the text is displayed."""
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(text.split())


def escaped(text: str) -> str:
    """Markdown that displays exactly this text, in a single line and without links."""
    return _SPECIAL.sub(r"\\\g<0>", visible(text))


def cut(text: str, most: int) -> str:
    """The visible text, cut at a space to at most `most` characters. An ellipsis shows that words were cut.
    Text without spaces may be longer by one character."""
    text = visible(text)
    return text if len(text) <= most else text[: most - 1].rsplit(" ", 1)[0] + " …"


def plain(latex: str, path: Path | None = None) -> str:
    """LaTeX as plain words in a single line; Markdown, if the text is of a Markdown file."""
    from texgeist_latex.tex.markdown import is_markdown, plain_markdown
    from texgeist_latex.tex.plaintext import plain as rendered

    shown = plain_markdown(latex) if path is not None and is_markdown(path) else rendered(latex)
    return " ".join(shown.split())
