"""Says how a paper relates to a draft, if one of the two texts states it. The relation is never guessed from
similarities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.keyphrases import phrases, tells
from ..text.words import shortened
from ..types import Candidate, Strand

_SYSTEM = re.compile(r"([\w-]{3,20}):\s")  # at the start of a title
_FEWEST = 2  # words of a phrase that both texts share
_LONGEST_WHY = 200  # characters of the reason for a strand
_COMMON = 0.2  # greatest share of the papers found that may contain a phrase; frequent ones explain nothing


def relation_of(
    candidate: Candidate,
    yours: Sequence[str],
    title: str,
    strands: Sequence[Strand],
    found: Sequence[str] = (),
) -> str:
    """Sentences for the user on how the paper relates to the draft; "" if nothing is known. `yours`: the
    sentences of the draft; `title`: the title of the draft; `found`: the texts of all papers found, in lower
    case."""
    return " ".join(filter(None, [_said(candidate, yours, title, found), _strand(candidate, strands)]))


def _strand(candidate: Candidate, strands: Sequence[Strand]) -> str:
    """The sentence on the strand for which the paper was found; "" if it was found for none."""
    known = {strand.name: strand for strand in strands}
    one = next((known[name] for name in candidate.strands if name in known), None)
    if one is None:
        return ""
    why = shortened(one.why.rstrip("."), _LONGEST_WHY)
    found = f"It was found by searching for “{one.name}”" + (f" ({why})" if why else "")
    return f"{found}; the language model chose it by its title." if candidate.picked else f"{found}."


def _said(candidate: Candidate, yours: Sequence[str], title: str, found: Sequence[str]) -> str:
    paper = candidate.paper
    if named := _named(paper.title, yours):
        return f"Your draft mentions this paper's system: “{named}”"
    shared = _shared(f"{paper.title}. {paper.abstract}", " ".join((f"{title}.", *yours)), found)
    return f"Your draft and this paper both use the phrase “{shared}”." if shared else ""


def _named(title: str, yours: Sequence[str]) -> str:
    """The first sentence of the draft that names the paper's system; "" if there is none."""
    system = _SYSTEM.match(title)
    if system is None or system[1].islower():
        return ""
    name = re.compile(rf"(?<!\w){re.escape(system[1])}(?!\w)")
    return next(filter(name.search, yours), "")


def _shared(theirs: str, ours: str, found: Sequence[str]) -> str:
    """The longest informative phrase that both texts contain, in the form that the draft uses first; "" if
    there is none."""
    known = {phrase.key for phrase in phrases(theirs) if phrase.whole}
    told = [p for p in phrases(ours) if p.whole and p.key in known]
    told = [p for p in told if len(p.key.split()) >= _FEWEST and tells(p.key)]
    told = [
        p for p in told if sum(p.surface.lower() in text for text in found) <= max(2, _COMMON * len(found))
    ]
    return max(told, key=lambda p: len(p.key.split())).surface if told else ""
