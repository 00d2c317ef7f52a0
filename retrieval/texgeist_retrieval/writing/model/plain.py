"""Detects sentences that are not plain prose in the language of the material: they contain LaTeX, Markdown,
addresses or paper ids, or are in another language or script. (`talk.py` detects the model's remarks about
itself.)

The patterns are searched in the text and in its compatibility form (NFKC, without zero-width characters), so
that full-width brackets and hidden spaces are also detected."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...ranking.storage import load_vocabulary
from ...text.words import STOP_WORDS, singular

_COMMAND = re.compile(r"\\[a-zA-Z@]+|\\[^\s\w]|\$[^$]+\$|\{\\|[{}]")

_TAGS = re.compile(
    r"</?[a-z]+[^>]*>|<!--|<\||texgeist:(?:begin|end)|\bpassage id\b|&(?:[a-z]{2,8}|#x?[0-9a-f]+);",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"`|\*\*|~~|(?<![\w*])\*[^\s*](?:[^*]*[^\s*])?\*(?![\w*])|(?<!\w)__?[^\W_](?:[^_]*[^\s_])?__?(?!\w)"
    r"|^:::|(?<!\S):[a-z][a-z_]+:(?!\S)|\w~\w+~|\w\^\w+\^|\S\s*\n\s*:\s|\n[ \t]*\n|^[^\n]{1,60}:[ \t]*\n"
    r"|^(?:Title|Abstract|Section|Heading|Header|Introduction|Background|Summary|Related [Ww]ork|Conclusions?|References|Bibliography|Keywords)\s?:"
    r"|(?<!=)==[^=\s][^=]*==|\]\s?\(|!\[|\]\[|\[\^|\[[ xX]\]|^\s*\||\|\s*\.?$|\w\s\|\s[^()|]*\s\|\s"
)
_LINE = re.compile(
    r"^[ \t]*(?:#{1,6}(?:[ \t]|\w|$)|[-*+•‣▪◦–—→⇒➤►●■○✓✔✗★·»][ \t]|[-–—]{2,}[ \t]|\d{1,2}[.)][ \t]|>[ \t]?|[-=*_]{3,}[ \t]*$)"
    r"|^\s*\(?\w{1,3}[.)]\s.*\n\s*\(?\w{1,3}[.)]\s",
    re.MULTILINE,
)

_ENDS = (
    "com|org|net|edu|gov|mil|int|io|ai|info|dev|app|xyz|tech|cloud|site|online|biz|uk|de|fr|cn|jp|ch|eu|us|ca"
    "|nl|it|es|ru|kr|tw|au|br|se|dk|fi|pl|cz|pt|gr|tr|ir|il|be|me|co|tv|gg|ly|gl|page|science|wiki|zip"
)
_ADDRESS = re.compile(
    rf"\b[a-z][a-z+.-]{{1,15}}://|\b(?:https?|hxxps?|ftp|mailto|javascript|data|file):\S|\bwww\d?\.|\S@[a-z][\w-]*\.\w"
    rf"|\b(?:[\w-]+(?:[.。]|\[\.\]|\(\.\)))+(?:{_ENDS})\b(?![-\w])"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|(?<![\w/.])//\w|(?<!\w)@[a-z]\w{2,}"
    r"|\b\w+\s?[(\[]\s?at\s?[)\]]\s?\w+|\b\w+ at \w+ dot \w+|\b\w+\s?[(\[]\s?dot\s?[)\]]\s?\w+|\b\w+ dot (?:com|org|edu|gov|io|ai|dev|co|net)\b(?!-)"
    r"|\b(?:git(?:hub|lab)|bitbucket|hugging ?face|hf|kaggle|zenodo|repositor(?:y|ies)|repo|docker ?hub)(?: at| of|:)?[ (]{1,2}\w[\w.-]*/\w[\w.-]*"
    rf"|(?<!\w)~\w+/\w|\bxn--\w|\[[0-9a-f:]*::[0-9a-f:]*\]|\b0x[0-9a-f]{{6,}}|\b[\w-]+ \.(?!net\b)(?:{_ENDS})\b|\w\.\s(?:{_ENDS})/\w"
    r"|\b[\w-]{3,}\.[\w-]{2,}\.(?:[a-z]{2,})\b|\w\.(?:html?|php|aspx?|jsp|cgi|pdf|zip|tar|tgz|gz)\b"
    r"|\b[a-z][\w-]+\.(?:studio|museum|chat|blog|shop|store|live|news|world|team|group|academy|institute|software|systems"
    r"|network|digital|design|agency|foundation|center|email|link|click|top|icu|ws|cc|ml|so|sh|rs|fm|id|in|mx|at|ar|cl|za|nz|sg|hk)\b"
    rf"|\bhttps? \w+ (?:{_ENDS})\b|\b(?:tel|sms|magnet|urn|blob|ssh|git|s3|gs|irc|geo|skype|zoommtg|vbscript|about|view-source):\S|\+\d{{1,3}}[ -]\d"
    r"|(?<![\w/])~?(?:/[\w.-]+){2,}|\b(?!dot-com\b)\w+-(?:\w+-)*(?:com|org|edu|gov)\b",
    re.IGNORECASE,
)
_ID = re.compile(
    r"\bar\s?xiv\s?[:/.]?\s?(?:\d|org\b|[a-z-]+(?:\.[a-z]{2})?/\d)|\barxiv (?:e-?print|preprint|id|no\.|number)\b"
    r"|(?<![\d.])\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?(?![\d.]*\d)"
    r"|\b(?:[a-z]{2,}-[a-z]{2,4}|math|cs|physics|stat|nlin|q-bio|q-fin|econ|eess)(?:\.[a-z]{2})?/\d{7}(?:v\d+)?\b"
    r"|\b10\s?\.\s?\d{4,9}\s?/\s?\S|\bd ?o ?i\b|\bPM(?:ID|CID|C):?\s?\d{4,}|\bIS[BS]N\b|\bcorpus ?id:? ?\d+|\bopenreview (?:id:? )?(?=\S*\d)[\w-]{8,}"
    r"|\b(?:SSRN|S2 ?CID|Semantic ?Scholar|ECCC|ePrint|IACR|RFC|OpenAlex|handle|hdl|ORCID|zenodo|HAL|PMID"
    r"|MAG|Zbl|JSTOR|ERIC|Scopus|ADS|ACL Anthology)(?: (?:id|no\.?|number))?[\s:.#/-]{0,3}(?=[\w./-]*\d{2})[\w./-]{3,}"
    r"|\b[A-Z]{0,3}-?\d{7,}(?:v\d+)?\b(?![.,]\d)|\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b|\b\d{4}\.\d\d\.\d\d\.\d{5,}|\bTR-?\d{2,4}-\d+"
    r"|\b\d{4}\.[a-z]+-[a-z]+\.\d+\b|\b(?:19|20)\d\d/\d{3,5}\b|\b(?:urn|hdl|pmid|isbn|issn|doi|arxiv):\S"
    r"|\b(?:conf|journals|books|phd|series)/[\w-]+/\w+|\bopenreview[:/ ]+(?=[A-Za-z0-9_-]*[a-z][A-Z]|[A-Za-z0-9_-]*[A-Z]{2})[\w-]{8,}"
    r"|\b(?:quant-ph|hep-(?:th|ph|ex|lat)|cond-mat|astro-ph|gr-qc|math-ph|nucl-(?:th|ex)|alg-geom|cmp-lg)[ /:]?\s?\d{5,}"
    r"|\b[Pp]atent (?:no\.? ?)?[A-Z\d][\d,]{5,}|\bDBLP:|\bDBLP (?=\S*/)|\b[A-Z]\d{2}-\d{4}\b(?!-)",
    re.IGNORECASE,
)


def printable(text: str) -> str:
    """Removes control characters, lone surrogates and format marks; keeps white space and joiners."""
    return "".join(c for c in text if c.isspace() or c in _JOINERS or _category(c) not in _UNSEEN)


def visible(text: str) -> str:
    """The compatibility form of a text, without zero-width characters."""
    seen = (c for c in text if c.isspace() or not ("\ufe00" <= c <= "\ufe0f" or _category(c) in _UNSEEN))
    return unicodedata.normalize("NFKC", "".join(seen))


_category = unicodedata.category
_JOINERS = "\u200c\u200d"  # needed in Persian and Indic scripts
_UNSEEN = ("Cc", "Cf", "Cs", "Co")


def is_latex(text: str) -> bool:
    return any(_COMMAND.search(form) for form in forms_of(text))


def is_markup(text: str) -> bool:
    """Detects tags, entities, and Markdown; `text` may contain line breaks."""
    return any(p.search(form) for form in forms_of(text.strip()) for p in (_TAGS, _MARKDOWN, _LINE))


def has_address(text: str) -> bool:
    return any(_ADDRESS.search(form) for form in forms_of(text))


def has_identifier(text: str) -> bool:
    """Detects arXiv ids, DOIs and other identifiers of papers."""
    return any(_ID.search(form) for form in forms_of(text))


def forms_of(text: str) -> tuple[str, ...]:
    return (text,) if text.isascii() else (text, visible(text))


_SCRIPTS = (
    "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI", "BENGALI", "TAMIL",
    "TELUGU", "ARMENIAN", "GEORGIAN", "ETHIOPIC",
)  # fmt: skip
_GREEK_WORD = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{4,}")  # shorter runs of Greek letters are symbols
_ENOUGH = 4  # least number of words for recognising a language
_MOSTLY, _HARDLY = (
    0.7,
    0.6,
)  # shares of English words: at least 0.75 in 3,065 English sentences, at most 0.58 in other languages
_MANY_NOUNS = 0.12  # if a larger share of the words is capitalised, the language capitalises nouns


@dataclass(frozen=True, slots=True)
class DraftLanguage:
    """The properties of a draft's language that matter for recognising names."""

    english: bool = True
    cased_nouns: bool = False

    @classmethod
    def of(cls, text: str) -> DraftLanguage:
        words = re.findall(r"[^\W\d_]{2,}", text)
        if is_english(text) or len(words) < 2 * _ENOUGH:
            return cls()
        capitals = re.findall(r"(?<=[^\W\d_] )[^\W\d_a-zß-öø-ÿ][^\W\d_]*", text)
        return cls(False, len(capitals) > _MANY_NOUNS * len(words))


