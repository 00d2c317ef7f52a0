"""Guesses the language of a draft from its script and its function words."""

from __future__ import annotations

import re

_SMALL_WORDS = {
    "en": "the of and to in is that for with are this we by as on be which from",
    "de": "der die und das in von zu den mit ist auf für des eine nicht dem im werden",
    "fr": "le la les de des et en un une dans est que pour par sur qui nous du",
    "es": "el la los de que y en un una por con para las del se como es",
    "pt": "o a os de que e em um uma por com para as do da se não como",
    "it": "il la di che e in un una per con del della sono dei alla gli come",
    "nl": "de het een en van in is dat op te zijn voor met die niet door",
    "sv": "och att det som en på är av för med den till inte ett om",
    "da": "og at det som en på er af for med den til ikke et om der",
    "pl": "w i na z że się do jest nie to o jak dla przez są",
    "cs": "a v se na je že s z do o k pro jsou jako které",
    "tr": "ve bir bu için ile olarak olan da de gibi daha çok",
}
_SETS = {language: frozenset(words.split()) for language, words in _SMALL_WORDS.items()}
BABEL = {
    "english": "en", "american": "en", "british": "en", "usenglish": "en", "ukenglish": "en",
    "german": "de", "ngerman": "de", "austrian": "de", "naustrian": "de", "french": "fr", "francais": "fr",
    "spanish": "es", "portuguese": "pt", "brazil": "pt", "brazilian": "pt", "portuges": "pt", "italian": "it",
    "dutch": "nl", "swedish": "sv", "danish": "da", "norsk": "no", "nynorsk": "no", "polish": "pl",
    "czech": "cs",
    "turkish": "tr", "russian": "ru", "ukrainian": "uk", "greek": "el", "chinese": "zh", "japanese": "ja",
    "korean": "ko", "finnish": "fi", "catalan": "ca", "magyar": "hu", "hungarian": "hu", "romanian": "ro",
}  # fmt: skip


def declared_language(options: str) -> str:
    """The main language in babel's options: `main=…`, else the last known language; "" if there is none."""
    given = [option.strip().lower() for option in options.split(",")]
    main = [option.removeprefix("main=").strip() for option in given if option.startswith("main=")]
    known = [BABEL[option] for option in (main or given) if option in BABEL]
    return known[-1] if known else ""


def guess_language(text: str, declared: str = "") -> str:
    """The ISO 639-1 code of the text's language; `declared` is used if the text is too short or unclear."""
    sample = text[:20_000]
    script = _script(sample)
    if script:
        return (
            declared if script == "cyrillic" and declared == "uk" else {"cyrillic": "ru"}.get(script, script)
        )
    words = re.findall(r"[^\W\d_]+", sample.lower())
    if len(words) < 12:
        return declared or "en"
    scores = {language: sum(word in small for word in words) for language, small in _SETS.items()}
    best = max(scores, key=lambda language: (scores[language], language == declared, language == "en"))
    return best if scores[best] * 12 >= len(words) else declared or "en"


def _script(sample: str) -> str:
    letters = re.findall(r"[^\W\d_]", sample)
    if not letters:
        return ""
    kana = sum("\u3040" <= c <= "\u30ff" for c in letters)
    han = sum("\u4e00" <= c <= "\u9fff" for c in letters)
    hangul = sum("\uac00" <= c <= "\ud7a3" for c in letters)
    cyrillic = sum("\u0400" <= c <= "\u04ff" for c in letters)
    greek = sum("\u0370" <= c <= "\u03ff" for c in letters)
    counts = {"ja": kana * 3 if kana else 0, "zh": han, "ko": hangul, "cyrillic": cyrillic, "el": greek}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] * 3 > len(letters) else ""
