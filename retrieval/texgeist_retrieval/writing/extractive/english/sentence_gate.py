"""The one gate for the sentences that are written without a model: grammatical as far as can be told, or refused.

It reads a sentence as a reader does who knows nothing of how it was made; few good sentences beat ten."""

from __future__ import annotations

import re
from collections.abc import Callable

from ...model import marks, plain
from .grammar import KNOWN, article, base, singular
from .retelling import GIVING
from .sentences import is_rubble, words

_LEAST, _MOST = 5, 34  # words of a sentence

_PREPOSITION = r"(?:of|in|on|at|by|for|with|from|to|into|via|using|through|between|among)"
_STOP = (
    r"(?:a|an|the|of|in|on|at|by|for|with|from|to|and|or|but|that|which|who|whose|where|is|are|was|were"
    r"|be|can|their|its|as|than|while|when|if|not|via|using|between)"
)
_LOST_WORD = re.compile(
    rf"\b(?:an?|the) (?:{_PREPOSITION}|an?|the|and|or|but|is|are|was|were|that|which|can|has|have)\b(?!-)"
    r"|\b(?:an?|the|of|for|by|with|from|their|its|our) ?[,;:.)]"
    r"|\b(?:is|are|was|were) (?:is|are|was|were|that|of)\b"
    r"|\b(?:of|for|with|by|from) (?:of|by|with|and|or|is|are|can)\b|\bto (?:the|a|an)? ?(?:of|and|is|are)\b"
    r"|\ban? (?:entirely|completely|fundamentally|truly|very|totally|radically|highly|simple yet|new and) "
    r"(?:approach|method|model|framework|algorithm|system|technique|architecture|dataset)\b"
    r"|\ban? (?:\w+ )?progress (?:on|in|of|towards?)\b"
    r"|\b(?:which|that|who) (?:\w+ly )?[a-z]+s\.$"
    r"|\b(?:that|which) (?:is|are) (?:required|needed|used|necessary)\.$"
    r"|\bbased\.$|\bto (?:accelerat|improv|enhanc|reduc|optimiz|learn|generat|solv)ing\b"
    r"|\b(\w+) \1\b",
    re.IGNORECASE,
)
_HALF = re.compile(
    r"\(cid:|\b\d \d|: [A-Z][^:]*: |(?<=[a-z]{3})(?<!etc)(?<!approx)[.!?] [a-z]|\b(?:framework|method|model|approach|system|network|algorithm)(?:based|for|that|which|with|to)\b|\w- |\s-[\s\w]|\s[,.;:]|[,;:]\s?[,.;:]|\(\s?\)|“\s?”|[a-z]{3}\.[A-Z][a-z]|\bi\.e\b|\be\.g\b|…|\.\.|\band(?!ro|an|es)[a-z]{5,}\b|\bwhich(?!ever)[a-z]{3,}|\b(?:propose|introduce|present|describe|develop)s? (?:where|that is|which|when|all)\b"
)
_MID_AIR = re.compile(
    r"^(?:and|or|but|so|for (?:doing|this|these|such|that)|to (?:do|this|these|that end)|by (?:doing|this)"
    r"|in (?:doing|this|these|such|addition)|with (?:this|these|such)|as such|which|whose|because|although"
    r"|while|whereas|since|if|unless|thereby|therefore|however|also,|instead|rather|then|there)\b",
    re.IGNORECASE,
)
_POINTING = re.compile(
    r"\b(?:the above|aforementioned|the former|the latter|the following|as follows|the previous section"
    r"|such an? \w+ (?:is|are)|the (?:two|three|four|five|both) \w+\.$|(?:does|do|did) so\b|doing so|the same\.$"
    r"|respectively)|\b(?:this|these|those) (?:\w+ ){0,2}(?:problem|issue|challenge|gap|limitation"
    r"|question|end|goal|purpose|need|drawback|work|paper|article|study)s?\b",
    re.IGNORECASE,
)
_COUNTED = (
    r"(?:paper|method|model|approach|algorithm|framework|dataset|system|task|problem|network|technique"
    r"|architecture|strategy|module|component|stage|benchmark|theorem|experiment|question|example)"
)
_MANY = r"(?:two|three|four|five|six|seven|eight|nine|ten|several|many|various|multiple|these|those|both)"
_NUMBER = re.compile(
    rf"\b{_MANY} (?:new |novel |different )?{_COUNTED}\b(?!-|[ ][a-z-]+s\b)"
    r"|\b(?:one|this|another|a|an|each|every) (?:papers|methods|models|approaches|algorithms|frameworks|datasets"
    r"|systems|tasks|problems|networks|techniques|architectures|strategies)\b"
    r"|\b(?:they|we|these|those) (?:is|was|has|does)\b|\b(?:it|this|he|she) (?:are|were|have|do)\b"
    r"|(?<!of )(?<!and )\b(?:methods|models|approaches|algorithms|papers|networks) (?:is|was|has)\b",
    re.IGNORECASE,
)
_PAIRS = (("not only", "but"), ("both", "and"), ("between", "and"), ("either", "or"), ("neither", "nor"))
_VAGUE = re.compile(
    r"^(?:\w+ )?“?(?:an? )?(?:\w+ )?(?:approach|method|framework|model|algorithm|technique|solution|system)s?”?\.$"
    r"|\b(?:the|our|their) (?:proposed|resulting|corresponding|said) \w+|\bfirst-of-its-kind\b|\bSOTA\b"
    r"|state[- ]of[- ]the[- ]art",
    re.IGNORECASE,
)
_BY_NAME = re.compile(  # "Smith (2021)", "Smith 2021", "Smith and colleagues", "as Smith noted", "[Smith21]"
    r"\b[A-Z][\w’-]+,? (?:\(?(?:19|20)\d\d[a-z]?\b\)?(?! [A-Z])|and (?:colleagues|co-?workers|co-?authors|collaborators)\b)"
    r"|\bas (?:[A-Z][\w’-]+ )+(?:noted|notes|showed|shows|argued|argues|observed|put|puts|wrote)\b|\bD(?:r|rs)\.? [A-Z]"
    r"|(?:\bthe [A-Z][a-z]+|[A-Z][a-z]+’s) group\b|[\[(](?:[A-Z][a-z]+\d\d[a-z]?|(?:evidence|passage|source) \w+)[\])]"
)


