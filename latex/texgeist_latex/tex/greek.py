"""Greek words in Latin letters (ELOT 743, as Greek passports have them, less its finer points).

A lone Greek letter is a symbol, and LaTeX has formulas for it. A word of them is none: pdfLaTeX has no letters
for it without a font encoding of its own (LGR), and a formula would set it in slanted, badly spaced letters."""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(
    r"(?:[\u0370-\u0373\u0376-\u0377\u037b-\u037d\u037f\u0386-\u03ff\u1f00-\u1fff][\u0300-\u036f]*)+"
)
_ALPHABET = "αβγδεζηθικλμνξοπρστυφχψω"
_LETTERS = dict(
    zip(_ALPHABET, "a v g d e z i th i k l m n x o p r s t y f ch ps o".split(), strict=True),
)
_LETTERS |= {"ς": "s", "ϲ": "s", "ϐ": "v", "ϑ": "th", "ϕ": "f", "ϖ": "p", "ϰ": "k", "ϱ": "r", "ϵ": "e"}
_LETTERS |= {
    "ϒ": "y",
    "ϓ": "y",
    "ϔ": "y",
    "ϝ": "w",
    "ϛ": "st",
    "ϙ": "q",
    "ϟ": "q",
    "ϡ": "ss",
    "ϳ": "j",
    "ͷ": "w",
}
_LETTERS |= {"ϸ": "sh", "ϻ": "s", "ͱ": "h", "ϗ": "kai", "ϣ": "sh", "ϥ": "f", "ϧ": "kh", "ϩ": "h", "ϫ": "j"}
_LETTERS |= {"ϭ": "ch", "ϯ": "ti", "ͳ": "ss", "ͻ": "s", "ͼ": "s", "ͽ": "s", "ϼ": "r"}
_PAIRS = {"ου": "ou", "γγ": "ng", "γξ": "nx", "γχ": "nch"}
_VOICED = "αεηιουωβγδζλμνρ"  # before these αυ, ευ and ηυ are spoken with a v
_SPLITS = "\u0308"  # two dots: the letter is none of a pair


def romanise_names(text: str) -> str:
    """Every Greek letter of a name."""
    return text if text.isascii() else _RUN.sub(lambda run: _roman(run[0]), text)


def romanise_words(text: str) -> str:
    """The Greek words of a text; symbols (one letter, or a run of the alphabet) are left as they are. Short
    words without an accent count beside longer ones only."""
    if text.isascii() or not any(_is_word(run[0], 4) for run in _RUN.finditer(text)):
        return text
    return _RUN.sub(lambda run: _roman(run[0]) if _is_word(run[0], 2) else run[0], text)


def _is_word(run: str, enough: int) -> bool:
    signs = unicodedata.normalize("NFD", run)
    letters = [sign.lower() for sign in signs if unicodedata.category(sign)[0] == "L"]
    if len(letters) < 2 or "".join(letters) in _ALPHABET:
        return False
    return len(signs) > len(letters) or letters[-1] == "ς" or len(letters) >= enough


def _roman(run: str) -> str:
    letters = re.findall(r"[^\W\d_][\u0300-\u036f]*", unicodedata.normalize("NFD", run))
    written, place = "", 0
    while place < len(letters):
        here = letters[place][0]
        pair = "".join(_bare(letter) for letter in letters[place : place + 2])
        joined = len(pair) == 2 and _SPLITS not in letters[place + 1]
        if joined and (roman := _PAIRS.get(pair)):
            place += 2
        elif joined and pair == "μπ" and place == 0:
            roman, place = "b", place + 2
        elif joined and pair in ("αυ", "ευ", "ηυ"):
            after = _bare(letters[place + 2]) if place + 2 < len(letters) else ""
            roman, place = _LETTERS[pair[0]] + ("v" if after and after in _VOICED else "f"), place + 2
        else:
            roman, place = _LETTERS.get(pair[:1], ""), place + 1
        written += _as(roman, here, run)
    return written


def _bare(letter: str) -> str:
    return letter[0].lower()


def _as(roman: str, letter: str, run: str) -> str:
    """In the capitals of the Greek: "Θ" is "Th" in "Θεός" and "TH" in "ΘΕΟΣ"."""
    if not letter.isupper():
        return roman
    return roman.upper() if len(run) > 1 and run.upper() == run else roman.capitalize()
