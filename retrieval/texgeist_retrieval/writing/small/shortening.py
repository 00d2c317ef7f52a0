"""The places where a small model may end a quotation, and the request to choose one.

The model chooses from a closed list and writes no word of the section. A model of 1.5 B parameters that wrote its
own sentences lost words within phrases ("low sensitivity to background radiation" became "low sensitivity
detectors"), and no check noticed it. Asked for the part to keep, it copied to the last place allowed; asked for the
first words to leave out, it chose an end."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...models.structured_call import Prompt, Schema, object_of
from ...text.words import STOP_WORDS
from ...types import Sentence
from ..extractive.quotations import AND_VERB, DOING, MAKING, OWN, POINTS, clause_ends, masked, singular_of

UNMARKED = 7  # greatest number of a paper's words in a row without quotation marks
_FEWEST, _LEAST, _MOST = 7, 5, 18  # words that are kept; `_LEAST` if no phrase ends later
_TAIL = 4  # first words of the part to leave out, which name it
_NOTHING = "nothing"
_TOKENS = 60  # of an answer
_CLAUSE = re.compile(  # in a part with these words, or with a preposition, what follows may restrict a claim
    r"\b(?:that|which|where|when|while|how|whether|what|why|if|because|all|any|every|no)\b", re.IGNORECASE
)
_RESTRICTED = re.compile(
    rf"{_CLAUSE.pattern}|\b(?:and|of|in|on|for|to|by|with|within|from|at|over|under|between)\b", re.IGNORECASE
)
_OTHER_PART = re.compile(
    r" (?=(?P<means>using|via|by \w+ing)\b|(?P<place>in)\b(?! (?:which|this|these)\b)|(?:that|which)\b)"
)
_ADDED = re.compile(r"(?:which|using|via|by|(?!assuming)[a-z]{2,}ing)\b")  # follow a comma
_NO_END = re.compile(r"(?:[,;]|ed|ing|[,–] an?(?: \S+){1,2}|\bas an?(?: \S+){1,3})$")  # "ABC, a method"
_RECORD = re.compile(r"\b(?:first|only|\w+est)\b")  # what follows restricts "the first demonstration"
_OF_TOPICS = "study investigate examine explore consider address analyze".split()  # true of a larger topic
_QUOTES = re.compile(r"(?P<verb>[^“:]+) “(?P<rest>[^“]+)”\.")
_FINITE = r"\b(?:is|are|was|were|has|have)\b"
_PASSIVE = re.compile(
    r"write(?P<one>s?) that “(?!(?:[Ii]n|[Ff]or|[Oo]n|[Bb]y|[Ww]ith|[Ff]rom|[Tt]o|\w+ing)\b)"
    rf"(?P<rest>(?:(?!{_FINITE})[^“])+) {_FINITE} (?:been )?(?P<verb>\w+ed)”\."
)
_IN_FIRST_PERSON = re.compile(
    r"write(?P<one>s?): “(?:In this \w+, )?[Ww]e (?P<verb>[a-z]+) (?P<rest>(?!and )[^“]+)”\."
)
_SYSTEM = """\
You shorten a sentence about a paper, for the related-work section of another paper. You may leave out only its \
end. What remains must be correct English and say what the authors made or studied, and what for or how. Usually \
results, praise and details at the end are left out. "cut" gives the first words of what is left out, or "nothing".

Sentence: The authors release SciBERT, a pretrained language model based on BERT (Devlin et al., 2018), which \
addresses the lack of high-quality, large-scale labeled scientific data.
{"cut": "which addresses the lack"}

Sentence: The authors present an Extended Kalman Filter (EKF)-based vision-aided navigation algorithm that runs in \
linear time, and evaluate it outdoors.
{"cut": "that runs in linear"}

Sentence: The authors measure the damping of spin waves in thin films of yttrium iron garnet as a function of the \
thickness.
{"cut": "nothing"}

