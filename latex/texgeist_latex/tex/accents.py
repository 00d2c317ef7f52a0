"""LaTeX's spellings of letters read as the letters they stand for, fast enough for every title of a
big bibliography (pylatexenc is right too, and a thousand times slower)."""

from __future__ import annotations

import re
import unicodedata

from texgeist_latex.tex.greek import romanise_words

COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    "~": "\u0303",
    "=": "\u0304",
    "u": "\u0306",
    ".": "\u0307",
    '"': "\u0308",
    "r": "\u030a",
    "H": "\u030b",
    "v": "\u030c",
    "d": "\u0323",
    "c": "\u0327",
    "k": "\u0328",
    "b": "\u0331",
}
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
    """`Fran\\c{c}ois Poincar{\\'e}` -> `François Poincaré`; all else is left as it stands."""
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
    """The letter, with the braces around it where both were matched."""
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
_CYRILLIC = dict(
    zip(
        "абвгдезийклмнопрстуфыэіў",
        "abvgdeziyklmnoprstufyeiu",
        strict=True,
    )
)  # fmt: skip
_CYRILLIC |= {
    "ж": "zh", "х": "kh", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "shch", "ю": "yu", "я": "ya", "ь": "",
    "ъ": "",     "ё": "e", "є": "ie", "ї": "i", "ґ": "g", "ђ": "dj", "ј": "j", "љ": "lj", "њ": "nj", "ћ":
    "c", "џ": "dz",
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
    """Cyrillic letters by the passport's table (ICAO 9303, less its finer points)."""
    return text.translate(_ROMAN)


def to_ascii(text: str) -> str:
    """Letters without their accents, Cyrillic and Greek words romanised; what has no ASCII form is left out."""
    if text.isascii():
        return text
    text = romanise_words(text)
    text = unicodedata.normalize("NFKD", romanise(unicodedata.normalize("NFC", text)).translate(_PLAIN))
    return text.encode("ascii", "ignore").decode("ascii")
