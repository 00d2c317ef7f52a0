"""What a field takes for granted, as its papers put it before they speak of themselves: it opens a paragraph.

Told only where it stands alone, is of no time ("recently", "existing"), and can be said in other words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from .facts import Fact, of_told
from .retelling import SUBJECT
from .saying import Source
from .sentence_gate import leads_elsewhere
from .sentences import clean, is_rubble, split, words
from .standalone import NUMBERS, Told, is_dangling, is_mine, stems

_SHARED = 2  # words of weight in common with the draft's title
_FEWEST, _MOST = 8, 30  # words of such a sentence
_OF_A_TIME = re.compile(
    r"\b(?:recent\w*|nowadays|today|current\w*|emerg\w+|to date|so far|state[- ]of[- ]the[- ]art|increasing\w*|growing|existing|previous\w*"
    r"|prior|first|unprecedented|years?|decades?|new|novel|still|yet|now|past|often|typically|most|however|but|remarkabl\w+|promising|impressive|popular\w*|great|success\w*)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:is|are|can|plays?|aims?|requires?|allows?|enables?|suffers?|rel(?:y|ies)|provides?|depends?|consists?|involves?|describes?|helps?|needs?|serves?|seeks?)\b"
)
_LEANS = re.compile(
    r"^(?:and|but|so|thus|hence|then|here|it|its|they|their|these|this|such|both|one|another|other|for example"
    r"|for instance|moreover|furthermore|in addition|therefore|consequently|while|although|as|to|by|with|in|since|given|when|if|despite|unlike|there)\b",
    re.IGNORECASE,
)


def background(papers: Sequence[Source], phrase: str, title: str, known: str) -> Fact | None:
    """What one of the papers says of `phrase` or of the draft's subject in general, which of the papers' sentences needs the
    least of other words and says most of what they are titled; None where none can be told. `known`: what the
    reader has read."""
    titles = stems(" ".join(paper.title for paper in papers))
    found = []
    for place, paper in enumerate(papers):
        for sentence in _general(paper, phrase, title):
            fact = _told(sentence, paper, known)
            if fact:
                found.append((len(stems(fact.text) & titles) - 0.1 * fact.words(), -place, fact))
    return max(found, key=lambda one: one[:2])[2] if found else None


def _general(paper: Source, phrase: str, draft_title: str) -> list[str]:
    """The sentences before the first in which the authors speak of their work, that speak of the phrase
    or of what the draft's title names."""
    wanted, made = stems(phrase) or set(phrase.lower().split()), []
    subject = stems(draft_title)
    for sentence in split(paper.text):
        if SUBJECT.search(sentence) or is_mine(sentence):
            break
        if (
            ((wanted and wanted <= stems(sentence)) or len(subject & stems(sentence)) >= _SHARED)
            and _FEWEST <= len(words(sentence)) <= _MOST
            and sentence.endswith(".")
            and _HOLDS.search(sentence)
            and not (_OF_A_TIME.search(sentence) or _LEANS.match(sentence) or NUMBERS.search(sentence))
            and not (is_rubble(sentence) or is_dangling(f" {sentence}") or leads_elsewhere(sentence))
        ):
            made.append(sentence)
    return made


def _told(sentence: str, paper: Source, known: str) -> Fact | None:
    where = next((e for e in paper.evidence if sentence in clean(e.passage.text)), None)
    if where is None:
        return None
    told = Told(sentence, False, "statement", sentence)
    fact = of_told(told, clean(where.passage.text), known, where.id, paper.several, paper.title)
    return replace(fact, kind="statement") if fact and not fact.quoted else None
