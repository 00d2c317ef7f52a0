"""What a draft says of itself, as clauses that can stand inside its related-work section."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .naming import of_name
from .retelling import retell
from .sentences import clean, split, words
from .standing import Told

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
        told = retell(sentence, several=True, own=True) or of_name(sentence, title)
        if told and len(words(told.text)) <= _LONGEST:
            found.append(_claim(told))
    return found


def _claim(told: Told) -> Claim:
    clause = told.text.rstrip(".")
    return Claim(f"we {clause}" if told.textual else clause, told.source, told.verb in _OFFERED)


def main_claim(found: Sequence[Claim]) -> Claim | None:
    """The claim that the section closes with: what the draft offers, or else what it says first."""
    return next((c for c in found if c.main), found[0] if found else None)
