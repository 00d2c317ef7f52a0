"""Converts LaTeX's accent commands to letters, fast enough for all titles of a big bibliography (pylatexenc
is correct too, but a thousand times slower)."""

from __future__ import annotations

import re
import unicodedata

_RUN = re.compile(
    r"(?:[\u0370-\u0373\u0376-\u0377\u037b-\u037d\u037f\u0386-\u03ff\u1f00-\u1fff][\u0300-\u036f]*)+"
)
_ALPHABET = "αβγδεζηθικλμνξοπρστυφχψω"
_ROMAN_LETTERS = dict(
    zip(_ALPHABET, "a v g d e z i th i k l m n x o p r s t y f ch ps o".split(), strict=True),
)
_GREEK_LETTERS = str.maketrans(_ROMAN_LETTERS | {"ς": "s"})


def romanise_names(text: str) -> str:
    """Romanises all Greek letters of a name."""
    return text if text.isascii() else _RUN.sub(lambda run: _roman(run[0]), text)


def romanise_words(text: str) -> str:
    """Romanises the Greek words of a text, but not symbols (single letters, or letters in alphabetical order
    such as αβγ). Words of two or three letters without an accent are romanised only if the text has another
    Greek word that is longer or has an accent."""
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
    """The Greek letters as single Latin letters, except for the pair ου."""
    small = unicodedata.normalize("NFKD", run).lower().replace("ου", "ou").translate(_GREEK_LETTERS)
    roman = small.encode("ascii", "ignore").decode()
    if run.isupper() and len(run) > 1:
        return roman.upper()
    return roman.capitalize() if run[0].isupper() else roman


COMBINING = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", "~": "\u0303", "=": "\u0304", "u": "\u0306", ".": "\u0307",
    '"': "\u0308", "r": "\u030a", "H": "\u030b", "v": "\u030c", "d": "\u0323", "c": "\u0327", "k": "\u0328",
    "b": "\u0331",
}  # fmt: skip
LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ",
    "aa": "å", "AA": "Å", "i": "ı", "j": "ȷ", "dj": "đ", "DJ": "Đ", "dh": "ð", "DH": "Ð", "th": "þ",
    "TH": "Þ", "ng": "ŋ", "NG": "Ŋ", "textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“",
    "textquotedblright": "”", "textendash": "–", "textemdash": "—", "textasciitilde": "~",
}  # fmt: skip

_LETTER = re.compile(
    r"\{?\\(" + "|".join(sorted(LETTERS, key=len, reverse=True)) + r")(?:\{\}|(?![A-Za-z])[ \t]?)\}?"
)
_SIGN_ACCENT = re.compile(
    r"\\([`'^~=.\"])[ ]?(?:\{[ ]?(\\?[A-Za-zıȷ])[ ]?\}|(\\[ij](?![A-Za-z])|[A-Za-zıȷ]))"
)
_LETTER_ACCENT = re.compile(r"\\([uvHcdbkr])(?:\{[ ]?(\\?[A-Za-zıȷ])[ ]?\}|[ ](\\?[A-Za-zıȷ]))")
_LONE = re.compile(r"\{([^\W\d_\x00-\x7f])\}")


def read_accents(text: str) -> str:
    """`Fran\\c{c}ois Poincar{\\'e}` -> `François Poincaré`; other commands are kept."""
    if "\\" not in text:
        return text
    text = _SIGN_ACCENT.sub(_composed, text)
    text = _LETTER_ACCENT.sub(_composed, text)
    text = _LETTER.sub(_letter, text)
    return _LONE.sub(r"\1", unicodedata.normalize("NFC", text))


def _composed(match: re.Match[str]) -> str:
    letter = (match[2] or match[3]).lstrip("\\")
    letter = {"ı": "i", "ȷ": "j"}.get(letter, letter)
    return unicodedata.normalize("NFC", letter + COMBINING[match[1]])


def _letter(match: re.Match[str]) -> str:
    """The letter that a command such as `\\ss` shows; an unmatched brace beside the command is kept."""
    whole, letter = match[0], LETTERS[match[1]]
    opened, closed = whole.startswith("{"), whole.endswith("}") and not whole.endswith("{}")
    return ("{" if opened and not closed else "") + letter + ("}" if closed and not opened else "")


_PLAIN = str.maketrans(
    {
        "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE",
        "ı": "i", "ȷ": "j", "đ": "d", "Đ": "D", "ð": "d", "Ð": "D", "þ": "th", "Þ": "Th", "ŋ": "ng",
        "Ŋ": "Ng", "ə": "e", "ħ": "h", "Ħ": "H",
        "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"',
    }
)  # fmt: skip
_CYRILLIC = dict(zip("абвгдезийклмнопрстуфыэіў", "abvgdeziyklmnoprstufyeiu", strict=True)) | {
    "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ь": "", "ъ": "",
    "ё": "e", "є": "ie", "ї": "i", "ґ": "g", "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj", "ћ": "c", "џ": "dz",
}  # fmt: skip
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξοπρσςτυφχψω",
        "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma sigma "
        "tau upsilon phi chi psi omega".split(),
        strict=True,
    )
)
_ROMAN = str.maketrans(_CYRILLIC | {small.upper(): roman.capitalize() for small, roman in _CYRILLIC.items()})


def romanise(text: str) -> str:
    """Romanises Cyrillic letters by a simplified ICAO 9303 table."""
    return text.translate(_ROMAN)


def to_ascii(text: str) -> str:
    """The text in ASCII, with Cyrillic and Greek words romanised; other characters are left out."""
    if text.isascii():
        return text
    text = romanise_words(text)
    text = unicodedata.normalize("NFKD", romanise(unicodedata.normalize("NFC", text)).translate(_PLAIN))
    return text.encode("ascii", "ignore").decode("ascii")
