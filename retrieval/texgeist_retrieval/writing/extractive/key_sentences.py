"""Chooses the sentence to quote from each paper, and makes the sentence that quotes it.

The score of a sentence consists of its cosines to the draft and to its paper, and of a few cues in its form.
The words in quotation marks are copied exactly; only the paper's verb and the citation are outside them. The
authors are named, so that readers do not think that "we" means the authors of the draft."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...ports import Embedder
from ...text.sentences import clean, is_rubble, split_sentences
from ...types import Matrix, Paper, Selected, Sentence, Vector
from ..model import plain

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


_MOST = 30  # sentences of a paper that are scored
_SHORTEST, _LONGEST = 6, 60  # words of a sentence that is quoted
_MOST_CHARACTERS = 1_500  # of a sentence that is quoted
_TO_DRAFT, _TO_PAPER = 0.5, 0.35  # weights of the cosines to the draft and to the paper
_OWN_WORK = 0.3  # added if the sentence is about the paper's own work
_FIRST = 0.05  # added to the first sentence about the paper's own work
_REPORTED = 0.03  # added if the sentence can be quoted after its authors' names
_SHORT, _EXCESS = 30, 0.004  # each word after the first 30 lowers the score by this
_OFFERS = re.compile(r"\b(?:propos|introduc|present|develop|stud[iy]|investigat)", re.IGNORECASE)
_ADDS = re.compile(  # matches a sentence that continues the authors' earlier statement about their work
    r"^(?:\S+ ){0,3}(?:also|then|further|furthermore|additionally|besides|moreover|finally|lastly|begin)\b",
    re.IGNORECASE,
)
_LEANS = re.compile(  # matches a sentence that refers to the sentence before
    rf"{_ADDS.pattern}|^(?:\S+ ){{0,5}}(?:this(?! {PAPER}\b)|these|such|former|latter)\b"
    r"|^(?:it|its|they|their|those|here|but|and|thus|first|second|third|however|yet|hence|therefore|consequently|specifically"
    r"|notably|in (?:addition|particular|contrast|total)|for (?:example|instance)|as a result|to (?:this end|do so))\b",
    re.IGNORECASE,
)
_SUCCESS = re.compile(
    r"\d\s?%|\d\.\d|\b(?:experiment(?:s|al)|outperform\w*|state[- ]of[- ]the[- ]art|effectiveness|efficacy|promising"
    r"|our code)\b",
    re.IGNORECASE,
)
_ON_IT = re.compile(r"^(?:We|The authors) \w+ (?:it|them)\b")  # the pronoun refers to the sentence before
_CUES = ((_OFFERS, 0.08), (_ADDS, -0.15), (_LEANS, -0.1), (_SUCCESS, -0.1), (_ON_IT, -0.4))


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A whole sentence of a paper, with the id of the evidence to cite for it. `score`: its cosine to the
    draft or question."""

    text: str
    evidence: str
    score: float = 0.0


def key_sentences(
    selected: Sequence[Selected],
    vectors: Matrix,
    focus: Vector,
    embedder: Embedder,
    answers: bool,
) -> list[tuple[KeySentence, ...]]:
    """For each paper, a tuple of the sentence to quote; empty if none can be quoted. `vectors`: a row for
    each paper; `focus`: the vector of the draft. With `answers`, `focus` is the vector of a question, and the
    two best sentences of each paper are chosen without the cues. All sentences are embedded in one batch."""
    found = [_quotable(one, answers) for one in selected]
    flat = [sentence.text for each in found for sentence in each]
    rows = embedder.embed_documents(flat) if flat else np.zeros((0, len(focus)), np.float32)
    chosen, start = [], 0
    for one, each, centre in zip(selected, found, vectors, strict=True):
        own = rows[start : start + len(each)]
        start += len(each)
        near = own @ focus
        if answers:  # a sentence that refers to the sentence before is no answer
            near -= np.array([0.1 * bool(_LEANS.match(s.text)) for s in each], np.float32)
        worth = _TO_DRAFT * near + _TO_PAPER * own @ centre
        if not answers:
            worth += _cues([s.text for s in each], one.candidate.paper.title)
        best = sorted(range(len(each)), key=lambda i: (-float(worth[i]), i))[: 2 if answers else 1]
        chosen.append(tuple(replace(each[i], score=float(near[i])) for i in sorted(best)))
    return chosen


def key_sentence_of(paper: Paper) -> str:
    """The sentence of the abstract that says what the paper does, chosen by the cues alone. Returns "" if no
    sentence that can be quoted is about the paper's own work."""
    sentences = [s for s in split_sentences(clean(paper.abstract)) if _is_whole(s)]
    if not sentences:
        return ""
    cues = _cues(sentences, paper.title)
    best = int(np.argmax(cues))
    return sentences[best] if cues[best] > _OWN_WORK / 2 else ""


def _quotable(selected: Selected, answers: bool) -> list[KeySentence]:
    """The sentences of the paper that can be quoted. They are taken from the abstract; for an answer, or if
    there is no abstract, from the passages."""
    paper = selected.candidate.paper
    texts = [(e.id, e.passage.text) for e in selected.evidence]
    if paper.abstract and texts and not any(e.passage.is_abstract for e in selected.evidence):
        texts.insert(0, (texts[0][0], paper.abstract))
    if paper.abstract and not answers:
        texts = [(id, text) for id, text in texts if text == paper.abstract] or texts
    title = clean(paper.title).rstrip(".")
    sentences = [KeySentence(s, id) for id, text in texts for s in split_sentences(clean(text))]
    return [s for s in sentences if _is_whole(s.text) and s.text.rstrip(".") != title][:_MOST]


def _is_whole(sentence: str) -> bool:
    """Whether a sentence can be quoted: it is complete, neither too short nor too long, and has no markup,
    address, paper id or quotation mark."""
    begins = sentence[:1].isupper() and sentence[-1:] in ".?!" and "“" not in sentence
    fits = len(sentence) <= _MOST_CHARACTERS and _SHORTEST <= len(sentence.split()) <= _LONGEST
    return (
        begins
        and fits
        and not (is_rubble(sentence) or plain.has_address(sentence) or plain.has_identifier(sentence))
    )


def _cues(sentences: Sequence[str], title: str) -> Vector:
    """The score of each sentence by its form alone."""
    name = title.partition(":")[0] if ":" in title else ""
    own = [bool(OWN.search(s) or (name and s.startswith(name))) and not EARLIER.match(s) for s in sentences]
    first = own.index(True) if True in own else -1
    return np.array(
        [
            _OWN_WORK * own[i]
            + _FIRST * (i == first)
            + _REPORTED * is_report(sentence)
            + sum(worth for cue, worth in _CUES if cue.search(sentence))
            - _EXCESS * max(0, len(sentence.split()) - _SHORT)
            for i, sentence in enumerate(sentences)
        ],
        np.float32,
    )
