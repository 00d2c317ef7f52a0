"""Says how a paper relates to a draft, if one of the two texts states it. The relation is never guessed from
similarities."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..text.keyphrases import phrases, tells
from ..text.sentences import split_sentences
from ..text.words import shortened
from ..types import Candidate, Strand

_DATA = r"(?:data ?sets?|corpus|corpora|benchmarks?|test collections?|test suites?)"
# Words between an article and its noun. Data after "on", "with" or "trained" belong to another paper.
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
    if named := _named(candidate, yours):
        return named
    if data := _data(paper.title, paper.abstract):
        return data
    shared = _shared(f"{paper.title}. {paper.abstract}", " ".join((f"{title}.", *yours)), found)
    return f"Your draft and this paper both use the phrase “{shared}”." if shared else ""


def _named(candidate: Candidate, yours: Sequence[str]) -> str:
    """A sentence that quotes the first sentence of the draft that names the paper's system; "" if there is
    none."""
    name = own_name(candidate.paper.title, candidate.paper.abstract)
    if len(name) < 3 or name.islower():
        return ""
    said = next((s for s in yours if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", s)), "")
    if not said:
        return ""
    if _RIVAL.search(said):
        return f"This sentence of your draft makes a comparison and names this paper's system: “{said}”"
    if _USE.search(said):
        return f"Your draft uses a method or model of this paper: “{said}”"
    return f"Your draft mentions this paper's system: “{said}”"


def _data(title: str, abstract: str) -> str:
    if _TITLED.search(title):
        return "According to its title, this paper provides data or a benchmark."
    said = next((s for s in split_sentences(" ".join(abstract.split()))[:3] if _OFFERS.search(s)), "")
    return f"This paper provides data: “{said}”" if said else ""


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


def own_name(title: str, abstract: str) -> str:
    """The name of a paper's system: before the colon of its title, or in "we propose NAME" of its
    abstract."""
    head = re.match(r"^([\w-]{2,20}):\s", title)
    if head:
        return head[1]
    own = _OWN_NAME.search(abstract)
    return (own["first"] or own["second"]) if own else ""
