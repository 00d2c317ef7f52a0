"""Checks that a sentence of a small model agrees with the sentences that it retells.

Names, numbers and copied words are checked as for any model. In addition, the words of the sentence must be
words of the source, because the words that a model of 1.5 B parameters adds are claims ("outperforms" for "is
competitive with")."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection

from ...ports import Embedder
from ...text.words import STOP_WORDS, words
from ...types import Sentence
from ..model.checks import sentence_faults
from ..model.material import Material
from .retelling import MAKING, Source

_ALIKE = 0.4  # least cosine of the sentence and the most similar sentence of the source
_FEWEST, _MOST = 6, 45  # words
_IN_ORDER = 0.8  # least share of the words that are in the order of the source, see `order_kept`
_STEM = 5  # long words with the same first five letters are regarded as forms of the same word
_ENDING = 4  # greatest difference in length of two such forms: "stoch" is not a form of "stochastic"
_SHOWN = re.compile(r'^"[^"]*" ')  # the quoted beginning of a sentence in a fault; the model would copy it
_QUOTATION = re.compile(r"\w+(?: that)? “([^“”]+)”\.")
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|this (?:paper|work|study))\b", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:not|no|without|never|cannot|less|fewer|unlike|than)\b")


def disagreements(sentence: Sentence, source: Source, material: Material, embedder: Embedder) -> list[str]:
    """The faults of the sentence, in words for the model. Empty if the sentence agrees with its source."""
    text, quoted = sentence.text, _QUOTATION.fullmatch(sentence.text)
    if quoted and any(quoted[1] in one for one in source.sentences) and not _FIRST_PERSON.search(text):
        return []
    found = [_SHOWN.sub("It ", fault) for fault in sentence_faults(sentence, material)]
    if not _FEWEST <= len(text.split()) <= _MOST:
        found.append(f"It has {len(text.split())} words; write {_FEWEST} to {_MOST}.")
    if _FIRST_PERSON.search(text):
        found.append('It says "we", "our" or "this paper".')
    if new := new_words(text, f"{source.text} {' '.join(MAKING)}"):
        found.append(f"These words are not in the given sentences: {', '.join(new)}.")
    if order_kept(text, source.text) < _IN_ORDER:
        found.append("Its words stand in another order than in the given sentences.")
    turned = {*_TURNS.findall(text.lower())} - {*_TURNS.findall(source.text.lower())}
    if turned:
        found.append(f"The given sentences do not say “{min(turned)}”.")
    if not found:
        rows = embedder.embed_documents([text, *source.sentences])
        if float((rows[1:] @ rows[0]).max()) < _ALIKE:
            found.append("It says something else than the given sentences.")
    return found


def new_words(text: str, source: str) -> list[str]:
    """The words of the text that do not occur in the source in any form."""
    known = set(words(source))
    return [word for word in dict.fromkeys(words(text)) if not is_known(word, known)]


def order_kept(text: str, source: str) -> float:
    """The share of the text's words that are in the same order in the source: the length of the longest
    common subsequence, divided by the number of words that occur in the source. It is 0.9 or more where a
    model shortens, and 0.7 where it exchanges X and Y in "X does this to Y"."""
    said, ends, count = words(source), list[int](), 0
    for word in words(text):
        places = [place for place, other in enumerate(said) if word == other or _same_word(word, other)]
        count += bool(places)
        for place in reversed(places):
            at = bisect_left(ends, place)
            ends[at : at + 1] = [place]
    return len(ends) / count if count else 1.0


def is_known(word: str, known: Collection[str]) -> bool:
    """Whether the word is a stop word, or `known` contains it or another form of it ("scaling" for "scale",
    "retrieval" for "retrieve")."""
    return word in STOP_WORDS or word in known or any(_same_word(word, other) for other in known)


def _same_word(one: str, other: str) -> bool:
    first = min(_STEM, max(3, min(len(one), len(other)) - 1))
    return one[:first] == other[:first] and abs(len(one) - len(other)) <= _ENDING
