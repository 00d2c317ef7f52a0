"""Several papers in one sentence, each cited at its own place: statements of one form stand together.

Nothing is said of them in common but their form: "A is a planner of drafts [1], B a parser of notes [2]"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ....types import Clause, Sentence
from .facts import Fact
from .grammar import base
from .sentences import words

_MOST = 46  # words of a joined sentence
_EACH = 20  # words of what it says of one paper
_THREE = 3

_IS_A = re.compile(r"^(?P<name>[\w-]+(?: [\w-]+){0,2}) is (?P<what>an? .+)\.$")
_OFFERS = frozenset("propose introduce present develop design describe devise".split())
_STUDIES = frozenset("study investigate explore analyze analyse examine".split())
_SUBJECTS = ("Others", "Further papers", "Related papers")  # plural: one work did not do both


def kind_of(fact: Fact) -> str:
    """The form that two facts must share to stand in one sentence; "" for what stands alone."""
    if fact.quoted or fact.lead or len(words(fact.text)) > _EACH or ";" in fact.text or ":" in fact.text:
        return ""
    if not fact.textual:
        return "named" if _IS_A.match(fact.text) else "deals" if fact.kind == "title" else ""
    verb = _plural(fact.text).split()[0]
    if fact.kind == "title":
        return "titles"
    if re.search(r"\b(?:they|their|them|themselves)\b", fact.text) or re.search(
        r"(?:,| and) \w+s (?:an?|the|that|how)\b", fact.text
    ):
        return ""
    if verb in _OFFERS and re.match(r"\w+ (?:an?|two|three) ", fact.text):
        return "offers"
    return "studies" if verb in _STUDIES else ""


def _plural(text: str) -> str:
    verb, rest = text.split(" ", 1)
    return f"{base(verb) or verb} {rest}"


def fit(facts: Sequence[Fact]) -> bool:
    return sum(len(words(f.text)) for f in facts) <= _MOST and len(facts) <= _THREE


def joined(facts: Sequence[Fact], place: int) -> Sentence:
    """Two or three facts of one kind; `place`: how many such sentences the section has so far."""
    kind = kind_of(facts[0])
    if kind == "named":
        texts = [_named(fact, first=n == 0) for n, fact in enumerate(facts)]
    elif kind == "deals":
        texts = [fact.text.rstrip(".") for fact in facts]
    elif kind == "titles":
        texts = [fact.text.rstrip(".").split(" on ", 1)[1] for fact in facts]
        texts[0] = (
            f"{('Also related is work on', 'Further work is on', 'Other papers treat')[place % 3]} {texts[0]}"
        )
    else:
        texts = _by_others(facts, _SUBJECTS[place % len(_SUBJECTS)])
    last = len(facts) - 1
    parts = [
        f"{'and ' if n == last else ''}{text}{'.' if n == last else ',' if last > 1 or ' and ' in text or kind in ('named', 'deals') else ''}"
        for n, text in enumerate(texts)
    ]
    clauses = tuple(Clause(part, (fact.evidence,)) for part, fact in zip(parts, facts, strict=True))
    return Sentence(" ".join(parts), tuple(f.evidence for f in facts), clauses=clauses)


def _named(fact: Fact, first: bool) -> str:
    match = _IS_A.match(fact.text)
    assert match is not None
    return fact.text.rstrip(".") if first else f"{match['name']} {match['what']}"


def _by_others(facts: Sequence[Fact], subject: str) -> list[str]:
    plain = [_plural(fact.text).rstrip(".") for fact in facts]
    verb = plain[0].split()[0]
    return [f"{subject} {verb} {plain[0].split(' ', 1)[1]}", *(p.split(" ", 1)[1] for p in plain[1:])]
