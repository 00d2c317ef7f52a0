"""Whether a sentence of a small model agrees with the sentences that it retells.

The names, figures and copied words of the sentence are checked as all sentences of models are. Beyond that, its words
must be the words of the source: a model of 1.5 B parameters that adds a word adds a claim."""

from __future__ import annotations

import re
from collections.abc import Collection

import numpy as np

from ...ports import Embedder
from ...ranking.storage import load_words
from ...text.words import STOP_WORDS, words
from ...types import Sentence
from ..model.checks import sentence_faults
from ..model.material import Material
from .retelling import Source

_ALIKE = 0.6  # cosine of the sentence and its source
_NEW = 0.12  # share of the sentence's words, by inverse document frequency, that may be new
_FEWEST, _MOST = 6, 45  # words
_STEM = 5  # letters by which "retrieval" and "retrieve" are the same word
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|this (?:paper|work|study))\b", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:not|no|without|never|cannot|less|fewer|unlike|than)\b", re.IGNORECASE)


def disagreements(sentence: Sentence, source: Source, material: Material, embedder: Embedder) -> list[str]:
    """What speaks against the sentence, in words for the model; none if it can be written."""
    text = sentence.text
    raw = {"text": text, "evidence": list(sentence.evidence), "textual": sentence.textual, "lead": ""}
    found = sentence_faults(raw, material)
    if not _FEWEST <= len(text.split()) <= _MOST:
        found.append(f"It has {len(text.split())} words; write {_FEWEST} to {_MOST}.")
    if _FIRST_PERSON.search(text):
        found.append('It says "we", "our" or "this paper".')
    if new := new_words(text, source.text):
        found.append(f"These words are not in the given sentences: {', '.join(new)}.")
    turned = {m.lower() for m in _TURNS.findall(text)} - {m.lower() for m in _TURNS.findall(source.text)}
    if turned:
        found.append(f"The given sentences do not say “{min(turned)}”.")
    if not found and _cosine(text, " ".join(source.sentences), embedder) < _ALIKE:
        found.append("It says something else than the given sentences.")
    return found


def new_words(text: str, source: str) -> list[str]:
    """The words that the source lacks, if they weigh more than `_NEW` of the sentence; else none."""
    known, background = stems_of(source), load_words()
    weights = {word: background.idf(word) for word in words(text) if word not in STOP_WORDS}
    new = [word for word in weights if not is_known(word, known)]
    return new if sum(weights[word] for word in new) > _NEW * sum(weights.values()) else []


def stems_of(text: str) -> frozenset[str]:
    return frozenset(word[:_STEM] for word in words(text))


def is_known(word: str, stems: Collection[str]) -> bool:
    """Whether a text with these stems has a form of the word."""
    return word in STOP_WORDS or word[:_STEM] in stems


def _cosine(text: str, other: str, embedder: Embedder) -> float:
    one, two = embedder.embed_documents([text, other])
    return float(np.dot(one, two))
