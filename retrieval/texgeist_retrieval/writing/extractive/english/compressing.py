"""The shortest form in which a sentence still says what a paper does, in few of its words in a row.

Whole phrases go at their boundaries from the end, where less is said without them and nothing else; what
conditions, restricts or negates is never cut off, nor the second half of what a verb or a noun needs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ....text.vocabulary import FUNCTION, GOOD_ING, NOT_HEAD
from .fronting import VERBS
from .grammar import base
from .quoting import shortened
from .rewording import RUN, reworded
from .sentence_gate import fault
from .sentences import words
from .standalone import Told, shared
from .turns import TAKES_TO

_LEAST, _GOOD, _MOST = 6, 20, 30  # words of what is told
_WHOLE = 3  # words of weight that are a statement without the quotation behind them


@dataclass(frozen=True, slots=True)
class Compressed:
    told: Told
    worth: float


def compressed(told: Told, passage: str, title: str, several: bool) -> Compressed | None:
    """The form that says most in few words, without a long run of the passage's; None where there is none."""
    return _best(told, passage, title, several, RUN)


def barely(told: Told, passage: str, title: str, several: bool) -> Compressed | None:
    """The same with a run of `RUN` words, where there is no other way."""
    return _best(told, passage, title, several, RUN + 1)


def _best(told: Told, passage: str, title: str, several: bool, run: int) -> Compressed | None:
    best: Compressed | None = None
    for text, lost in _forms(told):
        plain = _without_brackets(text)
        turned = reworded(plain, passage, title, run)
        if told.lead and not ends_whole(f"{told.lead.rstrip(',')}.", True):
            continue
        if (
            turned is None
            or not ends_whole(turned.text, bool(lost))
            or fault(turned.text, told.lead, told.textual, several)
            or not _says(turned.text)
        ):
            continue
        count = len(words(f"{told.lead} {turned.text}"))
        if count > _MOST:
            continue
        worth = (
            0.25 * shared(turned.text, title)
            + min(_content(turned.text), 12)
            - turned.cost
            - 0.4 * max(0, count - _GOOD)
            - 0.3 * bool(lost)
        )
        if best is None or worth > best.worth:
            best = Compressed(replace(told, text=turned.text), worth)
    return best


def _forms(told: Told) -> Iterator[tuple[str, str]]:
    """The text, and what is left of it at each boundary where it may end, each with what was cut off."""
    told = replace(told, text=re.sub(r" – (?=an? )", ", ", _AS_ONE.sub(".", told.text)))
    yield told.text, ""
    whole = shortened(told.text)
    if whole != told.text:
        yield whole, told.text
    if told.kind in ("find", "problem", "statement"):
        return
    text = told.text.rstrip(".")
    for match in _BOUNDARY.finditer(text):
        start, cut = text[: match.start()], text[match.start() :]
        if len(words(start)) >= _LEAST - (not told.textual) and _may_end(start, cut.strip(" ,")):
            yield f"{start}.", cut


_AS_ONE = re.compile(r" as an? (?:solution|remedy|alternative|approach|step|first step)\.$")
_BOUNDARY = re.compile(
    r",? (?=(?:that|which|whose|using|by|via|through|based|for|to|in|on|with|from|across|over|leveraging|while|where"
    r"|enabling|allowing|thereby|called|named|dubbed|as)\b(?!-))|, (?=(?:and|or|including|such|especially|even|making|[a-z]+ing)\b)|;|:| – "
)
_CONDITIONS = re.compile(
    r"\b(?:only|when|whenever|if|unless|except|not|no|never|cannot|without|rather|than|instead|under|assuming|provided|(?:limited|restricted) to"
    r"|despite|although|though|where|may|might|could|possibly|partially|partly|sometimes|fail\w*|hardly|rarely|but|yet|however|until)\b"
)
_NEEDS_FOR = frozenset("need needs needed account accounts search searches look allow allows responsible suitable "
    "crucial important designed tailored made used useful accounting searching looking call calls except optimize "
    "essential necessary known and or asked ask vital critical trained adapted aimed suited meant particularly especially".split())  # fmt: skip
_NEEDS_IN = frozenset("common usual frequent interest increase change changes role participate results result differences difference variation involved step "
    "advances progress gains embedded found used engaged participates differ success improvements trends trend rooted exist exists biased bias biases".split())  # fmt: skip
