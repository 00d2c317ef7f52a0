"""What a draft says of itself, as clauses that can stand inside its related-work section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .grammar import upper_first
from .naming import of_name
from .retelling import CONNECTIVE, retell
from .roles import of_problem
from .sentences import clean, is_rubble, split, words
from .standalone import NUMBERS, Told, is_dangling

_OFFERED = frozenset("propose introduce present develop describe design build devise".split())
_LONGEST = 36  # words of a clause


@dataclass(frozen=True, slots=True)
class Claim:
    """`clause` stands mid-sentence and has no full stop; `main`: it says what the draft offers."""

    clause: str
    source: str
    main: bool


def claims(abstract: str, title: str) -> list[Claim]:
    """The sentences of the abstract that speak of the draft's own work and stand alone, in order."""
    found: list[Claim] = []
    for sentence in split(_NAME_EXPLAINED.sub(r"\1, \2", clean(abstract))):
        told = retell(sentence, several=True, own=True) or of_name(sentence, title) or _of_system(sentence)
        if told and told.verb != "conclude" and len(words(told.text)) <= _LONGEST:
            found.append(_claim(told))
    return found


_SYSTEM = re.compile(
    r"^(?:Our|The) (?P<what>system|approach|framework|tool|pipeline)(?P<does> [a-z]+s .+\.)$"
)


_NAME_EXPLAINED = re.compile(r"\b([A-Z][\w-]+) \(([A-Z][\w-]+(?: (?:[A-Z][\w-]+|of|and|for|with|in)){1,6})\)")
"""CHASe (Client Heterogeneity-Aware Selection): the brackets would be left out."""


def _of_system(sentence: str) -> Told | None:
    """ "The system runs …" as "our system runs …"."""
    match = _SYSTEM.match(sentence)
    if not match or is_rubble(sentence) or NUMBERS.search(sentence) or is_dangling(match["does"]):
        return None
    if re.match(r" (?:is|achieves|outperforms|improves|was|has)\b", match["does"]):
        return None
    return Told(f"our {match['what']}{match['does']}", False, "name", sentence)


def _claim(told: Told) -> Claim:
    clause = told.text.rstrip(".")
    second = re.search(
        rf",? and (?:then )?(?:we )?((?:{'|'.join(_OFFERED)}) (?:an?|the|[A-Z]\w+,) .+)$", clause
    )
    if second and told.textual and told.verb not in _OFFERED:
        return Claim(f"we {second[1]}", told.source, True)
    return Claim(f"we {clause}" if told.textual else clause, told.source, told.verb in _OFFERED)


def main_claim(found: Sequence[Claim], title: str) -> Claim | None:
    """The claim that the section closes with: what is offered and speaks most of what the title names."""
    named = _stems(title)
    return max(
        found,
        key=lambda c: len(named & _stems(c.clause)) + 1.5 * c.main - 2 * bool(VAGUE.search(c.clause)),
        default=None,
    )


VAGUE = re.compile(
    r"\b(?:innovative|novel|new|several|various|effective) (?:approaches|methods|solutions|techniques|strategies)\b(?! (?:for|that|of)\b)"
)


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"\w{4,}", text.lower())}


def limit(abstract: str) -> str:
    """What the draft says is lacking, right before it speaks of its own work, as it stands; "" where it says nothing.
    A sentence that leans on the one before it comes with that."""
    found, sentences = "", split(clean(abstract))
    for place, sentence in enumerate(sentences):
        if _OWN.search(sentence) or not any(_OWN.search(s) for s in sentences[place + 1 : place + 3]):
            continue
        turned = _TURN.match(sentence)
        plain = upper_first(sentence[turned.end() :] if turned and turned[1] else sentence)
        if (
            not (turned or of_problem(plain) or _BUT.search(plain))
            or not _whole(plain)
            or re.search(r"\b(?:was|were|had|did)\b", plain)
        ):
            continue
        if turned and not turned[1] and "," not in sentence:
            continue  # "While drafts grow.": no main clause
        if of_problem(plain) and not _LACK.search(plain):
            continue
        before = sentences[place - 1] if place else ""
        if not _leans(plain):
            found = plain
        elif before and _whole(before) and not _leans(before) and not _OWN.search(before):
            found = f"{before} {sentence}"
    return found


