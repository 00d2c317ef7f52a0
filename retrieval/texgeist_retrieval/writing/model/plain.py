"""Detects sentences that are not plain prose in the language of the material. They contain LaTeX, Markdown,
addresses or paper ids; they cite by hand (numbers, keys, Latin abbreviations, papers named by their year;
`grounds` detects names); they speak of the model or its task; or they are in another language or script.

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
from . import prompts, section_prompts

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
    rf"\b[a-z][a-z+.-]{{1,15}}://|\b(?:https?|hxxps?|ftp|mailto|javascript|data|file|tel):\S|\bwww\d?\.|\S@[a-z][\w-]*\.\w"
    rf"|\b(?:[\w-]+(?:[.。]|\[\.\]|\(\.\)))+(?:{_ENDS})\b(?![-\w])|\b[\w-]{{3,}}\.[\w-]{{2,}}\.[a-z]{{2,}}\b|\w\.(?:html?|php|pdf)\b"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f:]*::[0-9a-f:]*\]|\blocalhost\b|(?<![\w/.])//\w|(?<!\w)@[a-z]\w{2,}"
    r"|(?<![\w/])~?(?:/[\w.-]+){2,}|\b(?:git(?:hub|lab)|hugging ?face|repositor(?:y|ies)|repo)(?: at| of|:)?[ (]{1,2}\w[\w.-]*/\w"
    r"|\b\w+ dot (?:com|org|edu|gov|io|ai|dev|co|net)\b(?!-)",
    re.IGNORECASE,
)
_ID = re.compile(
    r"\bar\s?xiv\s?[:/.]?\s?(?:\d|org\b|[a-z-]+(?:\.[a-z]{2})?/\d)|\barxiv (?:e-?print|preprint|id|no\.|number)\b"
    r"|(?<![\d.])\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?(?![\d.]*\d)|\b[a-z-]{2,}(?:\.[a-z]{2})?/\d{7}\b"
    r"|\b10\s?\.\s?\d{4,9}\s?/\s?\S|\bd ?o ?i\b|\bIS[BS]N\b|\b(?:urn|hdl|pmid|isbn|issn|doi|arxiv):\S|\b[A-Z]\d{2}-\d{4}\b(?!-)"
    r"|\b(?:SSRN|PMC?ID|PMID|Semantic ?Scholar|corpus ?id|openreview|RFC|OpenAlex|ORCID|zenodo|DBLP|patent)(?: (?:id|no\.?|number))?"
    r"[\s:.#/-]{0,3}(?=[\w./-]*\d)[\w.,/-]{3,}|\b\d{7,}(?:v\d+)?\b(?![.,]\d)|\b\d{4}\.[a-z]+-[a-z]+\.\d+\b|\b\d{4}\.\d\d\.\d\d\.\d{5,}"
    r"|\b(?:conf|journals|books|phd|series)/[\w-]+/\w+",
    re.IGNORECASE,
)

_YEAR = r"(?:1[89]|20)\d\d(?:[a-h](?:,\s?[a-h])*)?(?![\d.%-]*\d)"
_DOCUMENT = (
    r"(?:papers?|articles?|stud(?:y|ies)|works?|surveys?|reports?|books?|monographs?|textbooks?|thes[ie]s|dissertations?"
    r"|preprints?|publications?|chapters?|essays?|reviews?|manuscripts?|submissions?|posters?)"
)
_ONE = r"(?:papers?|article|study|work|survey|report|(?:text)?book|monograph|thesis|dissertation|preprint|chapter|essay|review)"
_SOURCE = r"(?:references?|refs?\.?|citations?|cite[ds]?|passages?|excerpts?|evidence|sources?|(?:foot|end)notes?|entry)"
_LIST = r"\d{1,3}[a-z]?(?:\s?(?:[,;–-]|and|&)\s?\d{1,3}[a-z]?)*"
_BRACKETED = re.compile(  # except the intervals [0, 1] and [-1, 1], and the token [CLS]
    rf"\[(?![^\]]*(?:\b0\b|\d\.\d)|[-−]\d)[\s,;#]*(?:(?:and|see|also|cf\.?|e\.g\.|{_SOURCE})[\s,;:]+)*[A-Z]{{0,2}}\d{{1,3}}[a-z]?\b[^\]]*\]"
    rf"|\[[^\]\[]*\b(?:(?:19|20)\d\d|et al)[^\]\[]*\]|\[(?:[a-z*+†‡§#?]{{1,2}}|\?+|[ivx]{{2,5}}|[XYN]+|authors?|[A-Z][a-z]+\+?\d\d[a-z]?)\]"
    r"|[【〔⟦⟨‹〈《«<]\s*\d{1,3}\b[^】〕⟧⟩›〉》»>]{0,40}[】〕⟧⟩›〉》»>]",
)
_INTERVAL = re.compile(  # [1, 5] and (1, 512) if the text calls them an interval or a list
    r"\b(?:interval|range|lies?|lying|values?|scores?|ratings?|between|list|array|vector|sequence|tuple|index|codes?)\b"
    r"[^.;()\[\]]{0,16}?[\[(](?:-?\d+(?:\.\d+)?(?:, ?-?\d+(?:\.\d+)?)+|[a-z])[\])]",
    re.IGNORECASE,
)
_ENUMERATED = re.compile(r"\(\d\)")
_IN_PARENTHESES = re.compile(
    rf"\b(?!eq|fig|sec|tab|step|problem|case|condition)[a-z]{{3,}} \((?!1\)){_LIST}\)(?= [a-z]|[.,;]|$)|\(\d{{1,3}}\)\(\d|\(#\d"
    rf"|[(\[](?:see |cf\.? )?(?:the )?(?:{_SOURCE}|{_DOCUMENT}|bibliography|literature|[Nn][or]s?\.|№)(?:[:;,.]? ?(?:id )?(?:needed|\w{{0,2}}\d+\w?|[A-Z]|\([a-z]\)|\[\w\]))?[)\]]"
    r"|\(ids? \d|\((?:names?|authors?), (?:date|year)\)|\(X{3,}\)|\(id\.|\bauthors?, ?(?:year|date)\b",
    re.IGNORECASE,
)
_RAISED = re.compile(
    r"(?:\b(?!log|sin|cos|tan|exp)[a-z]{3,}[.,]?|[a-z]{3} )(?:[⁰¹²³⁴-⁹]+(?![⁺\w])|[₀-₉]{2,}|\^\s?\[?\d)|[†‡①-⓿]|[a-z] [₀-₉]+"
    r"|(?<!\bfig)(?<!\btab)(?<!\bsec)(?<!\bapp)(?<!\beqn)(?<!\balg)(?<!\bvol)(?<!\bref)(?<=[a-z]{3})[.,]\d{1,2}(?:[,–-]\d{1,2})*(?=\s|\.?$)"
    r"|[a-z]{3} ?§ ?\d|[a-z]{3}[.,]?\s?(?:\*{1,3}|[§¶#])[\s.]*$|(?<![\w#])#\d{1,3}(?=[.,;:)]|$)",
    re.IGNORECASE,
)
_OF_SOURCES = re.compile(  # words for citations, followed by a number
    rf"\b{_SOURCE}\s?[\[(]?(?:[A-Z]?\d{{1,2}}[a-z]?\b(?!\.\d| (?:of|per)\b)|[\[(]\w[\])])|\b(?:fn|nn?|nos?|notes?)\.? ?\d{{1,3}}\b(?=[).;,]|$)"
    rf"|\bpapers? (?:[PE]\d+|\[?\d{{1,3}}\]?(?= |[,.;])(?! (?:from|in|on|papers|of|that|were|are|studies)\b))"
    r"|\b(?:first|second|third|(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf)th|last|\d(?:st|nd|rd|th)) (?:reference|citation|footnote)\b"
    r"|\b(?:reviewed|surveyed|shown|described|reported|discussed|proved|proven|found|given|see) (?:also |in |by |elsewhere )*"
    r"\d{1,3}(?:,? (?:and )?\d{1,3})*[.;)]|\breference list\b|\breferences? (?:therein|there|cited)\b|\bcitations? omitted\b"
    r"|\b(?:entry|item|number|line) (?:\w+ )?(?:of|in|on) the (?:bibliography|references|reference list|literature)\b"
    r"|\bworks? cited\b(?! (?:here|above|so far|in this))|\b(?:the|this|that|see) (?:the )?(?:cited|quoted|above-cited) (?:work|paper|source|study|article)s?\b",
    re.IGNORECASE,
)
_LATIN = re.compile(
    r"\bet\.? ?al(?:\b|ii\b|ia\b)|& (?:al|coll)\b|\(?\b(?:ib|ebd)\.|\b(?:ibid(?:em)?|ebenda|op\.? ?cit|loc\.? ?cit|a\. ?a\. ?O"
    r"|idem|vide|vgl\.|apud|supra|infra|passim)\b|等",
    re.IGNORECASE,
)
_BY_YEAR = re.compile(
    rf"\b{_YEAR}(?:[’']s)? (?!(?:most|much|many|all|such|prior|several|some|few) )(?:[\w-]+ ){{0,3}}{_ONE}\b"
    rf"|\b{_ONE}(?: \w+)? (?:from|of|in|dated|published in|written in|at)(?: [^\W\d]\w*){{0,2}} {_YEAR}\b(?! (?:to|and|through|until|onwards?)\b)"
    rf"|\b(?:{_YEAR} authors|authors (?:of|from|in) {_YEAR})\b|\([^()]*[^\W\d_]\.?[,;] {_YEAR}(?:[,;:] ?[^()]*)?\)"
)
_TITLE = re.compile(  # a capitalised title after a word such as "paper"
    rf"\b{_DOCUMENT},? (?:called |named )?[“\"‘«]?(?:[A-Z][\w’'-]+[:,]? (?:[a-z]{{1,4}} )*){{2,}}[A-Z][\w’'-]+"
    r"|\b(?:titled|entitled) [“\"‘«A-Z]"
)
_KEY = re.compile(
    r"\bm(?:cm|m)[cxlvi]+\b|(?<!\w)['’]\d\d\b|(?<![\w.])@\w|\bcite(?:p|t|alp?|author|year)?\s?[\[(:]|\b[a-z]{3,}[_:-]?(?:19|20)\d\d[_:-]?[a-z]*\b"
)
_BY_HAND = (_BRACKETED, _IN_PARENTHESES, _RAISED, _OF_SOURCES, _LATIN, _BY_YEAR, _TITLE, _KEY)

_MODEL = r"(?:an? (?:ai|artificial intelligence|(?:large )?language model|assistant|llm|chatbot)|chatgpt|claude|gemini|copilot)"
_OF_ITSELF = re.compile(
    rf"^(?:as|being) {_MODEL}\b(?! (?:\w+ly )?(?!always\b)[a-z]+s\b)|\bas {_MODEL}, (?:i|this|it)\b"
    r"|(?<!type )(?<!phase )(?<!part )(?<!stage )(?<!class )(?<!level )(?<!war )(?<!grade )(?<!group )\b(?-i:I)(?:[’'](?:m|ll|ve|d)"
    r"|(?: (?:am|can|cannot|could|do|have|will|would|was|must|apologi[sz]e|hope|understand|need|received|follow(?:ed)?|regret))\b)"
    r"|\b(?:sorry|apologies)\b|\bunable to (?:comply|assist|help)\b|\bmy (?:instructions?|training|guidelines?|knowledge|rules|answer)\b"
    r"|^(?:sure|certainly|of course|absolutely|okay|ok|great|understood|hello|hi|thanks?(?! to)|happy to)\b[!., ]"
    r"|^here(?:[’']s| is| are)\b|^(?:below|following) is\b|^\[?end of\b|^\[(?:begin|start)\b|^\(\d+ words\)|\b(?:todo|lorem ipsum)\b"
    r"|^(?:system|assistant|user|human|note|answer|response|output|instructions?|final answer|thinking)\s?:|\[/?INST\]|\bim_(?:start|end)\b"
    r"|\b(?:ignor|disregard|forget)\w* (?:all |any |the |my |your )*(?:previous|prior|above|earlier) (?:instructions?|rules|prompts?)\b"
    r"|(?<!-)\b(?:you|your|please(?! (?:refer|see)))\b(?!-)|\blet me know\b|^hope this helps\b"
    r"|\bthe (?:user|prompt|system message|instructions?) (?:asks?|asked|wants?|says?|forbids?)\b|\b(?:as|per|my|the) instruct(?:ed|ions?)\b"
    r"|\b(?:the|these) (?:provided|supplied|given) (?:passages?|evidence|excerpts?|sources?)\b|\bpassages? (?:provided|supplied)\b"
    r"|\b(?:this|the) (?:request(?:ed)?|response|reply)\b (?:cannot|section|was|is)\b|\bevidence ids?\b|\bout(?:put|lined) must\b",
    re.IGNORECASE,
)
_PROMPT_RUN = 7  # consecutive words of the instructions
_SHORTEST_LINE = 5  # words; a shorter text may occur in the instructions


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


def is_by_hand(text: str) -> bool:
    """Whether the text cites by hand, except by an author's name, which `grounds` detects."""
    for form in forms_of(text):
        form = _INTERVAL.sub(" so ", form)
        form = _ENUMERATED.sub("so", form) if "(1) " in form else form
        if any(mark.search(form) for mark in _BY_HAND):
            return True
    return False