_NEEDS_ON = re.compile(
    r"\b(?:effects?|impact|influence|focus\w*|depend\w*|rel(?:y|ies|ying)|emphasi\w+|constraints?|attention|bounds?|perspectives?|views?"
    r"|insights?|light|study|studies|research|work|works|survey|surveys|based|trained|tested|evaluated|acts?|operat\w+|conditioned|built|information|limits?|reliance|dependence|dependency)$"
)
_TAKES_WITH = re.compile(
    r"\b(?:combin\w+|integrat\w+|compar\w+|replac\w+|align\w*|interact\w*|pair\w*|fus\w+|equip\w*|augment\w*|associat\w+|deal\w*|cop\w+|compl\w+|consistent|together|along|begin\w*|start\w*"
    r"|provid\w+|enrich\w*|unif\w+|merg\w+|coupl\w+|connect\w*|endow\w*|supplement\w*|match\w*|experiment\w*|familiar|problem|problems|data|labeled|annotated|model\w*|task\w*|case\w*|solution\w*)\b[^,]*$"
)
_FROM = re.compile(r"\b(?:deriv\w+|drawn|transfer\w*|translat\w+|rang\w+|differ\w*|benefit\w*|suffer\w*|aris\w+|stem\w*|protect\w*|prevent\w*|learn(?:s|ed|ing)?|samples?|recover\w*|distinguish\w*|separat\w+|move\w*|extract\w*|collected|obtained|far|away|free|different|inspiration|borrow\w*)$")  # fmt: skip


def _may_end(start: str, cut: str) -> bool:
    """Whether the sentence may stop where `cut` begins."""
    last = words(start)[-1:] or [""]
    first, second = [*re.findall(r"[\w-]+", cut)[:2], "", ""][:2]
    if re.match(
        r"(?:re)?(?:formulate|cast|frame|treat|view|regard|model|pose|consider|define|see|think|use|interpret)s? ",
        start,
    ) and re.search(r"\bas\b", cut):
        return False
    if ":" in start:
        return False  # in what is listed
    if (
        last[0][:1].isupper()
        and second[:1].isupper()
        and first in ("from", "for", "of", "in", "with", "to", "and")
    ):
        return False  # in a name
    if any(first.search(start) and second.search(cut) for first, second in _PAIRED):
        return False
    if re.search(r", (?!(?:an?|one|the|called|named|and)\b)", start) and re.search(r"\b(?:and|or)\b", cut):
        return False  # in a list
    if (
        NOT_HEAD.search(last[0])
        and "-" not in last[0]
        and not last[0][:1].isupper()
        and last[0] not in ("data", "language")
    ):
        return False
    if _CONDITIONS.search(cut) or last[0].lower() in FUNCTION or start.count("(") != start.count(")"):
        return False
    if re.search(r"(?:ed|en|ly)$", last[0]) and first in (
        "by",
        "in",
        "on",
        "with",
        "from",
        "to",
        "for",
        "as",
        "through",
        "via",
        "using",
        "into",
        "over",
        "across",
        "that",
    ):
        return False
    if re.search(
        r"\b(?:both|between|either|from|not only|more|less|better|as|so|such|whether|same|rather)\b[^,]*$",
        start,
    ) and first in ("to", "that", "than", "or", "and", "as"):
        return False
    clause = re.split(r"\b(?:that|which|who|whose)\b", start)[-1]
    if first in ("that", "which", "whose"):
        return base(last[0]) is None and last[0] not in VERBS and not re.search(r"ing$", last[0])
    if first == "based":
        return bool(second == "on")
    if first == "for":
        return last[0] not in _NEEDS_FOR and base(last[0]) is None
    if first == "in":
        return last[0] not in _NEEDS_IN and second != "particular" and base(last[0]) is None
    if first == "on":
        return not _NEEDS_ON.search(start) and base(last[0]) is None
    if first == "to":
        return second in VERBS and not TAKES_TO.search(clause)
    if first == "with":
        return not _TAKES_WITH.search(clause) and base(last[0]) is None
    if first == "from":
        return not _FROM.search(start) and base(last[0]) is None
    if first == "as":
        return False
    if first == "by":
        return bool(second.endswith("ing"))
    if first in ("and", "or"):
        joins = re.match(r"(?:and|or) (?:then |thus |thereby |also )?[a-z]+(?:s|ing)?\b", cut)
        return (
            bool(joins)
            and cut[0] != " "
            and (second in VERBS or second in ("thereby", "thus", "also", "then"))
        )
    return base(last[0]) is None


