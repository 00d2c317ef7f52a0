"""A paragraph's body: each paper in one sentence, in varied forms, with connectives that are true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ....types import Sentence
from .keyphrases import keys, surface, tells
from .naming import as_name
from .openings import LONGEST_SPELLED, number
from .saying import Said, Source, final
from .standalone import Told
from .subjects import Theme


@dataclass
class _Written:
    """What the paragraph has used so far."""

    forms: list[str] = field(default_factory=list)
    verbs: list[str] = field(default_factory=list)
    leads: set[str] = field(default_factory=set)
    unnamed: int = 0  # papers without authors so far
    elsewhere: frozenset[str] = frozenset()  # leads of the paragraphs before
    led: bool = False  # the last sentence had a lead


def paragraph_sentences(
    papers: Sequence[Source], nearness: Sequence[float], theme: Theme, leads: set[str]
) -> list[Sentence]:
    """One sentence a paper, oldest first where the years are known, else nearest to the draft first.
    `leads` are the connectives that the section has used, and is added to."""
    order = sorted(range(len(papers)), key=lambda i: -nearness[i])
    if all(p.year for p in papers):
        order.sort(key=lambda i: papers[i].year or 0)
    used, sentences = _Written(elsewhere=frozenset(leads)), []
    for place, i in enumerate(order):
        before = papers[order[place - 1]] if place else None
        last = place == len(order) - 1
        sentences.append(_sentence(papers[i], before, last, used, theme))
    leads |= used.leads
    return sentences


def _sentence(paper: Source, before: Source | None, last: bool, used: _Written, theme: Theme) -> Sentence:
    said = paper.said[0]
    told, text = _form(said, paper.several, used)
    lead = told.lead if told.textual else ""
    if told.textual and not lead and not used.led and before:
        lead = _connective(paper, before, last, used, theme)
    if told.textual and not lead and used.verbs[-1:] == [told.verb]:
        text = _also(text, used)
    used.forms.append("textual" if told.textual else told.kind)
    used.verbs.append(told.verb if told.textual else "")
    used.leads.add(lead)
    used.led = bool(lead)
    return _spoken(Sentence(text, (said.evidence,), told.textual, lead), paper, used)


def _spoken(sentence: Sentence, paper: Source, used: _Written) -> Sentence:
    """With words for a subject where no author is known whose name could be it."""
    if paper.authored or not sentence.textual:
        return sentence
    subject = ("One", "Another", "A further")[0 if not used.unnamed else 2 - used.unnamed % 2] + " paper"
    used.unnamed += 1
    start = f"{sentence.lead} {subject[0].lower()}{subject[1:]}" if sentence.lead else subject
    return Sentence(f"{start} {sentence.text}", sentence.evidence)


def _form(said: Said, several: bool, used: _Written) -> tuple[Told, str]:
    """With its final text: the textual form, unless one stands before it and the method's name can be the
    subject ("TILDE is …")."""
    other = as_name(said.told) if used.forms[-1:] == ["textual"] else None
    if other and (text := final(other, said.passage, several)):
        return other, text
    return said.told, final(said.told, said.passage, several)


def _also(text: str, used: _Written) -> str:
    if used.verbs[-2:-1] == used.verbs[-1:]:
        return text
    return f"also {text}"


def _connective(paper: Source, before: Source, last: bool, used: _Written, theme: Theme) -> str:
    """Words that are true of the two papers: a subject that both name, or the years between them."""
    options = [*_by_subject(paper, before, theme), *_by_year(paper, before, last)]
    kinds = {lead.split()[0] for lead in used.leads if lead}
    dated = any(lead.endswith("later,") for lead in used.leads)
    free = (o for o in options if o.split()[0] not in kinds and not (dated and "later" in o))
    return next((o for o in free if o not in used.elsewhere), "")


def _by_year(paper: Source, before: Source, last: bool) -> list[str]:
    gap = (paper.year or 0) - (before.year or 0) if paper.year and before.year else 0
    if gap <= 0:
        return []
    if last and gap <= 4:
        return ["More recently,"]
    if gap > LONGEST_SPELLED:
        return ["Much later,"]
    return [f"{number(gap).capitalize()} years later,"] if gap > 1 else []


def _by_subject(paper: Source, before: Source, theme: Theme) -> list[str]:
    """A phrase that both papers name, that is not the paragraph's theme nor in the sentence itself."""
    sentence, common = (
        keys(paper.said[0].told.text),
        keys(paper.title) & keys(f"{before.title}. {before.text}"),
    )
    known = keys(". ".join(theme.phrases))
    found = [
        k
        for k in common - sentence - known
        if len(k.split()) > 1 and tells(k) and k not in " ".join(sentence)
    ]
    return [f"Also on {surface(k, paper.title)}," for k in sorted(found, key=lambda k: (-len(k), k))[:1]]
