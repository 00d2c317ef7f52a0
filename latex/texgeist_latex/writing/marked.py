"""Replaces commands, citations and formulas in a LaTeX sentence by marks, ⟨1⟩, ⟨2⟩, and restores them. So a
model can reword a sentence without reading or writing LaTeX."""

from __future__ import annotations

import re

from texgeist_latex.errors import Unfit
from texgeist_latex.tex.symbols import read_markup
from texgeist_latex.writing.escape import Charset, escape

_GROUP = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_LATEX = re.compile(
    rf"~?\\[A-Za-z@]+\*?(?:[ \t]*\[[^\[\]]*\])*(?:[ \t]*{_GROUP})*|\$\$?[^$]+\$\$?|\\\([^$]*?\\\)|{_GROUP}"
)
_ACCENT = re.compile(
    r"\\[`'^\"~=.uvHcdbkr](?![A-Za-z@]{2})[ \t]*(?:\{\\?[A-Za-z]\}|\\?[A-Za-z])|\\(?:ss|oe|OE|ae|AE|aa|AA|o|O|l|L|i|j)(?:\{\}|(?![A-Za-z]))"
)
_COMMENT = re.compile(r"(?<!\\)%")
MARK = re.compile(r"⟨(\d{1,3})⟩")


def marked(latex: str) -> tuple[str, tuple[str, ...]]:
    """The sentence with marks, and the LaTeX for each mark. Raises `Unfit` if the LaTeX cannot be split."""
    if MARK.search(latex) or _COMMENT.search(latex):  # a comment that moves would comment out words
        raise Unfit(
            "The sentence contains a comment, or characters that texgeist uses itself.", "Change it by hand."
        )
    pieces: list[str] = []

    def put(match: re.Match[str]) -> str:
        if _ACCENT.fullmatch(match[0]):
            return match[0]
        pieces.append(match[0])
        return f"⟨{len(pieces)}⟩"

    words = read_markup(_LATEX.sub(put, latex))
    text = " ".join(words.replace("\\ ", " ").replace("~", " ").split())
    if re.search(r"[\\{}$]", text):
        raise Unfit("The words of the sentence cannot be separated from its LaTeX.", "Change it by hand.")
    return text, tuple(pieces)


def unmarked(text: str, pieces: tuple[str, ...], charset: Charset) -> str:
    """Turns marked text back into LaTeX: escapes the words and replaces each mark by its LaTeX in `pieces`.
    Raises `Unfit` unless each mark occurs once."""
    if sorted(int(mark) for mark in MARK.findall(text)) != list(range(1, len(pieces) + 1)):
        raise Unfit(
            "The new wording lost a citation or formula, so the sentence was not changed.", "Try again."
        )
    parts = MARK.split(text)
    made = ""
    for at, part in enumerate(parts):
        if at % 2:
            piece = pieces[int(part) - 1]
            made = made.rstrip(" ") + piece if piece.startswith("~") else made + piece
        else:
            lead, tail = part[: len(part) - len(part.lstrip())], part[len(part.rstrip()) :]
            made += (lead and " ") + escape(part, charset) + (tail and " " if part.strip() else "")
    return made.strip()