def unquoted(text: str) -> str:
    """The statement before a quotation that ends the sentence, where it is whole without it; else ""."""
    match = re.match(r"([^“]+?),? “([^”]*)”\.$", text)
    if not match or not _may_end(match[1], f" {match[2]}") or _content(match[1]) < _WHOLE:
        return ""
    return f"{match[1]}." if ends_whole(f"{match[1]}.", True) else ""


def _without_brackets(text: str) -> str:
    """Without an abbreviation that is not used behind it."""

    def left(match: re.Match[str]) -> str:
        short = match[1].removesuffix("s")
        rest = text[: match.start()] + text[match.end() :]
        return match[0] if re.search(rf"(?<!\w){re.escape(short)}", rest) else ""

    text = re.sub(r" \((?![A-Z])[^()]*\)", "", text)
    return re.sub(r" \(([A-Z][\w-]{0,11})\)(?! is )", left, text)


_OPEN_END = re.compile(
    r"\b(?:and|or) (?:more )?(?:\w+(?:ent|ive|ful|able|ible|ous|ly)|fast|scalable|robust|simple|general)\.$|\b(?:more|most|less|two|three|several|various|many|new|novel)\.$"
)


_HEAD = r"(?:representation|framework|method|approach|model|system|algorithm|technique|architecture|language|network|tool|procedure|scheme|solution)"
_HUNG = re.compile(
    rf", an? (?:[\w-]+ )?{_HEAD}\.$|^\S+ is an? (?:[\w-]+ )?{_HEAD}\.$"
    r"|\bof (?:several |many )?(?:algorithms|methods|models|approaches|systems|networks|tasks|problems)\.$"
    r"|\b(?:number|amount|set|series|range|variety|kind|type|part|basis|notion|lack|use|effects?|sense|concept|degree|level|process|ways?|cases?|settings?|insight|idea|fact|manner|observation|reliance"
    r"|pairs?|steps?|relationships?)\.$"
    r"|\b(?:leads?|results?) (?:to|in) (?:\w+ )?(?:algorithms?|methods?|results|models?|approaches|performance)\.$"
    r"|, (?:achieving|attaining|outperforming|demonstrating|showing|yielding|surpassing|delivering)\b"
)
_PAIRED = tuple(
    (re.compile(rf"\b(?:{first})\b"), re.compile(rf"\b(?:{second})\b"))
    for first, second in (
        (r"(?:replac|substitut|swap|exchang|combin|compar|integrat|augment|equip)\w*", "with|by"),
        (r"(?:convert|transform|turn|translat|map|transfer|adapt|appl)\w*", "to|into"),
        ("from", "to"),
        ("between", "and"),
        (r"correct|optimal|robust|suitable", "for|to|in|under"),
    )
)
"""Words that need what stands behind the second of a pair."""


def ends_whole(text: str, is_cut: bool) -> bool:
    last = (words(text)[-1:] or [""])[0]
    if _HUNG.search(text) or (
        is_cut and last.endswith("ing") and last.lower() not in GOOD_ING | _ING_NOUNS and base(last) is None
    ):
        return False
    return last.lower() not in _NO_END and not last.endswith("ly") and not _OPEN_END.search(text)


_ING_NOUNS = frozenset(
    "string thing timing engineering programming computing networking pricing imaging manufacturing banking meaning building marketing "
    "rating bidding finding fuzzing debugging housing drawing painting wording filtering streaming gaming crowdsourcing shopping advertising setting".split()
)
_NO_END = frozenset(
    "further also new novel various several many more most both each such no same two three four five other another different one i.e e.g etc they we built made".split()
)
_GENERAL = frozenset(
    "propose proposes introduce introduces present presents develop develops design designs describe describes method methods approach approaches framework model models system"
    " algorithm technique new problem problems study studies show shows consider investigate analyze examine explore several novel based called named dataset data different simple task".split()
)


def _content(text: str) -> int:
    return len({w.lower() for w in words(text) if len(w) > 3 and w.lower() not in FUNCTION | _GENERAL})


def _says(text: str) -> bool:
    return _content(text) >= 3