def leads_elsewhere(text: str) -> bool:
    """Whether an abstract's sentence holds what no model's may: markup, addresses, ids, and citations by hand,
    which no bibliography answers."""
    found = marks.is_marked(text) or plain.has_address(text) or plain.has_identifier(text)
    return found or plain.is_markup(text) or bool(_BY_NAME.search(text))


_NEEDS_AS = re.compile(r"(?:formulate|cast|frame|recast|regard|treat|view)s? (?!an?\b)")
_INSERTED = re.compile(rf"\b{_STOP} – ")  # its second dash was cut off
_TWO_TENSES = re.compile(  # "surveys the literature and assessed the evaluations"
    r"(?!.*\b(?:that|which|who|how|where|whether|why|when)\b.* and )\w+ .*\band (?:then |also )?[a-z]+ed (?:an?|the|their|its) "
)


def fault(text: str, lead: str, textual: bool, several: bool) -> str:
    """What is wrong with a sentence whose parts are as in `Sentence`, in words; "" where nothing is.

    `several`: the subject of a textual sentence is more than one author."""
    bare = re.sub(r"[“”]", "", text)
    tests: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("length", lambda: len(words(f"{lead} {bare}")) < _LEAST or len(words(bare)) > _MOST),
        ("end", lambda: not _ends(text)),
        ("marks", lambda: not _is_balanced(text) or is_rubble(bare)),
        ("leads elsewhere", lambda: leads_elsewhere(bare)),
        ("lost word", lambda: bool(_LOST_WORD.search(bare))),
        ("half a word", lambda: bool(_HALF.search(bare))),
        ("article", lambda: _has_wrong_article(bare)),
        ("number", lambda: bool(_NUMBER.search(bare))),
        ("half a pair", lambda: bool(_half_pairs(bare))),
        ("half an insertion", lambda: bare.count(" – ") == 1 and bool(_INSERTED.search(bare))),
        ("two tenses", lambda: textual and bool(_TWO_TENSES.match(bare))),
        ("points elsewhere", lambda: bool(_POINTING.search(f"{lead} {bare}"))),
        ("says nothing", lambda: bool(_VAGUE.search(bare))),
        ("mid-air", lambda: _is_in_mid_air(bare, lead, textual)),
        (
            "needs as",
            lambda: bool(_NEEDS_AS.match(bare)) and not re.search(r"\b(?:as|in|into|for|by|via)\b", bare),
        ),
        ("verb", lambda: textual and not _verb_fits(bare, several)),
    )
    return next((name for name, found in tests if found()), "")


def _ends(text: str) -> bool:
    last = re.sub(r"[“”.]", " ", text).split()[-1:]
    return text.endswith(".") and bool(last) and not re.fullmatch(_STOP, last[0].lower())


def _is_balanced(text: str) -> bool:
    depth = 0
    for char in text:
        depth += (char in "“(") - (char in "”)")
        if depth < 0:
            return False
    return depth == 0 and text.count("“") <= 1


def _has_wrong_article(text: str) -> bool:
    """ "a algorithm", "an model": by the sound of what follows; single letters may be variables."""
    found = re.findall(r"\b(an?) ([A-Za-z][\w-]+)", text)
    return any(word != article(noun) for word, noun in found if not noun[:2].isupper())


def _half_pairs(text: str) -> list[tuple[str, str]]:
    """Pairs of words of which the first stands without the second after it."""
    text = re.sub(r"\bbetween (?=(?:[a-z-]+ ){0,2}[a-z-]+s\b)", "", text)
    return [
        (a, b)
        for a, b in _PAIRS
        if (start := re.search(rf"\b{a}\b", text)) and not re.search(rf"\b{b}\b", text[start.end() :])
    ]


def _is_in_mid_air(text: str, lead: str, textual: bool) -> bool:
    """A sentence or a lead that goes on from something that is not there."""
    if lead and (_MID_AIR.match(lead) or not lead.endswith(",")):
        return True
    return not textual and (
        (text[:1].islower() and not re.match(r"[a-z]+[A-Z]", text)) or bool(_MID_AIR.match(text))
    )


def _verb_fits(text: str, several: bool) -> bool:
    """The first word is a verb in the number of its subject and has an object, where it needs one."""
    verb, rest = text.removeprefix("also ").split(" ", 1)
    plain = base(verb) or (verb if several else "")
    if not plain:
        plain = next((known for known in KNOWN if singular(known) == verb), "")
    right = verb == (plain if several else singular(plain)) and plain in KNOWN
    return right and not (
        plain in GIVING and re.match(rf"(?!to [a-z]+){_PREPOSITION}\b|(?:is|are|that|and)\b", rest)
    )
