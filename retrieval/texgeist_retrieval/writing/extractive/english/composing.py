"""A paragraph's body: each paper by what it does, several in one sentence where they say it in one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ....types import Sentence
from .facts import Fact, besides
from .grammar import upper_first
from .joining import fit, joined, kind_of
from .saying import Source


@dataclass
class Used:
    """What the section has used so far."""

    unnamed: int = 0  # papers without authors so far
    joined: int = 0  # sentences of several papers so far


def paragraph_sentences(papers: Sequence[Source], used: Used) -> list[Sentence]:
    """The first paper by itself, so that "others" are others than one that was named."""
    said: list[Sentence] = []
    left = [paper for paper in papers if paper.first]
    while left:
        paper = left.pop(0)
        assert paper.first is not None
        group = _of_one_form(paper, left, first=not said)
        if len(group) > 1:
            left = [one for one in left if one not in group]
            said.append(joined([one.first for one in group if one.first], used.joined))
            used.joined += kind_of(paper.first) not in ("named", "deals")
        else:
            said += _of_paper(paper, used)
    return said


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
    told = [first, *(besides(paper.facts, first) if paper.authored else [])][:_EACH]
    first, *more = sorted(told, key=lambda fact: fact.kind == "find")  # what it is, then what came of it
    return [_spoken(_sentence(first), paper, used), *(_again(fact, paper, first) for fact in more)]


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
