"""A paragraph's body: each paper by what it does, several in one sentence where they say it in one form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....types import Sentence
from .facts import Fact, besides
from .grammar import upper_first
from .joining import fit, joined, kind_of
from .saying import Source
from .standalone import stems


@dataclass
class Used:
    """What the section has used so far."""

    unnamed: int = 0  # papers without authors so far
    joined: int = 0  # sentences of several papers so far
    opened: int = 0  # paragraphs that begin with their phrase


def paragraph_sentences(
    papers: Sequence[Source], used: Used, theme: str = "", in_time: bool = True
) -> list[Sentence]:
    """What is told of a paragraph's papers, of which `theme` says what they share anyhow. `in_time`: they are on one
    thing, so that the text may say which is the later.

    The first paper by itself, so that "others" are others than one that was named; those of which no more than a
    title is told come last."""
    said: list[Sentence] = []
    left = [paper for paper in papers if paper.first]
    left.sort(key=lambda paper: bool(paper.first and paper.first.kind == "title" and paper.first.textual))
    year, turns, before = 0, 0, frozenset[str]()
    while left:
        paper = left.pop(0)
        assert paper.first is not None
        group = _of_one_form(paper, left, first=not said)
        if len(group) > 1:
            left = [one for one in left if one not in group]
            said.append(joined([one.first for one in group if one.first], used.joined))
            used.joined += kind_of(paper.first) not in ("named", "deals")
            continue
        own = _of_paper(paper, used)
        says = frozenset(stems(own[0].text)) - _OF_ALL - stems(theme)
        if len(says & before) >= _ALIKE:
            own[0] = _turned(own[0], "Similarly")
        elif in_time and year and paper.year and paper.year - year >= _LATER and turns < len(_TURNS):
            own[0], turns = _turned(own[0], _TURNS[turns]), turns + 1
        year, before = max(year, paper.year or 0), says
        said += own
    return said


_LATER = 2  # years between two papers from which the text says that time has passed
_TURNS = ("Later", "More recently")
_ALIKE = 4  # words of weight that two statements share, beside the theme's, which are alike then
_OF_ALL = frozenset(
    "propo intro prese metho appro model frame syste algor train learn based using netwo study which inves their large langu data datas explo anoth paper show shows that furth find finds".split()
)


def _turned(sentence: Sentence, turn: str) -> Sentence:
    """ "Later, Ash et al. propose …", "Later, One paper …"."""
    if sentence.lead:
        return sentence
    if sentence.textual:
        return replace(sentence, lead=f"{turn},")
    if re.match(r"(?:One|Another|A further) paper ", sentence.text):
        return replace(sentence, text=f"{turn}, {sentence.text[0].lower()}{sentence.text[1:]}")
    return sentence


def _of_one_form(paper: Source, others: Sequence[Source], first: bool) -> list[Source]:
    """The paper with those behind it whose statements have the form of its own, as many as fit."""
    assert paper.first is not None
    kind, group = kind_of(paper.first), [paper]
    if not kind or (first and kind not in ("named", "deals") and paper.authored):
        return group
    for other in others:
        if (
            other.first
            and kind_of(other.first) == kind
            and fit([*(one.first for one in group if one.first), other.first])
        ):
            group.append(other)
    return group


def _of_paper(paper: Source, used: Used) -> list[Sentence]:
    """What it does, and one thing more: a title and a name alone tell nobody why it is there."""
    first = paper.first
    assert first is not None
    more = [f for f in besides(paper.facts, first) if not (f.quoted and first.quoted)]
    told = [first, *(more if paper.authored else [])][:_EACH]
    first, *further = sorted(told, key=lambda fact: fact.kind == "find")  # what it is, then what came of it
    if further and (whole := _as_one(first, further[0])):
        first, further = whole, []
    return [_spoken(_sentence(first), paper, used), *(_again(fact, paper, first) for fact in further)]


def _as_one(first: Fact, result: Fact) -> Fact | None:
    """ "propose a planner of drafts, and show that …": what they did and what came of it, where both are plain."""
    plain = first.textual and result.textual and first.evidence == result.evidence
    if not plain or first.quoted or result.quoted or result.kind != "find" or first.kind == "find":
        return None
    if first.words() + result.words() > _ONE or re.search(r"[;:]|, and |, which |, where ", first.text):
        return None
    return replace(first, text=f"{first.text.rstrip('.')}, and {result.text}")


_ONE = 34  # words of a sentence of two facts
_EACH = 2  # sentences on one paper at most


def _sentence(fact: Fact) -> Sentence:
    return Sentence(fact.text, (fact.evidence,), fact.textual, fact.lead)


def _again(fact: Fact, paper: Source, first: Fact) -> Sentence:
    """A further fact behind the first: "They", where the authors were its subject."""
    if not fact.textual:
        return _sentence(fact)
    if not first.textual:
        return Sentence(f"{'Its authors' if paper.several else 'Its author'} {fact.text}", (fact.evidence,))
    return Sentence(f"{'They' if paper.several else 'The author'} {fact.text}", (fact.evidence,))


def _spoken(sentence: Sentence, paper: Source, used: Used) -> Sentence:
    """With words for a subject where no author is known whose name could be it."""
    if paper.authored or not sentence.textual:
        return sentence
    subject = ("One", "Another", "A further")[0 if not used.unnamed else 2 - used.unnamed % 2] + " paper"
    used.unnamed += 1
    start = f"{sentence.lead} {subject[0].lower()}{subject[1:]}" if sentence.lead else upper_first(subject)
    return Sentence(f"{start} {sentence.text}", sentence.evidence)
