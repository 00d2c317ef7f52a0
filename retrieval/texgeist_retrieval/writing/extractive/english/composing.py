"""A paragraph's body: each paper by what it does, the closest also by its problem, its means and its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....types import Sentence
from .facts import Fact, besides
from .grammar import upper_first
from .saying import Source
from .sentences import words

_LEADING = 44  # words of a sentence with the problem before it


@dataclass
class Used:
    """What the section has used so far."""

    wanted: str = ""  # the draft's words: of two facts the one is told that speaks of them
    unnamed: int = 0  # papers without authors so far
    noted: int = 0  # problems that stood before a sentence


def paragraph_sentences(papers: Sequence[Source], used: Used) -> list[Sentence]:
    return [sentence for paper in papers if paper.first for sentence in _of_paper(paper, used)]


def _of_paper(paper: Source, used: Used) -> list[Sentence]:
    first = paper.first
    assert first is not None
    sentence = _spoken(_sentence(first), paper, used)
    if not paper.authored:
        return [sentence]
    problem, means, result = besides(paper.facts, first, used.wanted)
    if first.kind not in ("offer", "name"):
        means = None  # "The framework": which?
    if not paper.close:
        return [sentence, *(_again(f, paper, first) for f in (means or result,) if f and first.words() < 12)]
    said = [sentence]
    if problem and first.textual and not first.lead:
        lead = f"Noting {problem.text.removeprefix('notes ').removeprefix('note ').rstrip('.')},"
        if len(words(f"{lead} {sentence.text}")) <= _LEADING and used.noted < _NOTED:
            said = [replace(sentence, lead=lead, evidence=_both(sentence, problem))]
            used.noted += 1
    return [*said, *(_again(f, paper, first) for f in (result, means) if f)][:_EACH]


_EACH = 2  # sentences on one paper at most
_NOTED = 1  # sentences of this form in a section


def _both(sentence: Sentence, fact: Fact) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*sentence.evidence, fact.evidence)))


def _sentence(fact: Fact) -> Sentence:
    return Sentence(fact.text, (fact.evidence,), fact.textual, fact.lead)


def _again(fact: Fact, paper: Source, first: Fact) -> Sentence:
    """A further fact behind the first: "They", where the authors were its subject."""
    if not fact.textual or not first.textual:
        return _sentence(fact)
    return Sentence(f"{'They' if paper.several else 'The author'} {fact.text}", (fact.evidence,))


def _spoken(sentence: Sentence, paper: Source, used: Used) -> Sentence:
    """With words for a subject where no author is known whose name could be it."""
    if paper.authored or not sentence.textual:
        return sentence
    subject = ("One", "Another", "A further")[0 if not used.unnamed else 2 - used.unnamed % 2] + " paper"
    used.unnamed += 1
    start = f"{sentence.lead} {subject[0].lower()}{subject[1:]}" if sentence.lead else upper_first(subject)
    return Sentence(f"{start} {sentence.text}", sentence.evidence)
