"""What a draft says of itself, as clauses that can stand inside its related-work section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .naming import of_name
from .retelling import retell
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
    for sentence in split(clean(abstract)):
        told = retell(sentence, several=True, own=True) or of_name(sentence, title) or _of_system(sentence)
        if told and told.verb != "conclude" and len(words(told.text)) <= _LONGEST:
            found.append(_claim(told))
    return found


_SYSTEM = re.compile(
    r"^(?:Our|The) (?P<what>system|approach|framework|tool|pipeline)(?P<does> [a-z]+s .+\.)$"
)


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
    return Claim(f"we {clause}" if told.textual else clause, told.source, told.verb in _OFFERED)


def main_claim(found: Sequence[Claim], title: str) -> Claim | None:
    """The claim that the section closes with: what is offered and speaks most of what the title names."""
    named = _stems(title)
    return max(found, key=lambda c: len(named & _stems(c.clause)) + 1.5 * c.main, default=None)


def _stems(text: str) -> set[str]:
    return {word.rstrip("s") for word in re.findall(r"\w{4,}", text.lower())}
