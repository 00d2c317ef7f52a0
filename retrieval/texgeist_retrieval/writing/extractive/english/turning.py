"""Where a sentence's words can be turned, and into what: by word lists, and by its grammar."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ....text.vocabulary import NOUNS_TOO
from .fronting import VERBS
from .grammar import KNOWN, base, gerund, singular
from .turns import FURTHER, LESS, OTHER, PLAIN, TAKES_TO, VERB_PAIRS


@dataclass(frozen=True, slots=True)
class Turn:
    """`by`: a template, or a function that gives "" where the words stay. `cost`: how much worse it reads."""

    found: re.Pattern[str]
    by: str | Callable[[re.Match[str]], str]
    cost: float


_ARTEFACT = (
    r"(?:framework|method|approach|algorithm|system|technique|strategy|pipeline|tool|dataset|benchmark|architecture"
    r"|mechanism|scheme|solution|procedure|module|network|protocol|model|toolkit|library|platform|corpus|metric"
    r"|estimator|accelerator|loss|agent|methods|approaches|algorithms|techniques|models|systems|networks|strategies)"
)
_FINITE = re.compile(
    r"(?P<and>(?:, and|,| and| or|, then) (?:then |thus |further |also |[a-z]+ly )?)(?P<verb>[a-z]+s)"
    r"(?= (?!of\b|in\b|for\b|and\b|that\b|is\b|are\b|which\b|from\b)[A-Za-z“])"
)


def _participle(match: re.Match[str]) -> str:
    """ "that encodes" -> "encoding"."""
    verb = _base(match["verb"])
    if not verb or verb in ("be", "are", "have", "do", "show", "find") or not _WHAT_IT_IS.match(match.string):
        return ""
    rest = _further(match["rest"])
    return "" if rest is None else f"{match['comma']} {gerund(verb)}{rest}"


_WHAT_IT_IS = re.compile(
    r"(?:[a-z]+ |[\w-]+(?: [\w-]+){0,3} is )(?:an?|the|one|two|three|several|[A-Z][\w-]*,)\b"
)
"""Behind it every verb is one of what is offered: no clause goes on behind the one that is turned."""


def _further(text: str) -> str | None:
    """Further verbs of a clause whose first became a participle: "and ranks" -> "and ranking"; None where one may
    be a noun."""
    for match in reversed([*_FINITE.finditer(text)]):
        verb = _base(match["verb"])
        if not verb and match["and"].split()[-1] in ("then", "also", "further", "thus"):
            return None
        if verb in NOUNS_TOO and not match["and"].split()[-1].endswith(
            ("then", "also", "further", "thus", "ly")
        ):
            return None
        if verb:
            text = f"{text[: match.start('verb')]}{gerund(verb)}{text[match.end('verb') :]}"
    return text


def _base(verb: str) -> str:
    return base(verb) or next((v for v in VERBS if verb in (v, singular(v))), "")


def _so_as(match: re.Match[str]) -> str:
    """ "a loss to transfer the ranking" -> "a loss so as to transfer the ranking"."""
    clause = re.split(r"\b(?:that|which|who|whose|and)\b|,", match.string[: match.start()])[-1]
    return "" if match["verb"] not in VERBS or TAKES_TO.search(clause) else f" so as to {match['verb']}"


def _as_well(match: re.Match[str]) -> str:
    """ "names and dates" -> "names as well as dates", where both are surely nouns."""
    before, after = match.string[: match.start()], match.string[match.end() :].split()
    word = after[0].strip(",.;") if after else ""
    clause = re.search(r"\b(?:both|between|either|among|that|how|whether|if|as well as)\b[^,;]*$", before)
    bad = clause or _base(word) or word.endswith(("ly", "ing")) or word in _NO_NOUN
    return "" if bad or _base(before.split()[-1]) else " as well as "


_NO_NOUN = frozenset(
    "then thus it they its their not no can is are to by for in on with from other also of more".split()
)


def _purpose(match: re.Match[str]) -> str:
    """ "a method to detect" -> "a method for detecting"."""
    second = match["second"] or ""
    if not _is_plain(match["verb"]) or (second and not _is_plain(second)):
        return ""
    return f"{match['head']} for {gerund(match['verb'])}" + (
        f" {match['and']} {gerund(second)}" if second else ""
    )


def _infinitive(match: re.Match[str]) -> str:
    """ "a method for detecting" -> "a method to detect"."""
    verb, second = (
        next((v for v in VERBS if _is_plain(v) and gerund(v) == said), "")
        for said in (match["verb"], match["second"])
    )
    if not verb or (match["second"] and not second):
        return ""
    return f"{match['head']} to {verb}" + (f" {match['and']} {second}" if second else "")


def _doing(match: re.Match[str]) -> str:
    """ "for verification of" -> "for verifying"."""
    for ending, verb in (
        ("fication", "fy"),
        ("ation", "ate"),
        ("ation", "e"),
        ("ation", ""),
        ("ction", "ct"),
        ("sion", "de"),
        ("tion", "te"),
        ("ition", "ize"),
        ("ysis", "yze"),
        ("val", "ve"),
        ("ment", ""),
    ):
        plain = match["noun"].removesuffix(ending) + verb
        if match["noun"].endswith(ending) and plain in VERBS | _MORE:
            return f"{match['before']} {gerund(plain)}"
    return ""


def _which(match: re.Match[str]) -> str:
    """ "a method that predicts" -> "a method which predicts"; what is found or shown is left, for no noun is before."""
    noun, verb = match["noun"], match["verb"]
    is_verb = (len(verb) <= 4 and not verb.endswith("ts")) or bool(_base(verb))
    if not is_verb or _base(verb) in NOUNS_TOO or noun in _NO_NOUN or noun in KNOWN or base(noun) in KNOWN:
        return ""
    return f"{noun} which {verb}"


_MORE = frozenset(
    "verify classify detect recognize generate estimate predict evaluate analyze optimize identify select simulate approximate segment reconstruct translate retrieve"
    " compute solve control localize calibrate annotate summarize visualize extract integrate discover".split()
)


def _that_are(match: re.Match[str]) -> str:
    """ "signatures written on" -> "signatures that are written on"."""
    noun = match["noun"]
    if (
        noun in _NO_NOUN_EITHER
        or (base(noun) and noun not in _PLURALS)
        or re.search(r"(?:ly|ed|ing|ous|ive|al)$", noun)
    ):
        return ""
    are = "are" if re.search(r"[^s]s$", match["noun"]) or match["noun"] == "data" else "is"
    return f"{match['noun']} that {are} {match['done']}"


_NO_NOUN_EITHER = frozenset(
    "well very been also then both more most less either neither whether still often ever once just even when while than".split()
)
_PLURALS = frozenset(
    "models frameworks samples scores maps indexes graphs features views tests surveys measures queries labels".split()
)


def _is_plain(verb: str) -> bool:
    return verb in VERBS and not verb.endswith("ly")


def _listed(cost: float, lines: str) -> list[Turn]:
    """Of lines "old|older -> new", the old as a pattern."""
    made = []
    for line in lines.strip().splitlines():
        old, new = line.split("->")
        end = "" if "(?=" in old else r"(?![\w-])"
        gap = " " if " (?=" in old and new.strip() else ""  # the space before what follows is part of the old
        made.append(Turn(re.compile(rf"(?<![\w-])(?:{old.strip()}){end}"), f"{new.strip()}{gap}", cost))
    return made


def _of_verbs() -> list[Turn]:
    """General verbs, where what stands before them tells that they are verbs."""
    made = []
    for pair in VERB_PAIRS.split(";"):
        verb, (first, *rest) = pair.split(":")[0].strip(), pair.split(":")[1].split()
        tail = "".join(f" {word}" for word in rest)
        for before, form, new in (
            (r"\bto", verb, first),
            (r"\b(?:that|which)|^[A-Z][\w-]*", singular(verb), singular(first)),
            (r"\b(?:for|by|of|in|and)", gerund(verb), gerund(first)),
        ):
            found = re.compile(rf"({before}) {form}(?= [a-zA-Z])")
            made.append(Turn(found, rf"\1 {new}{tail}", 0.7))
    return made


TURNS = (
    *_listed(0.3, PLAIN),
    *_listed(0.7, LESS),
    *_listed(0.8, OTHER),
    *_listed(1.0, FURTHER),
    Turn(
        re.compile(r"(?P<noun>[a-z]+) that (?P<verb>can|is|are|has|have|do|does|[a-z]+s)(?= [a-z])"),
        _which,
        0.6,
    ),
    *_of_verbs(),
    Turn(
        re.compile(
            r"(?<=[a-z])(?P<comma>,?) (?:that|which) (?:then |further |also )?(?P<verb>[a-z]+s)(?P<rest> (?!to\b).*)"
        ),
        _participle,
        0.3,
    ),
    Turn(
        re.compile(
            rf"\b(?P<head>{_ARTEFACT}) to (?P<verb>[a-z]+)(?: (?P<and>and|or) (?P<second>(?!an?\b|the\b)[a-z]+)(?= (?:an?|the|[a-z]+) ))?(?= [a-z])"
        ),
        _purpose,
        0.2,
    ),
    Turn(
        re.compile(
            rf"\b(?P<head>{_ARTEFACT}) for (?P<verb>[a-z]+ing)(?: (?P<and>and|or) (?P<second>[a-z]+ing)(?= [a-z]))?(?= (?!and\b|of\b|in\b|on\b|with\b|from\b|by\b|tasks?\b)[a-z])"
        ),
        _infinitive,
        0.3,
    ),
    Turn(
        re.compile(r"(?<=[a-z)]) to (?P<verb>[a-z]+)(?= (?:an?|the|both|all|each|their|its|[a-z-]+) )"),
        _so_as,
        0.5,
    ),
    Turn(re.compile(r"(?<=[a-rt-z]s),? and (?=[a-z])"), _as_well, 0.9),
    Turn(
        re.compile(
            r"(?<=[a-z]{3}) in (?=(?:the |an? )[a-z-]{4,})(?!order|which|this|that|terms|particular|addition|turn|practice|general|advance|contrast|these|those|(?:the |an? )(?:[a-z-]+ ){0,2}(?:fashion|manner|way|sense|style)|the (?:presence|context|form|case|absence))"
        ),
        " within ",
        0.8,
    ),
    Turn(
        re.compile(
            r"(?<!flow )(?<!flows )(?<!pass )(?<!passes )(?<!going )(?<!walk )(?<!propagate )(?<=[a-z]{3} )through (?=[a-z])"
        ),
        "by ",
        0.6,
    ),
    Turn(
        re.compile(r"\b(?P<before>for|in|of) (?:the )?(?P<noun>[a-z]+(?:tion|sion|ysis|val|ment)) of\b"),
        _doing,
        0.4,
    ),
    Turn(
        re.compile(
            r"\b(?P<noun>[a-z]{4,}) (?P<done>[a-z]{3,}(?:ed)|written|given|built|drawn|driven|taken)(?= (?:on|by|in|with|from|to|for|as|via|through|over)\b)"
        ),
        _that_are,
        0.5,
    ),
    Turn(re.compile(r"^propose(?P<s>s?) (?=an?|the|two|three|[A-Z])"), r"introduce\g<s> ", 0.2),
    Turn(re.compile(r"^introduce(?P<s>s?) (?=an?|the|two|three|[A-Z])"), r"present\g<s> ", 0.2),
    Turn(re.compile(r"^present(?P<s>s?) (?=an?|the|two|three|[A-Z])"), r"describe\g<s> ", 0.2),
    Turn(
        re.compile(
            r"^(?P<name>[A-Z]\S*) is (?P<what>an? (?:[\w-]+ ){0,4}(?:graph|dataset|corpus|benchmark|library|toolkit|framework|platform|collection)\b)"
        ),
        r"\g<name> offers \g<what>",
        0.7,
    ),
    Turn(re.compile(r"^focus on "), "deal with ", 0.3),
    Turn(re.compile(r"^focuses on "), "deals with ", 0.3),
)
