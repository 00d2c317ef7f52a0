"""Sentences made of titles, for papers whose abstract has no sentence that reports what they did: "study radiation
hardness of long CsI crystals". Without a model: one of 1.5 B parameters, asked for the article that a title needs,
chose "a" for plurals and a second article for titles that have one."""

from __future__ import annotations

import re

from ...text.sentences import clean, split_sentences
from ...text.words import STOP_WORDS
from ...types import Paper, Sentence
from ..extractive.quotations import singular_of

_FEWEST, _MOST = 4, 20  # words of a title
_STUDYING = ("study", "examine", "investigate")  # true of any paper; neighbours get different verbs
_NO_PHRASE = frozenset(
    "are can cannot could do does has have is may must should was were will would".split()
)  # a title with these is a sentence
_WORD = re.compile(r"[^\W\d_]+")


def of_title(paper: Paper, evidence: str, previous: str) -> Sentence | None:
    """The sentence, with another verb than the `previous` sentence; None if the title is no phrase."""
    phrase = within_sentence(paper.title, paper.abstract)
    verbs = [singular_of(verb) if len(paper.authors) == 1 else verb for verb in _STUDYING]
    verb = next(verb for verb in verbs if previous[:4] != verb[:4])
    return Sentence(f"{verb} {phrase}.", (evidence,), textual=True) if phrase else None


def within_sentence(title: str, abstract: str) -> str:
    """The title as it is written within a sentence: words have the capitals that they have within sentences of the
    abstract. "" if the title has several parts, is no phrase, may begin with a gerund, or has a capital that stays
    unclear."""
    title, abstract = re.sub(r"\bA\b", "a", clean(title).rstrip(".")), clean(abstract)
    first = title.split()[0].lower() if title else ""
    if not _FEWEST <= len(title.split()) <= _MOST or re.search(r"[:?!“–;$\\{}]|\. | - ", title):
        return ""
    if first in STOP_WORDS - {"a", "an", "the"} or first.endswith("ing"):  # "On …", "Quantifying noise"
        return ""
    if _NO_PHRASE.intersection(title.split()):
        return ""
    known = {word for said in split_sentences(abstract) for word in _WORD.findall(said)[1:]} | STOP_WORDS
    rest = [word for word in _WORD.findall(title)[1:] if word not in STOP_WORDS]
    plain = sum(word.islower() for word in rest) > len(rest) / 2  # capitals are those of a sentence
    pairs = [m for m in re.finditer(r"(?=\b([A-Z][a-z]+ [A-Z][a-z]+)\b)", title) if m[1] in abstract]
    named = {
        place for m in pairs for place in (m.start(), m.end(1) - len(m[1].split()[1]))
    }  # "Transmission Protocol"
    written, end = "", 0
    for match in _WORD.finditer(title):
        word, lower = match[0], match[0].lower()
        within_name = match.start() > 0 or re.match(" [A-Z][a-z]", title[match.end() :])  # "Monte Carlo"
        is_name = lower not in known and (word in known or (plain and within_name))
        is_name = is_name or not word.istitle() or len(word) == 1 or match.start() in named
        if not (is_name or lower in known or plain):
            return ""
        written += title[end : match.start()] + (word if is_name else lower)
        end = match.end()
    return written + title[end:]
