"""Sentences whose subject is not the authors but what they made, and statements of what they found.

"TILDE ranks passages by …" and "Polysemous codes are …" stand as they are, cited in parentheses."""

from __future__ import annotations

import re
from dataclasses import replace

from .grammar import article, upper_first, without_praise
from .retelling import CONNECTIVE, SUBJECT
from .sentences import is_rubble, words
from .standalone import EMPTY, NUMBERS, Told, fits, is_dangling


def of_name(sentence: str, title: str) -> Told | None:
    """ "TILDE ranks passages by …": a sentence on the system that the title names, as it stands."""
    names = title_names(title)
    match = re.match(r"^(?:The )?((?:[\w-]+ ){1,4}?)(is|are|was|[a-z]+s) ", sentence)
    if not match or is_rubble(sentence) or NUMBERS.search(sentence) or match[1].strip() not in names:
        return None
    text = without_praise(sentence)
    if (
        match[2] in ("outperforms", "achieves", "improves", "surpasses", "obtains")
        or is_dangling(text)
        or not fits(text)
    ):
        return None
    return Told(text, False, "name", sentence)


_OFFERS = r"(?:propose|introduce|present|develop|design|describe|build|release|create|devise)s?"
_NAME = r"(?:[A-Z]*[a-z]+[A-Z][\w-]*|[A-Z]{2,}[\w-]*|[A-Z][a-z]+\d[\w-]*|[A-Z][\w-]*-[A-Z][\w-]*)"
_NAMED_FIRST = re.compile(
    rf"^{_OFFERS} (?:the )?(?:[\w-]+(?: [\w-]+){{0,7}} \()?(?P<name>{_NAME})\)?(?:,| –|:)? (?P<what>(?:an?|the first) .+)$"
)
_NAMED_BEHIND = re.compile(
    rf"^{_OFFERS} (?P<what>an? [^,]+?),? (?:called|named|dubbed|termed|namely)(?: as)? (?:[\w-]+(?: [\w-]+){{0,7}} \()?(?P<name>{_NAME})\)?"
    r"(?P<more>,? (?:that|which|for|to|based|with|by|using) .+)?\.$"
)


def as_name(told: Told) -> Told | None:
    """ "propose PlanTree, a planner of drafts." -> "PlanTree is a planner of drafts."."""
    if told.kind != "offer" or not told.textual or told.lead:
        return None
    if match := _NAMED_FIRST.match(told.text):
        text = f"{match['name']} is {match['what']}"
    elif match := _NAMED_BEHIND.match(told.text):
        text = f"{match['name']} is {match['what']}{(match['more'] or '').removeprefix(',')}."
    else:
        return None
    if re.search(r"\b(?:they|their|them)\b", text):
        return None  # the authors, who are its subject no more
    text = re.sub(r" is the first (?=(\S+))", lambda m: f" is {article(m[1])} ", text, count=1)
    return replace(told, text=re.sub(r"(?<=[a-z]) – ", ", ", text), textual=False, kind="name")


def title_names(title: str) -> frozenset[str]:
    """Names that a title gives its system: what stands before a colon, and words in mixed case."""
    head = re.match(r"^([^:?!]{2,40}):", title)
    names = {head[1].strip()} if head and len(head[1].split()) <= 4 else set()
    mixed = re.findall(
        r"\b(?:[A-Z]+[a-z]+[A-Z]\w*|[A-Z][a-z]*\d\w*|[A-Z]{3,}[a-z]\w*|[a-z]+[A-Z]\w*)\b", title
    )
    return frozenset(names | set(mixed))


def of_subject(sentence: str, title: str) -> Told | None:
    """A statement whose subject the title names, as it stands: "Polysemous codes are …". A name in mixed
    case, which only systems have, may be the subject too: "HyDE retrieves …"."""
    known = {w.rstrip("s") for w in words(title.lower())}
    tokens = re.sub(r"^(?:The|An?) ", "", sentence).split()
    count = next((i for i, t in enumerate(tokens) if t.lower().rstrip("s") not in known), len(tokens))
    if re.match(rf"^[A-Z][\w-]+ is an? (?:[\w-]+ ){{0,4}}{ARTEFACT}\b", sentence):
        count = max(count, 1)
        tokens[0] = f"{tokens[0]}X1"  # a name that is defined here
    named = bool(re.fullmatch(r"\w*(?:[a-z]\w*[A-Z]|[A-Z]{2}|[A-Z]\w*\d)\w*", tokens[0])) if tokens else False
    verb = tokens[max(count, 1)] if len(tokens) > max(count, 1) and (count >= 2 or named) else ""
    if not re.fullmatch(r"is|are|[a-z-]{3,}s?", verb) or verb in _NO_SUBJECT_VERB or is_rubble(sentence):
        return None
    start = " ".join(sentence.split()[:9])
    if NUMBERS.search(sentence) or _BACKGROUND.search(start) or is_dangling(sentence) or not fits(sentence):
        return None
    return Told(without_praise(sentence), False, "statement", sentence)


ARTEFACT = (
    r"(?:dataset|system|model|benchmark|tool|agent|toolkit|framework|corpus|method|retriever"
    r"|metric|library|platform|algorithm|assistant|suite)"
)


_NO_SUBJECT_VERB = frozenset(
    "and or in on of for from with by at to that which who has have was were can may will via using as "
    "not the a".split()
)


_BACKGROUND = re.compile(
    r"\b(?:defined as|refers? to|the task of|aims? (?:to|at)|recent(?:ly)?|increasing(?:ly)?|important|critical|vital|central|key|fundamental|challeng\w+|crucial|essential|however"
    r"|despite|although|while|popular|success\w*|often"
    r"|typically|widely|usually|has been|have been|remains?|still|existing|previous|prior|traditional"
    r"|conventional|most|many|current|achieves?|outperforms?|suffers?)\b",
    re.I,
)


def of_statement(sentence: str) -> Told | None:
    """A sentence that speaks of no one and leans on no other, as it stands."""
    if (
        is_rubble(sentence)
        or NUMBERS.search(sentence)
        or _BACKGROUND.search(sentence)
        or EMPTY.search(sentence)
    ):
        return None
    if is_dangling(sentence) or SUBJECT.search(sentence) or not fits(sentence) or sentence[-1:] != ".":
        return None
    return Told(without_praise(upper_first(CONNECTIVE.sub("", sentence))), False, "statement", sentence)
