"""A paragraph's body: each paper in one sentence, in varied forms, with connectives that are true."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...types import Sentence
from .grammar import agree
from .naming import as_name, as_statement
from .openings import LONGEST_SPELLED, number
from .phrases import keys, mid_sentence, surface, tells
from .saying import Source
from .sentences import words
from .standing import Told
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
    if not paper.said:
        return _by_title(paper, used)
    said = paper.said[0]
    told = _form(said.told, used)
    text = _extended(told, paper)
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


def _form(told: Told, used: _Written) -> Told:
    """The textual form, unless two of them stand before it and another form can be had."""
    if used.forms[-1:] == ["textual"] and (other := as_name(told)):
        return other
    if used.forms[-2:] == ["textual", "textual"] and (other := as_statement(told)):
        return other
    return told


def _extended(told: Told, paper: Source) -> str:
    """A short sentence gains what the paper finds: "propose X; they find that Y."."""
    if (
        not told.textual
        or told.kind == "find"
        or len(words(told.text)) > 16
        or re.search(r"\band\b", told.text)
    ):
        return told.text
    for finding in (said.told for said in paper.said[1:]):
        if _can_follow(finding):
            verb, rest = finding.text.split(" ", 1)
            return f"{told.text.rstrip('.')} and {verb} {rest}"
    return told.text


def _can_follow(told: Told) -> bool:
    """A short finding that does not speak of "they" or of a method without a name."""
    apart = not re.search(r"\bthey\b|\btheir (?:method|approach|model|framework)", told.text)
    return told.kind == "find" and told.textual and len(words(told.text)) <= 22 and not told.lead and apart


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


def _by_title(paper: Source, used: _Written) -> Sentence:
    """Where no sentence of the paper can be told: its title, which claims no more than itself."""
    place = used.forms.count("title")
    used.forms.append("title")
    used.verbs.append("")
    used.led = False
    title = paper.title.rstrip(".")
    subject = _title_phrase(title, paper.text)
    verb, link = (("deal", "with"), ("turn", "to"), ("look", "at"))[place % 3]
    plain = f"{agree(verb, paper.several)} {link} {subject}."
    which = "related" if place == 0 else "neighbouring"
    quoted = f"{agree('take', paper.several)} up {which} questions in “{title}”."
    return _spoken(Sentence(plain if subject else quoted, (paper.evidence[0].id,), True), paper, used)


def _title_phrase(title: str, text: str) -> str:
    """A title as a noun phrase in mid-sentence; "" where it is none, or may be none."""
    title = re.sub(r"^(?:On|Towards?) (?:the )?", "", title)
    if len(title.split()) > 14 or re.search(r"[:?!“”]", title):
        return ""
    if re.search(r"\b(?:is|are|do|does|can|need|needs|improves?|helps?|makes?|via|you|your)\b", title, re.I):
        return ""
    kept = set(re.findall(r"(?<=[a-z,] )[A-Z][\w-]*", text)) - {w.capitalize() for w in text.split()}
    return " ".join(word if word in kept else mid_sentence(word) for word in title.split())