Sentence: The authors study the problem of finding overlapping communities in networks with millions of nodes, \
which is too slow with most known methods.
{"cut": "which is too slow"}
"""


@dataclass(frozen=True, slots=True)
class Choice:
    """A quotation that may be shortened. `kept`: for the first words of each part that may be left out, the
    words that stay."""

    quotation: Sentence
    verb: str
    rest: str
    kept: dict[str, str]

    @property
    def prompt(self) -> Prompt:
        """The request. It begins with the same text for all papers, which the program that runs the model then
        reads only once."""
        return Prompt(_SYSTEM.rstrip(), "", f"Sentence: The authors {self.verb} {self.rest}.", _TOKENS)

    @property
    def schema(self) -> Schema:
        return object_of({"cut": {"type": "string", "enum": list(self.kept)}})

    def sentence(self, answer: Any) -> Sentence | None:
        """The sentence that the answer chooses; None if the answer is no choice from the list."""
        cut = answer.get("cut") if isinstance(answer, dict) else None
        rest = self.kept.get(cut) if isinstance(cut, str) else None
        if rest is None:
            return None
        marked = rest if len(rest.split()) <= UNMARKED else f"“{rest}”"
        lead, evidence = self.quotation.lead, self.quotation.evidence
        return Sentence(f"{self.verb} {marked}.", evidence, textual=True, lead=lead)


def choice_of(quotation: Sentence) -> Choice | None:
    """The places where the quotation may end. None if it has none. For verbs that may claim a result, only the
    whole is a choice, because a condition may stand at the end. "a method is proposed" becomes "propose a method"."""
    forms = (_PASSIVE, _IN_FIRST_PERSON, _QUOTES)
    parts = next((found for form in forms if (found := form.fullmatch(quotation.text))), None)
    if not quotation.textual or not parts:
        return None
    verb, rest = parts["verb"], parts["rest"].rstrip(",")
    claimless = next((known for known in (*MAKING, *DOING) if f" {known[:-1]}" in f" {verb}"), "")
    if parts.re is not _QUOTES:
        if not claimless or POINTS.match(rest):  # "apply it to"
            return None
        verb = singular_of(claimless) if parts["one"] else claimless
    is_short = len(rest.split()) <= UNMARKED
    if verb.endswith(" that") or not (claimless or is_short):
        return None
    is_topic = claimless in _OF_TOPICS
    ends = (
        [rest] if is_short else _phrase_ends(rest, _FEWEST, is_topic) or _phrase_ends(rest, _LEAST, is_topic)
    )
    refused = [OWN, _RECORD, *[AND_VERB] * verb.endswith("s")]  # "presents … and study"
    kept = {_cut(rest, p): p for p in reversed(ends) if not any(form.search(p) for form in refused)}
    return Choice(quotation, verb, rest, kept) if kept else None


def _cut(rest: str, kept: str) -> str:
    return " ".join(rest[len(kept) :].strip(" ,;").split()[:_TAIL]) or _NOTHING


def _phrase_ends(text: str, fewest: int, is_topic: bool) -> list[str]:
    """The beginnings of the text, of `fewest` to `_MOST` words, before a part that restricts no claim: means, a clause,
    or the place of a topic. Before other words nothing ends: "a complete characterization of groups" was one of groups
    on Hardy space."""
    bare = masked(text)
    parts = {text, *(part for part in clause_ends(text) if _ADDED.match(text[len(part) + 2 :]))}
    for match in _OTHER_PART.finditer(bare):
        before = bare[: match.start()]
        within = _CLAUSE if match["means"] or (match["place"] and is_topic) else _RESTRICTED
        goes_on = match["place"] and " and " in before  # "and suggest a way"
        ends = not _NO_END.search(before) and before.split()[-1].lower() not in STOP_WORDS
        if ends and not (goes_on or within.search(before)):
            parts.add(text[: match.start()])
    return sorted((p for p in parts if ":" not in p and fewest <= len(p.split()) <= _MOST), key=len)
