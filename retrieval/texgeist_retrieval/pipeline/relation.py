"""What a paper is to a draft, where one of the two texts says so: never guessed from numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.keyphrases import phrases, tells
from ..text.sentences import split_sentences
from ..types import Candidate, Strand
from .rank_line import shortened

_DATA = r"(?:data ?sets?|corpus|corpora|benchmarks?|test collections?|test suites?)"
# Words that may stand between an article and its noun: "on", "with" or "trained" make it somebody else's data.
_OWN_WORDS = r"(?:(?!(?:on|of|for|from|with|in|by|to|over|using|trained|that|against)\b)[\w-]+\s+){0,6}?"
_TITLED = re.compile(rf"(?:^|[:?]\s+)(?:(?:an?|the)\s+)?{_OWN_WORDS}{_DATA}\b", re.I)
_OFFERS = re.compile(
    rf"\b(?:is|are|(?:present|introduce|release|provide|contribute|construct|collect|build|create|propose|describe)s?)"
    rf"\s+(?:an?|the|our|two|three)?\s*{_OWN_WORDS}{_DATA}\b",
    re.I,
)
_RIVAL = re.compile(
    r"\b(?:outperforms?|compared? (?:\w+ ){0,3}(?:to|with|against)|baselines?|unlike|in contrast to|better than|"
    r"instead of|competing|improves? (?:up)?on|than)\b",
    re.I,
)
_USE = re.compile(
    r"\b(?:we|our \w+)\b[^.;]{0,40}\b(?:use|using|adopt|employ|extend|follow|build|fine-tune|train|apply|start)s?\b|"
    r"\b(?:based|built|builds|building) (?:up)?on\b|\b(?:initiali[sz]ed?|fine-tuned) (?:with|from)\b",
    re.I,
)
_OWN_NAME = re.compile(
    r"\b(?:[Ww]e|[Tt]his (?:paper|work|article))\b[^.]{0,40}?\b(?:propose|introduce|present|develop|release|describe)s? "
    r"(?:(?:a|an|the|our|new|novel) ){0,2}(?P<first>[A-Z][\w-]*[A-Z0-9][\w-]*)"
    r"|\b(?:called|named|dubbed|termed) (?P<second>[A-Z][\w-]*[A-Z0-9][\w-]*)"
)
_FEWEST = 2  # words of a phrase that both texts share
_LONGEST_WHY = 200  # characters of what a strand comes from
_COMMON = 0.2  # share of the papers found that may have it too: what all speak of tells nothing of one


def relation_of(
    candidate: Candidate,
    yours: Sequence[str],
    title: str,
    strands: Sequence[Strand],
    found: Sequence[str] = (),
) -> str:
    """Sentences for people, "" where no text tells. `yours`: the draft's sentences, `title`: its title; `found`:
    the texts of all papers found, in small letters."""
    return " ".join(filter(None, [_said(candidate, yours, title, found), _strand(candidate, strands)]))


def _strand(candidate: Candidate, strands: Sequence[Strand]) -> str:
    """For what part of the draft it was found."""
    known = {strand.name: strand for strand in strands}
    one = next((known[name] for name in candidate.strands if name in known), None)
    if one is None:
        return ""
    why = shortened(one.why.rstrip("."), _LONGEST_WHY)
    return f"It was found for “{one.name}” ({why})." if why else f"It was found for “{one.name}”."


def _said(candidate: Candidate, yours: Sequence[str], title: str, found: Sequence[str]) -> str:
    paper = candidate.paper
    if named := _named(candidate, yours):
        return named
    if data := _data(paper.title, paper.abstract):
        return data
    shared = _shared(f"{paper.title}. {paper.abstract}", " ".join((f"{title}.", *yours)), found)
    return f"It speaks of the same: “{shared}” stands in both texts." if shared else ""


def _named(candidate: Candidate, yours: Sequence[str]) -> str:
    """By what the draft says where it names the paper's system."""
    name = own_name(candidate.paper.title, candidate.paper.abstract)
    if len(name) < 3 or name.islower():
        return ""
    said = next((s for s in yours if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", s)), "")
    if not said:
        return ""
    if _RIVAL.search(said):
        return f"Your draft holds its own answer against it: “{said}”"
    if _USE.search(said):
        return f"A method or a model that you use: “{said}”"
    return f"Your draft names it: “{said}”"


def _data(title: str, abstract: str) -> str:
    if _TITLED.search(title):
        return "By its title it offers data or a benchmark."
    said = next((s for s in split_sentences(" ".join(abstract.split()))[:3] if _OFFERS.search(s)), "")
    return f"It offers data: “{said}”" if said else ""


def _shared(theirs: str, ours: str, found: Sequence[str]) -> str:
    """The longest phrase that tells something and stands in both, the draft's first use of it; "" for none."""
    known = {phrase.key for phrase in phrases(theirs) if phrase.whole}
    told = [p for p in phrases(ours) if p.whole and p.key in known]
    told = [p for p in told if len(p.key.split()) >= _FEWEST and tells(p.key)]
    told = [
        p for p in told if sum(p.surface.lower() in text for text in found) <= max(2, _COMMON * len(found))
    ]
    return max(told, key=lambda p: len(p.key.split())).surface if told else ""


def own_name(title: str, abstract: str) -> str:
    """What a paper calls its own system: before its title's colon, or where it says that it proposes it."""
    head = re.match(r"^([\w-]{2,20}):\s", title)
    if head:
        return head[1]
    own = _OWN_NAME.search(abstract)
    return (own["first"] or own["second"]) if own else ""
