"""LaTeX that authors leave in titles and abstracts (arXiv's metadata are full of it), read as text."""

from __future__ import annotations

import re

from texgeist_latex.tex.accents import read_accents
from texgeist_latex.tex.symbols import MATHS

_STYLED = re.compile(
    r"\\(?:text(?:it|bf|tt|sc|rm|sf|sl|up|md|normal)?|emph|math(?:rm|bf|it|sf|tt)|mbox|underline)\s?\{([^{}\\]*)\}"
)
_SWITCHED = re.compile(r"\{\\(?:it|bf|em|tt|sc|rm|sf|sl|itshape|bfseries|scshape|ttfamily)\s+([^{}\\]*)\}")
_ESCAPED = re.compile(r"\\([&%_#$])")
_SYMBOLS = {
    written[2:-1]: char
    for char, written in MATHS.items()
    if written.startswith("$\\") and written[2:-1].isalpha()
}
_SYMBOL = re.compile(r"\\(" + "|".join(sorted(_SYMBOLS, key=len, reverse=True)) + r")(?![A-Za-z])")


def read_markup(text: str) -> str:
    """`Amp\\`ere's \\emph{law} for \\mu` -> `Ampère's law for μ`. Commands that are none of these stay as
    they are; whoever shows the text shows their names."""
    if "\\" not in text:
        return text
    text = _SWITCHED.sub(r"\1", _STYLED.sub(r"\1", read_accents(text)))
    text = _SYMBOL.sub(lambda match: _SYMBOLS[match[1]], text)
    return _ESCAPED.sub(r"\1", text)
