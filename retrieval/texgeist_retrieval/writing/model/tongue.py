"""Whether a sentence stays in the languages and scripts of what was given: names and refusals in others are
told by that alone."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from functools import lru_cache

_SCRIPTS = (
    "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI", "BENGALI", "TAMIL",
    "TELUGU", "ARMENIAN", "GEORGIAN", "ETHIOPIC",
)  # fmt: skip
_GREEK_WORD = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{4,}")  # shorter ones are symbols
_ENOUGH = 3  # words that are of no other language
_WORDS_OF = {
    "de": "ich nicht das kann ist und der dem den ein eine einen wir mir mich leid wie auf zu zur zum für sich auch oder "
    "dass wird werden nach von vom laut gemäß siehe diese dieser dieses zeigt zeigen über bei spart geht gehen zurück",
    "fr": "je ne pas les une des est suis sont que dans pour avec sur mais selon cette ces ont été nous vous peux désolé "
    "comme montre le du et qui par",
    "es": "los las una puedo lo siento que según con para por esta este se deben ayudar pero como el del muestra y",
    "it": "il gli di che è una per non posso mi dispiace secondo questo questa sono come nel della dei",
    "pt": "não posso os uma para com segundo esta este são como pelo pela dos das desculpe mas o em que",
    "nl": "ik niet het een van kan dat deze met voor volgens zijn maar ook spijt geen wordt de",
}
_FUNCTION_WORDS = {name: frozenset(words.split()) for name, words in _WORDS_OF.items()}


_ENGLISH = frozenset("the of and to is it that this with we for are by on as from".split())
_MORE_OF = {  # words that other languages have, too: they tell beside the others alone
    "de": "die mit aus als sind durch werden bis hat haben im am es an war waren nur so beide mehr",
    "fr": "la l d au aux en il elle sa ses leur leurs aucune ainsi plus a",
}
_SURELY = {name: of | frozenset(_MORE_OF.get(name, "").split()) for name, of in _FUNCTION_WORDS.items()}


def tongue_of(text: str) -> str:
    """The language that a text is written in, "" for English and for what cannot be told."""
    words = re.findall(r"[^\W\d_]+", text.casefold())
    known = set(words)
    told = {name: len(known & of) for name, of in _FUNCTION_WORDS.items()}
    best = max(told, key=lambda name: told[name])
    return best if told[best] >= 2 * _ENOUGH and _outweighs(words, _FUNCTION_WORDS[best]) else ""


def is_in(text: str, tongue: str) -> bool:
    """Whether a sentence is in the language rather than in English."""
    return tongue in _SURELY and _outweighs(re.findall(r"[^\W\d_]+", text.casefold()), _SURELY[tongue])


def has_cased_nouns(tongue: str) -> bool:
    return tongue == "de"


def _outweighs(words: Sequence[str], of: frozenset[str]) -> bool:
    return sum(word in of for word in words) > sum(word in _ENGLISH for word in words)


def is_foreign(text: str, vocabulary: Collection[str]) -> bool:
    """`vocabulary`: the words of what was given, in small letters."""
    known = vocabulary if isinstance(vocabulary, frozenset) else frozenset(vocabulary)
    if not text.isascii():
        found = {script for letter in text if (script := _script(letter))}
        if found - _scripts_of(known):
            return True
        if _GREEK_WORD.search(text) and not any(map(_GREEK_WORD.search, known)):
            return True
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    return any(
        len(words & of) >= _ENOUGH and len(known & of) < 2 * _ENOUGH for of in _FUNCTION_WORDS.values()
    )


@lru_cache(maxsize=8)
def _scripts_of(known: frozenset[str]) -> frozenset[str]:
    return frozenset(
        script for word in known if not word.isascii() for letter in word if (script := _script(letter))
    )


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """ "" for Latin and Greek letters, signs and numbers."""
    if letter.isascii() or not letter.isalpha():
        return ""
    name = unicodedata.name(letter, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), "")