def setting(abstract: str) -> list[str]:
    """What the draft says of its subject before it speaks of its own work, without what it says is lacking: whole
    sentences that lean on none before them, as they stand."""
    found: list[str] = []
    lacking = limit(abstract)
    for sentence in split(clean(abstract)):
        if _OWN.search(sentence):
            break
        if sentence in lacking or not _whole(sentence) or _leans(sentence) or _TURN.match(sentence):
            continue
        if not CONNECTIVE.match(sentence) and sentence.endswith(".") and _is_english(sentence):
            found.append(sentence)
    return found


def _is_english(sentence: str) -> bool:
    said = words(sentence.lower())
    return sum(word in _SMALL for word in said) >= len(said) / 8


_SMALL = frozenset(
    "the of and to is are in that for with by from as has have be can which it this these on an".split()
)


_BUT = re.compile(
    r"\bbut (?:often |still |usually |typically )?(?:suffers?|requires?|fails?|lacks?|struggles?|ignores?|relies|rely|remains?|neglects?|overlooks?|cannot)\b"
)
_LACK = re.compile(
    r"\b(?:not|no|never|only|merely|fail\w*|ignor\w*|lack\w*|requir\w*|rel(?:y|ies)|cannot|limit\w*|costly|expensive|neglect\w*|overlook\w*|suffer\w*"
    r"|struggl\w*|hardly|rarely|seldom|little|few|inefficien\w*|insufficient\w*|difficult\w*|unable|without|assum\w*|primarily|mainly|mostly|challeng\w*|but|one|single|alone|separate\w*|manual\w*|fixed|static)\b"
)
_OWN = re.compile(r"\b(?:[Ww]e|[Oo]ur|[Tt]his (?:paper|work|study|article|thesis))\b")


def _whole(sentence: str) -> bool:
    return not is_rubble(sentence) and not NUMBERS.search(sentence) and 6 <= len(words(sentence)) <= _LONGEST


def _leans(sentence: str) -> bool:
    start = " ".join(words(sentence)[:4])
    return bool(
        re.match(r"The (?:problem|task|issue|question|approach|method|challenge|latter|former)s? (?!of\b|in\b|that\b)", sentence) or
        is_dangling(f" {sentence}") or re.search(r"\b(?:they|it|its|this|these|such)\b", start, re.I)
        or re.search(r"\b(?:one|both|two) of\b|\btwo \w+ challenges\b", sentence)
    )  # fmt: skip


_TURN = re.compile(
    r"^(?:((?:However|Yet|But|Unfortunately|Nevertheless|Nonetheless|Still),? )|(?:While|Although|Though|Despite)\b)"
)


_ENDS = re.compile(r", (?:which|where|while|thereby|thus|enabling|allowing|leading|making|achieving|highlighting|yielding|especially|including"
                   r"|specifically|and (?:then )?(?:we )?(?:show|demonstrate|find|evaluate|validate|prove|conduct))\b|;| – | and then we | that (?=[a-z]+s\b)")  # fmt: skip
_CLOSING, _LEAST = 26, 9  # words of a claim that closes a paragraph


def shortened(claim: Claim) -> Claim:
    """The claim without what it adds at its end, where it is long; whole where a clause follows, whose verb may
    stand behind a comma."""
    if re.match(r"we \w+ (?:that|how|whether|why)\b", claim.clause):
        return claim
    text = re.sub(r"[:,]? ?\(?\bi\.e\.,? ", ", namely ", claim.clause)
    while len(words(text)) > _CLOSING:
        ends = [m.start() for m in _ENDS.finditer(text) if len(words(text[: m.start()])) >= _LEAST]
        if not ends:
            break
        text = text[: ends[-1]]
    if text != claim.clause and ": " in text and "," not in text.partition(": ")[2]:
        text = re.sub(r", \w+ing [^,]*$", "", text.partition(": ")[0])  # one of several that are listed
    return replace(claim, clause=text)
