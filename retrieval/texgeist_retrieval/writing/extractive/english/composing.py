"""A paragraph's body: each paper once, in varied sentences, and papers of one kind in one sentence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ....types import Clause, Sentence
from .further import Fact, best
from .saying import Source
from .sentences import words
from .tellings import SAME, Telling, with_verb

_LONGEST = 38  # words of a sentence on several papers
_LISTED = 3  # papers in one list at most


@dataclass
class Used:
    """What the section has used so far, so that it does not sound like a form that was filled in."""

    shapes: list[str] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    lists: int = 0
    wanted: str = ""  # the draft's words: of two facts the one is told that speaks of them
    unnamed: int = 0  # papers without authors so far


def paragraph_sentences(papers: Sequence[Source], used: Used) -> list[Sentence]:
    """Every paper in a sentence, the oldest first where the years are known."""
    papers = list(papers)
    if all(p.year for p in papers):
        papers.sort(key=lambda p: p.year or 0)
    told = [(paper, _chosen(paper, used)) for paper in papers]
    single = [(p, t) for p, t in told if t.shape != "topic"]
    offers, aims = _gathered(single, "offers"), _gathered(single, "does")
    single = [pair for pair in single if pair not in offers and pair not in aims]
    topics = [(p, t) for p, t in told if t.shape == "topic"]
    groups = _singles(single, used)
    lists = [*_lists(offers, used, _OFFERED), *_lists(aims, used, _AIMED), *_lists(topics, used, _TREATED)]
    if len(groups) > 2 and len(lists) > 1:  # a list in the middle, a list at the end
        groups.insert(len(groups) // 2, [lists.pop(0)])
    return [*(sentence for group in groups for sentence in group), *lists]


def _gathered(told: Sequence[tuple[Source, Telling]], shape: str) -> list[tuple[Source, Telling]]:
    """Those of one shape of which only the title is told, where they are several."""
    found = [pair for pair in told if pair[1].listed and pair[1].shape == shape and "," not in pair[1].listed]
    return found if len(found) > 1 else []


def _chosen(paper: Source, used: Used) -> Telling:
    """The first telling whose shape and verb the last sentences do not have, else the first."""
    free = [t for t in paper.tellings if t.shape not in used.shapes[-1:]] or list(paper.tellings)
    fact = _second(paper, used)
    if (
        fact and fact.subject == "they" and paper.tellings[0].shape != "topic"
    ):  # "they" needs its authors before it
        free = [t for t in paper.tellings if t.textual and t.shape != "topic"] or free
    if not paper.authored:
        free = [t for t in paper.tellings if not t.textual] or free
    telling = free[0]
    if telling.shape != "topic":
        used.shapes.append(telling.shape)
    same = SAME.get(telling.verb, ())
    if " how " in f" {telling.text} ".split(" that ")[0]:
        same = ()  # one can show how, and cannot find how
    if telling.textual and same and telling.shape != "topic":
        fewest = min(same, key=lambda v: (used.verbs[-6:].count(v), v != telling.verb))
        telling = with_verb(telling, fewest, paper.several)
        used.verbs.append(fewest)
    return telling


def _singles(told: Sequence[tuple[Source, Telling]], used: Used) -> list[list[Sentence]]:
    """What is told of each paper, or of two in one sentence."""
    sentences: list[list[Sentence]] = []
    skip = False
    for place, (paper, telling) in enumerate(told):
        if skip:
            skip = False
            continue
        after = told[place + 1] if place + 1 < len(told) else None
        if after and not (paper.close or after[0].close) and (joint := _joint((paper, telling), after)):
            sentences.append([joint])
            skip = True
            continue
        sentences.append(_with_fact(_alone(paper, telling, used), paper, used))
    return sentences


def _second(paper: Source, used: Used) -> Fact | None:
    """The second fact of a paper that is close to the draft."""
    facts = [f for f in paper.facts if f.subject != "they" or paper.authored]
    return best(facts, used.wanted) if paper.close else None


def _with_fact(sentence: Sentence, paper: Source, used: Used) -> list[Sentence]:
    """With the second fact: in the same sentence where both are short."""
    fact = _second(paper, used)
    if not fact or (fact.subject == "they" and not sentence.textual):
        return [sentence]
    joint = f"{sentence.text.rstrip('.')} and {fact.text}"
    if (
        fact.finds
        and sentence.textual
        and " and " not in sentence.text
        and not _CLAUSE.search(sentence.text)
        and (len(words(f"{sentence.lead} {joint}")) <= _JOINT)
    ):
        return [replace(sentence, text=joint)]
    return [sentence, Sentence(fact.sentence(paper.several), sentence.evidence)]


_CLAUSE = re.compile(r"\b(?:that|which|whether|how)\b")
_JOINT = 32  # words of a sentence with two facts


def topics_of(papers: Sequence[Source]) -> list[Source]:
    """Those of which no more than the topic of their title is told."""
    return [
        p
        for p in papers
        if p.tellings[0].shape == "topic" and p.tellings[0].listed and "," not in p.tellings[0].listed
    ]


def listed(head: str, items: Sequence[tuple[str, str]]) -> Sentence:
    """ "Research on T covers A [1], B [2] and C [3].": (text, evidence id) of each."""
    texts = (
        [f"{text}," for text, _ in items[:-2]] + [text for text, _ in items[-2:-1]] + [f"and {items[-1][0]}."]
    )
    texts[0] = f"{head} {texts[0]}"
    return _of([Clause(text, (id,)) for text, (_, id) in zip(texts, items, strict=True)])


def _joint(one: tuple[Source, Telling], other: tuple[Source, Telling]) -> Sentence | None:
    """ "DeepJoin is a model for X [1], while PEXESO is a framework for Y [2]."."""
    a, b = one[1], other[1]
    if a.shape != "is" or b.shape != "is" or a.words() + b.words() > _LONGEST or ", " in a.text + b.text:
        return None
    parts = (Clause(f"{a.text.rstrip('.')},", (a.evidence,)), Clause(f"while {b.text}", (b.evidence,)))
    return _of(parts)


def _of(parts: Sequence[Clause], textual: bool = False, lead: str = "") -> Sentence:
    evidence = tuple(dict.fromkeys(id for part in parts for id in part.evidence))
    return Sentence(" ".join(part.text for part in parts), evidence, textual, lead, tuple(parts))


def _alone(paper: Source, telling: Telling, used: Used) -> Sentence:
    return _spoken(Sentence(telling.text, (telling.evidence,), telling.textual, telling.lead), paper, used)


_AIMED = ("Others aim at", "Further papers aim at")
_OFFERED = ("Proposals include", "Proposals also include")
_TREATED = (
    "Related papers study",
    "Further topics are",
    "Also studied are",
    "Other papers deal with",
    "Others treat",
)


def _lists(topics: Sequence[tuple[Source, Telling]], used: Used, heads: Sequence[str]) -> list[Sentence]:
    """Papers of which only the subject is told: one by its authors, several in a list of subjects."""
    made: list[Sentence] = []
    rest = list(topics)
    while rest:
        size = _LISTED if len(rest) != _LISTED + 1 else 2
        group, rest = rest[:size], rest[size:]
        if len(group) == 1 or any(t.verb == "survey" for _, t in group):
            made += [_alone(paper, telling, used) for paper, telling in group]
            continue
        head = heads[used.lists % len(heads)]
        used.lists += 1
        parts = [t.listed for _, t in group]
        texts = [f"{head} {parts[0]}", *parts[1:-1], f"and {parts[-1]}."]
        if len(group) > 2:
            texts = [f"{text}," for text in texts[:-1]] + texts[-1:]
        made.append(_of([Clause(text, (t.evidence,)) for text, (_, t) in zip(texts, group, strict=True)]))
    return made


def _spoken(sentence: Sentence, paper: Source, used: Used) -> Sentence:
    """With words for a subject where no author is known whose name could be it."""
    if paper.authored or not sentence.textual:
        return sentence
    subject = ("One", "Another", "A further")[0 if not used.unnamed else 2 - used.unnamed % 2] + " paper"
    used.unnamed += 1
    start = f"{sentence.lead} {subject[0].lower()}{subject[1:]}" if sentence.lead else subject
    return Sentence(f"{start} {sentence.text}", sentence.evidence)
