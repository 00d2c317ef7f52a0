"""Whether a sentence of a small model agrees with the sentences that it retells.

The names, figures and copied words of the sentence are checked as all sentences of models are. Beyond that, its words
must be words of the source: the words that a model of 1.5 B parameters adds are claims ("outperforms" for "is
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

_ALIKE = 0.4  # cosine of the sentence and the sentence of the source that is most like it
_FEWEST, _MOST = 6, 45  # words
_IN_ORDER = 0.8  # share of the words that stand in the order of the source
_STEM = 5  # first letters by which two long words are forms of one
_ENDING = 4  # letters by which their lengths may differ: "stoch" is no form of "stochastic"
_SHOWN = re.compile(r'^"[^"]*" ')  # the model would copy the beginning of its sentence that a fault shows
_QUOTATION = re.compile(r"\w+(?: that)? “([^“”]+)”\.")
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|this (?:paper|work|study))\b", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:not|no|without|never|cannot|less|fewer|unlike|than)\b")


def disagreements(sentence: Sentence, source: Source, material: Material, embedder: Embedder) -> list[str]:
    """What speaks against the sentence, in words for the model; none if it can be written."""
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
    """The words of which the source has no form."""
    known = set(words(source))
    return [word for word in dict.fromkeys(words(text)) if not is_known(word, known)]


def order_kept(text: str, source: str) -> float:
    """The longest run of the text's words that occur in this order in the source, as a share of those that occur:
    0.9 and more where a model shortens, 0.7 where it says that X does to Y what Y does to X."""
    said, ends, count = words(source), list[int](), 0
    for word in words(text):
        places = [place for place, other in enumerate(said) if word == other or _same_word(word, other)]
        count += bool(places)
        for place in reversed(places):
            at = bisect_left(ends, place)
            ends[at : at + 1] = [place]
    return len(ends) / count if count else 1.0


def is_known(word: str, known: Collection[str]) -> bool:
    """Whether the word or another form of it is among `known`: "scaling" for "scale", "retrieval" for "retrieve"."""
    return word in STOP_WORDS or word in known or any(_same_word(word, other) for other in known)


def _same_word(one: str, other: str) -> bool:
    first = min(_STEM, max(3, min(len(one), len(other)) - 1))
    return one[:first] == other[:first] and abs(len(one) - len(other)) <= _ENDING
