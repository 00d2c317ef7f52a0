"""Guesses the language of a draft from its script and its function words."""

from __future__ import annotations

import re
from dataclasses import dataclass

# The ISO 639-1 code, babel's names, frequent words, the heading of a related-work section, "and", and "et al." if it is
# not Latin.
_TABLE = """
en|english american british usenglish ukenglish|the of and to in is that for with are this we by as on be which from|Related Work|and
de|german ngerman austrian naustrian|der die und das in von zu den mit ist auf für des eine nicht dem im werden|Verwandte Arbeiten|und
fr|french francais|le la les de des et en un une dans est que pour par sur qui nous du|Travaux connexes|et
es|spanish|el la los de que y en un una por con para las del se como es|Trabajos relacionados|y
pt|portuguese brazil brazilian portuges|o a os de que e em um uma por com para as do da se não como|Trabalhos relacionados|e
it|italian|il la di che e in un una per con del della sono dei alla gli come|Lavori correlati|e
nl|dutch|de het een en van in is dat op te zijn voor met die niet door|Gerelateerd werk|en
ca|catalan||Treballs relacionats|i
sv|swedish|och att det som en på är av för med den till inte ett om|Relaterat arbete|och
da|danish|og at det som en på er af for med den til ikke et om der|Relateret arbejde|og
no|norsk nynorsk||Relatert arbeid|og
fi|finnish||Aiheeseen liittyvä tutkimus|ja
pl|polish|w i na z że się do jest nie to o jak dla przez są|Powiązane prace|i
cs|czech|a v se na je že s z do o k pro jsou jako které|Související práce|a
sk|slovak||Súvisiace práce|a
hu|magyar hungarian||Kapcsolódó munkák|és
ro|romanian||Lucrări conexe|și
tr|turkish|ve bir bu için ile olarak olan da de gibi daha çok|İlgili çalışmalar|ve
ru|russian||Обзор литературы|и|и др.
uk|ukrainian||Огляд літератури|та|та ін.
el|greek||Σχετικές εργασίες|και
zh|chinese||相关工作|和|等
ja|japanese||関連研究|と
ko|korean||관련 연구|및
""".strip()


@dataclass(frozen=True, slots=True)
class Language:
    babel: tuple[str, ...]
    words: frozenset[str]
    related_work: str
    conjunction: str
    et_al: str


def _language(row: str) -> tuple[str, Language]:
    code, babel, words, heading, conjunction, et_al = [*row.split("|"), "", "", ""][:6]
    return code, Language(tuple(babel.split()), frozenset(words.split()), heading, conjunction, et_al)


_LANGUAGES = dict(map(_language, _TABLE.splitlines()))
_BY_BABEL = {name: code for code, language in _LANGUAGES.items() for name in language.babel}


def language_of(code: str) -> Language:
    """The language with this code; English if it is unknown."""
    return _LANGUAGES.get(code, _LANGUAGES["en"])


def declared_language(options: str) -> str:
    """The main language in babel's options: `main=…`, else the last known language; "" if there is none."""
    given = [option.strip().lower() for option in options.split(",")]
    main = [option.removeprefix("main=").strip() for option in given if option.startswith("main=")]
    known = [_BY_BABEL[option] for option in (main or given) if option in _BY_BABEL]
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
    scores = {code: sum(word in each.words for word in words) for code, each in _LANGUAGES.items()}
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
