"""Converts plain text to LaTeX, safely.

The text is foreign. Whatever it contains, the output compiles, has balanced braces, and contains only
commands for characters, and formulas made of known symbols. Which characters are written directly depends on
the document (`Charset`): OT1 fonts in pdflatex have no ogonek, a Russian document has Cyrillic letters, XeTeX
has all letters.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from texgeist_latex.tex.accents import COMBINING, romanise, romanise_names, romanise_words
from texgeist_latex.tex.symbols import (
    LETTERS,
    LOOKALIKES,
    MATHS,
    PLAIN_LETTERS,
    SPECIAL,
    T1_LETTERS,
    is_safe_formula,
    join_formulas,
    read_markup,
)
from texgeist_latex.writing.admission import one_line

_ACCENT_NAMES = {mark: name for name, mark in COMBINING.items()} | {"\u0326": "c"}
_OGONEK = "\u0328"  # OT1 has none
_QUOTE = re.compile(r"\"")
_FORMULA = re.compile(r"(?<!\\)\$(?!\s)([^$]{1,300}?)(?<![\s\\])\$(?!\d)")


@dataclass(frozen=True, slots=True)
class Charset:
    """Describes which characters a file's encoding and the document's fonts contain."""

    raw: frozenset[str] = field(default_factory=frozenset)  # scripts written directly: latin, cyrillic, …
    any_letter: bool = False  # XeTeX, LuaTeX, or a package with all scripts
    t1: bool = False  # T1 fonts: ogonek, eth, thorn
    ams: bool = False  # amssymb or amsfonts is loaded
    urls: bool = True  # a package formats URLs, including underscores
    decoded: bool = False  # biber decodes accents, so only letters in the fonts can be shown
    bytewise: bool = False  # BibTeX cuts names into bytes and could cut a letter
    encoding: str = "utf-8"  # of the file


def escape(text: str, charset: Charset = Charset(), *, maths: bool = True) -> str:
    """A line of LaTeX that shows the text. With `maths`, `$…$` remains a formula if `is_safe_formula` accepts
    it; other dollar signs are escaped. Runs of characters that the document cannot show become `?`; see
    `lost`."""
    text = one_line(text)
    if not maths or "$" not in text:
        return _escape_words(text, charset)
    parts: list[str] = []
    position = 0
    for match in _FORMULA.finditer(text):
        if is_safe_formula(match[1], charset.ams):
            parts += [_escape_words(text[position : match.start()], charset), match[0]]
            position = match.end()
    return "".join([*parts, _escape_words(text[position:], charset)])


def lost(text: str, charset: Charset) -> str:
    """The characters of the text that the document cannot show, without repetition."""
    return "".join(
        dict.fromkeys(char for char in _letters(one_line(text), charset) if _written(char, charset) is None)
    )


def script_of(char: str) -> str:
    """The script of a letter, in groups as in font encodings; "" for other characters."""
    code = ord(char)
    if code < 0x80:
        return ""
    if 0xC0 <= code <= 0x24F or 0x1E00 <= code <= 0x1EFF:
        return "" if char in "×÷" else "latin"
    for name, first, last in _SCRIPTS:
        if first <= code <= last:
            return name
    return ""


_SCRIPTS = (
    ("greek", 0x370, 0x3FF),
    ("greek", 0x1F00, 0x1FFF),
    ("cyrillic", 0x400, 0x52F),
    ("hebrew", 0x590, 0x5FF),
    ("arabic", 0x600, 0x6FF),
    ("cjk", 0x3000, 0x30FF),
    ("cjk", 0x3400, 0x4DBF),
    ("cjk", 0x4E00, 0x9FFF),
    ("cjk", 0xFF00, 0xFFEF),
    ("hangul", 0xAC00, 0xD7AF),
    ("devanagari", 0x900, 0x97F),
    ("thai", 0xE00, 0xE7F),
)


def _letters(text: str, charset: Charset) -> str:
    """The text as characters: LaTeX commands decoded, straight quotation marks curled, and Greek words
    romanised if the document has no Greek letters."""
    text = read_markup(text.replace("``", "“").replace("''", "”"))
    text = text if "greek" in charset.raw else romanise_words(text)
    return _curl_quotes(text)


def _curl_quotes(text: str) -> str:
    """Replaces straight by curly quotation marks, because straight marks are commands in several languages of
    babel."""
    if '"' not in text:
        return text
    return _QUOTE.sub(lambda m: "“" if m.start() == 0 or text[m.start() - 1] in " ([{-–—/“" else "”", text)


def _escape_words(text: str, charset: Charset) -> str:
    if text.isascii() and text.isalnum():
        return text
    pieces: list[str] = []
    last: str | None = ""
    for char in _letters(text, charset):
        written = char if char.isascii() and (char.isalnum() or char == " ") else _written(char, charset)
        shown = written if written is not None else "?" if last is not None else ""
        if _is_formula(shown) and pieces and _is_formula(pieces[-1]):
            pieces[-1] = join_formulas(pieces[-1], shown)
            last = written
            continue
        if pieces and shown[:1] == pieces[-1][-1:] and shown[:1] in "`'" and len(shown + pieces[-1]) > 2:
            pieces.append("\\,")  # a single beside a double quotation mark
        elif pieces and shown[:1] == "`" and pieces[-1] in ("?", "!"):
            pieces.append("{}")  # else it becomes an inverted question mark
        pieces.append(shown)
        last = written
    return "".join(pieces)


def _is_formula(piece: str) -> bool:
    return len(piece) > 2 and piece[0] == piece[-1] == "$"


def _written(char: str, charset: Charset) -> str | None:
    """The LaTeX for a character. Returns None if the document cannot show it."""
    if char in SPECIAL:
        return SPECIAL[char]
    if char == "`":
        return "`"
    if char.isascii():
        return char
    script = script_of(char)
    shown = script in charset.raw or (charset.any_letter and script != "greek")  # Greek is mostly mathematics
    if script and shown and _fits(char, charset):
        return char
    if script == "latin":
        return _nearest(char, charset) if charset.decoded else _accented(char, charset)
    if char in MATHS:
        return MATHS[char]
    if script == "greek":
        return _plain_greek(char, charset)
    if script == "cyrillic":
        roman = romanise(char)
        return roman if roman.isascii() else _without_marks(char, charset)
    return _without_marks(char, charset)


def _fits(char: str, charset: Charset) -> bool:
    """Whether the file's encoding and, for Latin letters, the fonts contain the character."""
    if not charset.any_letter and script_of(char) == "latin" and not _in_fonts(char, charset):
        return False
    try:
        char.encode(charset.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _in_fonts(char: str, charset: Charset) -> bool:
    """Whether pdfTeX shows the Latin letter directly: inputenc and the font encoding support it."""
    if ord(char) > 0x17F or char in PLAIN_LETTERS or not unicodedata.is_normalized("NFKC", char):
        return False
    return charset.t1 or _accented(char, charset) == _accented(char, Charset(t1=True))


def _nearest(char: str, charset: Charset) -> str | None:
    """The letter with as many of its accents as the fonts contain."""
    base, *marks = list(unicodedata.normalize("NFD", char))
    for count in range(len(marks), 0, -1):
        letter = unicodedata.normalize("NFC", base + "".join(marks[:count]))
        if len(letter) == 1 and _in_fonts(letter, charset):
            return letter if "latin" in charset.raw and _fits(letter, charset) else _accented(letter, charset)
    return base if base.isascii() else _accented(char, charset)


def _accented(char: str, charset: Charset) -> str | None:
    if char in LETTERS:
        return f"{{{LETTERS[char]}}}"
    if char in T1_LETTERS:
        command, plain = T1_LETTERS[char]
        return f"{{{command}}}" if charset.t1 else plain
    if char in PLAIN_LETTERS:
        return PLAIN_LETTERS[char]
    base, *marks = list(unicodedata.normalize("NFD", char))
    if not base.isascii() or not marks:
        return _without_marks(char, charset)
    shown = base
    for mark in marks:
        accent = _ACCENT_NAMES.get(mark)
        if accent is None or (mark == _OGONEK and not charset.t1):
            continue
        gap = " " if accent.isalpha() and len(shown) == 1 else ""
        shown = f"{{\\{accent}{gap}{shown}}}" if len(shown) == 1 else f"{{\\{accent}{shown}}}"
    return shown


def _plain_greek(char: str, charset: Charset) -> str | None:
    if char in LOOKALIKES:
        return LOOKALIKES[char]
    base = unicodedata.normalize("NFD", char)[0]
    if base != char:
        return _written(base, charset)
    roman = romanise_names(char)
    return roman if roman.isascii() and roman else None


def _without_marks(char: str, charset: Charset) -> str | None:
    if unicodedata.category(char).startswith("M"):
        return ""  # a mark that does not combine
    plain = unicodedata.normalize("NFKD", char)
    if plain == char or len(plain) > 8:
        return None
    parts = [_written(part, charset) for part in plain if part != char]
    return None if None in parts else "".join(part for part in parts if part)
