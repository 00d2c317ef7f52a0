"""Makes sentences that quote a paper and name its authors, so that readers do not think that "we" in the
quotation means the authors of the draft.

The words in quotation marks are copied exactly; only the paper's verb and the citation are outside them."""

from __future__ import annotations

import re
from dataclasses import replace

from ...types import Sentence

PAPER = r"(?:paper|work|study|article|survey|thesis)"
OWN = re.compile(rf"\b(?:we|our|ours|us|the authors|this (?:\w+ )?{PAPER})\b", re.IGNORECASE)
_IN_THIS_PAPER = re.compile(rf"^(?:In this (?:\w+ )?{PAPER},? |Here,? )")
_REPORT = re.compile(
    rf"(?:(?P<lead>[^;]+?), )??(?i:(?:we|the authors)|this (?P<noun>{PAPER})) "
    r"(?:(?:also|first|then|further|thus|therefore|here|now) )*"
    r"(?P<verb>(?!(?:not|in|as|for|by|with|both|all|only|who)\b)(?:(?:have|has|can) )?[a-z]+(?:(?<=ly) [a-z]+)?"
    r"(?: and [a-z]+)?(?: that| to| on)?) "
    r"(?P<rest>[^\W_].*)"
)
_FEWEST = 3  # least number of words after the verb
_POINTS = re.compile(
    r"\b(?:this|th[eo]se|such(?! as)|its?|they|them|their|both|the (?:two|above))\b", re.IGNORECASE
)
_DISPENSABLE = re.compile(  # beginnings of a sentence that can be left out without changing the rest
    r"(?:to|in order to|motivated by|inspired by|following|based on|building on|hence|thus|therefore"
    r"|in (?:contrast|addition|particular)|finally|specifically)\b",
    re.IGNORECASE,
)


EARLIER = re.compile(
    r"in (?:\w+ )?(?:prior|previous|earlier|past|other) (?:\w+ )?(?:works?|papers?|stud(?:y|ies)|research)\b",
    re.IGNORECASE,
)


def is_report(text: str) -> bool:
    """Whether the sentence reports what its authors did and can be quoted after their names."""
    return _parts(text) is not None


def description(text: str, evidence: str, authors: int) -> Sentence:
    """The same as `quotation`, but without quotation marks, for text that the authors of the paper did not
    write."""
    made = quotation(text, evidence, authors)
    if made.textual and made.text.startswith("write"):  # the authors did not write this text
        return Sentence(text, (evidence,))
    bare = {ord(mark): None for mark in "“”"}
    return replace(made, text=made.text.translate(bare), lead=made.lead.translate(bare))


def quotation(text: str, evidence: str, authors: int) -> Sentence:
    """A sentence that quotes `text`, a whole sentence of a paper. If `text` is in the first person or about
    "this paper", the citation becomes the subject; otherwise all of `text` is in quotation marks. `authors`:
    the number of authors, 0 if unknown."""
    text = text.removesuffix(".")
    parts = _parts(text)
    if parts and (authors > 1 or bool(authors) == parts[0].endswith(" by")):
        lead, verb, rest = parts
        return Sentence(f"{verb} “{rest}”.", (evidence,), textual=True, lead=lead)
    if OWN.search(text):
        return Sentence(f"{'writes' if authors == 1 else 'write'}: “{text}”.", (evidence,), textual=True)
    return Sentence(f"“{text}”.", (evidence,))


def _parts(text: str) -> tuple[str, str, str] | None:
    """The words before the authors' names, the verb, and the rest; None if the sentence has another form. A
    dispensable beginning is left out."""
    found = _REPORT.fullmatch(_IN_THIS_PAPER.sub("", text.removesuffix(".")))
    if not found or len(found["rest"].split()) < _FEWEST:
        return None
    if OWN.search(found["rest"]) or _POINTS.match(found["rest"]):  # "compare it with experts"
        return None
    if found["lead"] and not _DISPENSABLE.match(found["lead"]):
        return None
    return f"The {found['noun']} by" if found["noun"] else "", found["verb"], found["rest"]