def is_of_itself(text: str) -> bool:
    """Whether the text is a refusal, small talk, or a line of the instructions."""
    return any(_OF_ITSELF.search(form) for form in forms_of(text.strip())) or _is_told(visible(text))


def _is_told(text: str) -> bool:
    words, told = re.findall(r"\w+", text.lower()), _instructions()
    run = max(_SHORTEST_LINE, min(_PROMPT_RUN, len(words)))
    return any(f" {' '.join(words[i : i + run])} " in told for i in range(len(words) - run + 1))


@lru_cache(maxsize=1)
def _instructions() -> str:
    """The words of the instructions, without quotations, which are examples of good sentences."""
    told = " ".join((prompts.SUMMARISE, prompts.WRITE, prompts.ANSWER, section_prompts.RULES))
    return " ".join(["", *re.findall(r"\w+", re.sub('"[^"]*"', " ", told).lower()), ""])


_SCRIPTS = (
    "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI", "BENGALI", "TAMIL",
    "TELUGU", "ARMENIAN", "GEORGIAN", "ETHIOPIC",
)  # fmt: skip
_GREEK_WORD = re.compile(r"[\u0370-\u03ff\u1f00-\u1fff]{4,}")  # shorter runs of Greek letters are symbols
_ENOUGH = 4  # least number of words for recognising a language
# Shares of English words: at least 0.75 in 3,065 English sentences, at most 0.58 in other languages.
_MOSTLY, _HARDLY = 0.7, 0.6
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