def is_english(text: str) -> bool:
    """Whether most lower-case words are in the shipped vocabulary of English abstracts."""
    return _share(_small(text)) >= _MOSTLY


def _small(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\W\d_]{2,}", text) if word.islower()]


def _share(words: Sequence[str]) -> float:
    known = load_vocabulary()
    used = sum(word in STOP_WORDS or word in known or singular(word) in known for word in words)
    return used / len(words) if words else 1.0


def is_foreign(text: str, vocabulary: Collection[str], draft: DraftLanguage) -> bool:
    """Whether a sentence is in another script or language than the material: in a script in which no word of
    `vocabulary` (the words of the material) is written, or, if the draft is in English, in another
    language."""
    known = vocabulary if isinstance(vocabulary, frozenset) else frozenset(vocabulary)
    if not text.isascii():
        found = {script for letter in text if (script := _script(letter))}
        if found - _scripts_of(known):
            return True
        if _GREEK_WORD.search(text) and not any(map(_GREEK_WORD.search, known)):
            return True
    words = _small(text)
    return draft.english and len(words) >= _ENOUGH and _share(words) < _HARDLY


@lru_cache(maxsize=8)
def _scripts_of(known: frozenset[str]) -> frozenset[str]:
    return frozenset(
        script for word in known if not word.isascii() for letter in word if (script := _script(letter))
    )


@lru_cache(maxsize=4096)
def _script(letter: str) -> str:
    """The script of a letter; "" for Latin and Greek letters, signs and numbers."""
    if letter.isascii() or not letter.isalpha():
        return ""
    name = unicodedata.name(letter, "")
    return next((script for script in _SCRIPTS if name.startswith(script)), "")
