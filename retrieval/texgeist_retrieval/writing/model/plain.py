"""What a model's sentence may hold beside prose: nothing. No LaTeX, no Markdown, no addresses or ids of
papers, no talk of the model about itself, no line of its instructions.

Patterns are looked for in the text as it is and in its compatibility form (NFKC, without characters that
take no room), so that full-width brackets and hidden spaces do not help."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from . import prompts, section_prompts

_COMMAND = re.compile(r"\\[a-zA-Z@]+|\\[^\s\w]|\$[^$]+\$|\{\\|[{}]")

_TAGS = re.compile(
    r"</?[a-z]+[^>]*>|<!--|<\||texgeist:(?:begin|end)|\bpassage id\b|&(?:[a-z]{2,8}|#x?[0-9a-f]+);",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(
    r"`|\*\*|~~|(?<![\w*])\*[^\s*](?:[^*]*[^\s*])?\*(?![\w*])|(?<!\w)__?[^\W_](?:[^_]*[^\s_])?__?(?!\w)"
    r"|(?<!=)==[^=\s][^=]*==|\]\s?\(|!\[|\]\[|\[\^|\[[ xX]\]|^\s*\||\|\s*\.?$|\w\s\|\s[^()|]*\s\|\s"
)
_LINE = re.compile(
    r"^[ \t]*(?:#{1,6}(?:[ \t]|\w|$)|[-*+•‣▪◦–—][ \t]|\d{1,2}[.)][ \t]|>[ \t]?|[-=*_]{3,}[ \t]*$)"
    r"|^\s*\(?\w{1,3}[.)]\s.*\n\s*\(?\w{1,3}[.)]\s",
    re.MULTILINE,
)

_ENDS = (
    "com|org|net|edu|gov|mil|int|io|ai|info|dev|app|xyz|tech|cloud|site|online|biz|uk|de|fr|cn|jp|ch|eu|us|ca"
    "|nl|it|es|ru|kr|tw|au|br|se|dk|fi|pl|cz|pt|gr|tr|ir|il|be|me|co|tv|gg|ly|gl|page|science|wiki|zip"
)
_ADDRESS = re.compile(
    rf"\b[a-z][a-z+.-]{{1,15}}://|\b(?:https?|hxxps?|ftp|mailto|javascript|data|file):\S|\bwww\d?\.|\S@[a-z][\w-]*\.\w"
    rf"|\b(?:[a-z0-9-]+(?:\.|\[\.\]|\(\.\)))+(?:{_ENDS})\b(?![-\w])"
    r"|\b\d{1,3}(?:\.\d{1,3}){3}\b|\blocalhost\b|(?<![\w/.])//\w|(?<!\w)@[a-z]\w{2,}"
    r"|\b\w+\s?[(\[]\s?at\s?[)\]]\s?\w+|\b\w+ at \w+ dot \w+|\b\w+\s?[(\[]\s?dot\s?[)\]]\s?\w+|\b\w+ dot (?:com|org|edu|gov|io|ai|dev)\b"
    r"|(?<![\w/])~?(?:/[\w.-]+){2,}",
    re.IGNORECASE,
)
_ID = re.compile(
    r"\barxiv\s?[:/.]?\s?(?:\d|org\b|[a-z-]+(?:\.[a-z]{2})?/\d)|\barxiv (?:e-?print|preprint|id|no\.|number)\b"
    r"|(?<![\d.])\d\d(?:0[1-9]|1[0-2])\.\d{4,5}(?:v\d+)?(?![\d.]*\d)"
    r"|\b(?:[a-z]{2,}-[a-z]{2,4}|math|cs|physics|stat|nlin|q-bio|q-fin|econ|eess)(?:\.[a-z]{2})?/\d{7}\b"
    r"|\b10\.\s?\d{4,9}\s?/\s?\S|\bdoi\b|\bPM(?:ID|CID|C):?\s?\d{4,}|\bIS[BS]N\b|\bcorpus ?id:? ?\d+|\bopenreview (?:id:? )?(?=\S*\d)[\w-]{8,}"
    r"|\bDBLP:|\b[A-Z]\d{2}-\d{4}\b(?!-)",
    re.IGNORECASE,
)

_MODEL = r"an? (?:ai|artificial intelligence|(?:large )?language model|assistant|llm|chatbot)"
_SELF = re.compile(
    rf"^(?:as|being) {_MODEL}\b(?! (?:\w+ly )?(?!always\b)[a-z]+s\b)|\bas {_MODEL}, (?:i|this|it)\b|\bi(?:[’']m| am) (?:just |only )?{_MODEL}\b"
    r"|(?<!type )(?<!phase )(?<!part )(?<!stage )(?<!class )(?<!level )(?<!war )(?<!grade )(?<!group )"
    r"\b(?-i:I)(?:[’'](?:m|ll|ve|d)| (?:won|wouldn|can|don|couldn)[’']t| am| can| cannot| could| do not| have| will| would"
    r"| was (?:asked|told|given|trained|instructed)| must (?:decline|refuse)| apologi[sz]e| hope| understand"
    r"| need more| understood| received| follow(?:ed)?)\b"
    r"|(?:^|[,;:.] |\b(?:that|and|but|so|as) )(?-i:I) (?!and\b|in\b|of\b|or\b)[a-z]+"
    r"|^unable to\b|\bas an ai[.!]?$|\b(?:fulfil|fulfill|complete|answer) (?:this|your) request\b|\b(?:sorry|apologies)\b,? (?:but|i|for)\b|\bapologies,"
    r"|\b(?:cannot|can[’']t|won[’']t) (?:assist|comply|help) with (?:this|that|your)\b"
    r"|\bmy (?:instructions?|training|guidelines?|knowledge|programming|system|rules|previous|answer)\b",
    re.IGNORECASE,
)
_LEAK = re.compile(
    r"^(?:sure|certainly|of course|absolutely|okay|ok|great|understood)[!.,:]"
    r"|^here(?:[’']s| is| are)\b|^end of (?:the )?(?:section|answer|text|response)\b|^this (?:assistant|ai|chatbot)\b"
    r"|^(?:below|following) is (?:the|an?)\b"
    r"|\b(?:ignor|disregard|forget)\w* (?:all |any |the |my |your )*"
    r"(?:previous|prior|above|earlier|preceding) (?:instructions?|rules|text|prompts?|messages?)\b"
    r"|^(?:system|assistant|user|human|note|answer|response|output|instructions?)\s?:|\[/?INST\]|\bim_(?:start|end)\b"
    r"|(?<!-)\b(?:you|your|please(?! (?:refer|see)))\b(?!-)|^the user (?:asks|asked|wants|has asked|requested)\b"
    r"|\b(?:the|these) (?:passages?|evidence|excerpts?) (?:that (?:were|was|are|is) )?(?:provided|supplied)\b"
    r"|\b(?:based on|according to|in) (?:the|these) (?:provided|supplied|given) (?:passages?|evidence|excerpts?|sources?)\b"
    r"|^(?:the|these) (?:provided|supplied) (?:passages?|evidence|excerpts?|sources?|papers?|texts?|abstracts?)\b"
    r"|^(?:the|these|none of the) (?:given )?(?:passages?|evidence|excerpts?) (?:do(?:es)? not |don[’']t |lacks? |never )?"
    r"(?:mention|specify|describe|discuss|state)s?\b"
    r"|^(?:the|these|no) (?:given |provided )?(?:passages?|evidence|papers?) (?:is|are|was|were|does|do)"
    r" (?:not |in)?(?:sufficient|provided|given|supplied|answer)\b"
    r"|\blet me know\b|\bhope this helps\b|\bas you requested\b|^as requested\b|\bfeel free to\b|^rules for the text\b"
    r"|[\"“”']?\b(?:textual|evidence|paragraphs|sentences|unused)[\"“”']?\s?:\s?(?:\[|true|false|[\"“])"
    r"|^(?:the|these|your) (?:instructions|rules|guidelines) (?:say|forbid|require|ask|state|above)\b"
    r"|^this (?:response|answer|text|section|paragraph) (?:was|is) (?:generated|written|produced) by\b"
    r"|\b(?:model|assistant|system|AI) (?:was|is|has been) (?:instructed|asked|told|prompted) to (?:write|produce|answer"
    r"|return|give|output|use) (?:only |just |in )*(?:plain text|json|prose)\b"
    r"|\blorem ipsum\b|\bTODO\b|\[(?:your|insert|add)\b|\bki-?sprachmodell\b|\bmodèle de langage, je\b"
    r"|\bmodelo de lenguaje,? no\b",
    re.IGNORECASE,
)
_PROMPT_RUN = 7  # words in a row of the instructions; a sentence that is shorter, whole
_SHORTEST_LINE = 5  # words of such a sentence


def printable(text: str) -> str:
    """Without control characters, lone surrogates and format marks; white space and joiners stay."""
    return "".join(c for c in text if c.isspace() or c in _JOINERS or _category(c) not in _UNSEEN)


def visible(text: str) -> str:
    """The compatibility form of a text, without characters that take no room."""
    seen = (c for c in text if c.isspace() or not ("\ufe00" <= c <= "\ufe0f" or _category(c) in _UNSEEN))
    return unicodedata.normalize("NFKC", "".join(seen))


_category = unicodedata.category
_JOINERS = "\u200c\u200d"  # which Persian and Indian scripts need
_UNSEEN = ("Cc", "Cf", "Cs", "Co")


def is_latex(text: str) -> bool:
    return any(_COMMAND.search(form) for form in _forms(text))


def is_markup(text: str) -> bool:
    """Tags, entities, and Markdown; `text` may still have its line breaks."""
    return any(p.search(form) for form in _forms(text.strip()) for p in (_TAGS, _MARKDOWN, _LINE))


def has_address(text: str) -> bool:
    return any(_ADDRESS.search(form) for form in _forms(text))


def has_identifier(text: str) -> bool:
    """arXiv, DOI and other numbers by which papers are known."""
    return any(_ID.search(form) for form in _forms(text))


def is_of_itself(text: str) -> bool:
    """A refusal, small talk, or a line of what the model was told."""
    return any(_SELF.search(form) or _LEAK.search(form) for form in _forms(text)) or _is_told(visible(text))


def _forms(text: str) -> tuple[str, ...]:
    return (text,) if text.isascii() else (text, visible(text))


def _is_told(text: str) -> bool:
    words, told = re.findall(r"\w+", text.lower()), _instructions()
    run = max(_SHORTEST_LINE, min(_PROMPT_RUN, len(words)))
    return any(f" {' '.join(words[i : i + run])} " in told for i in range(len(words) - run + 1))


@lru_cache(maxsize=1)
def _instructions() -> str:
    all_ = (
        prompts.SUMMARISE,
        prompts.WRITE,
        prompts.WRITE_THEME,
        prompts.ANSWER,
        prompts.PLAN,
        section_prompts.RULES,
    )
    told = re.sub(r'"([^"]*)"', _unless_example, " ".join(all_))
    told = re.sub(r"\bYou [^.]*\.", " ", told).lower()  # to whom is spoken tells those
    return " ".join(["", *re.findall(r"\w+", told), ""])


def _unless_example(match: re.Match[str]) -> str:
    """The words between quotation marks; sentences there are examples of good ones."""
    return match[1] if len(match[1].split()) < 3 else " "
