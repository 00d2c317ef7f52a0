"""Chooses the sentence to quote from each paper.

The score of a sentence consists of its cosines to the draft and to its paper, and of a learned mark for its form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from ...defaults import LIKELY
from ...embedding import NAME
from ...ports import Embedder
from ...ranking.storage import load_sentence_weights, load_words
from ...text.sentences import clean, is_rubble, split_sentences
from ...text.words import words
from ...types import Matrix, Selected, Vector
from ..model import plain
from .quotations import OWN, PAPER, POINTS, is_report, parts_of, quotation

_ANSWERING = 0.2  # least share of a question's words, weighted by rarity, in a sentence that answers it
_NEAR_QUESTION = 0.5  # least cosine of such a sentence to the question, with the usual embedding model
_MOST = 30  # sentences of a paper that are scored
_SHORTEST, _LONGEST = 6, 60  # words of a sentence that is quoted
_MOST_CHARACTERS = 1_500  # of a sentence that is quoted
_IN_SECTION = (0.3, 1.0)  # weights of the cosines to the draft and to the paper; that of the mark is 1
_IN_ANSWER = (0.5, 0.35)  # the same for an answer
_MARK_IN_ANSWER = (
    0.2  # weight of the mark; without it, sentences that state the problem are quoted as answers
)
LEAST_MARK = (
    0.6  # of the sentences with a lower mark that are the best of their abstract, 60 % are bad, 13 % good
)
_BEGINNING = 4  # tokens of a sentence that count again as its beginning
_FORM = 2.0  # weight of the features of form beside those of words
_SOON = 12  # words at the beginning of a quotation in which "this limitation" has nothing to refer to
BACK = re.compile(
    r"\b(?:this|these|those|such(?! (?:as|that))|both(?!.* and )|former|latter)\b", re.IGNORECASE
)
_THIS = rf"this(?! (?:\w+ )?(?:{PAPER}|note|letter)\b)"
_DEMONSTRATIVE = re.compile(
    rf"(?<!-)\b(?:{_THIS}|these|such(?! (?:as|that))(?: an?)?|former|latter"
    r"|(?P<both>both)(?!.* and ))(?P<named>(?: [\w-]+){0,3})",
    re.IGNORECASE,
)
_NAME = re.compile(r"\b\w*[A-Z][\w-]+")
_TOKEN = re.compile(r"[a-z]+|\d+|[^\w\s]")
_LEANS = re.compile(  # matches a sentence that refers to the sentence before
    r"^(?:\S+ ){0,3}(?:also|then|further|furthermore|additionally|besides|moreover|finally|lastly|begin)\b"
    rf"|^(?:\S+ ){{0,5}}(?:{_THIS}|these|such|former|latter)\b"
    r"|^(?:it|its|they|their|those|here|but|and|thus|first|second|third|however|yet|hence|therefore|consequently|specifically"
    r"|notably|in (?:addition|particular|contrast|total)|for (?:example|instance)|as a result|to (?:this end|do so))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class KeySentence:
    """A whole sentence of a paper, with the id of the evidence to cite for it. `mark`: see `marks_of`."""

    text: str
    evidence: str
    mark: float = 0.0


def key_sentences(
    selected: Sequence[Selected],
    vectors: Matrix,
    focus: Vector,
    embedder: Embedder,
    question: str = "",
) -> list[tuple[KeySentence, ...]]:
    """For each paper, a tuple of the sentence to quote; empty if none can be quoted. `vectors`: a row for
    each paper; `focus`: the vector of the draft or of the `question`. For a question, a sentence is quoted that is
    near it and has its words (`may_answer`); a paper without one is quoted only if it is likely to answer. All
    sentences are embedded in one batch."""
    found = [_quotable(one, question) for one in selected]
    flat = [sentence.text for each in found for sentence in each]
    rows = embedder.embed_documents(flat) if flat else np.zeros((0, len(focus)), np.float32)
    chosen, start, least = [], 0, _NEAR_QUESTION if embedder.name == NAME else 0.0
    for paper, each, centre in zip(selected, found, vectors, strict=True):
        own = rows[start : start + len(each)]
        start += len(each)
        near = own @ focus
        usable = list(range(len(each)))
        if question:
            shares = np.array([_share(question, s.text) for s in each], np.float32)
            answers = [i for i in usable if near[i] >= least and shares[i] >= _ANSWERING]
            usable = answers or usable * ((paper.candidate.chance or 0.0) >= LIKELY)
            # a sentence that refers to the sentence before is no answer
            near -= np.array([0.1 * bool(_LEANS.match(s.text)) for s in each], np.float32)
        to_focus, to_paper = _IN_ANSWER if question else _IN_SECTION
        marks = np.array([s.mark for s in each], np.float32)
        worth = to_focus * near + to_paper * own @ centre
        worth += shares + _MARK_IN_ANSWER * marks.clip(0, 2) if question else marks + (marks >= LEAST_MARK)
        best = sorted(usable, key=lambda i: (-float(worth[i]), i))[:1]
        chosen.append(tuple(each[i] for i in best))
    return chosen


def may_answer(question: str, sentence: str) -> bool:
    """Whether the sentence has enough of the question's words to be quoted as its answer.

    Of the sentences that state the evidence of SciFact's claims, 75 % have that share of the claim's words; of
    sentences of other abstracts 0.5 %."""
    return _share(question, sentence) >= _ANSWERING


def _share(question: str, sentence: str) -> float:
    return load_words().share(words(question), words(sentence))


def _quotable(selected: Selected, question: str) -> list[KeySentence]:
    """The sentences of the paper that can be quoted. They are taken from the abstract; for an answer, or if
    there is no abstract, from the passages."""
    paper = selected.candidate.paper
    texts = [(e.id, e.passage.text) for e in selected.evidence]
    if paper.abstract and texts and not any(e.passage.is_abstract for e in selected.evidence):
        texts.insert(0, (texts[0][0], paper.abstract))
    if paper.abstract and not question:
        texts = [(id, text) for id, text in texts if text == paper.abstract] or texts
    found = [KeySentence(s, id, mark) for id, text in texts for s, mark in _quotable_in(text, paper.title)]
    made = [quotation(one.text, one.evidence, len(paper.authors)).text for one in found[:_MOST]]
    least = [0.0 if points_back(text) else one.mark for one, text in zip(found, made, strict=False)]
    return [replace(one, mark=min(one.mark, mark)) for one, mark in zip(found, least, strict=False)]


def points_back(made: str) -> bool:
    """Whether the part in quotation marks refers to what it does not show: it begins as a continuation, or has "this
    limitation" without a limitation before."""
    quoted = made.partition("“")[2]
    if made.startswith(("write", "“")) and not quoted.startswith(("Here", "It is ")) and _LEANS.match(quoted):
        return True
    found = [(quoted[: match.start()].lower(), match) for match in _DEMONSTRATIVE.finditer(quoted)]
    return not all(
        " and " in shown if match["both"] else any(word[:5] in shown for word in words(match["named"]))
        for shown, match in found
    )


def _quotable_in(text: str, title: str) -> list[tuple[str, float]]:
    """The sentences of the text that can be quoted, each with its mark."""
    sentences = split_sentences(clean(text))
    same = clean(title).rstrip(".")
    marks = marks_of(sentences, title).tolist()
    return [(s, m) for s, m in zip(sentences, marks, strict=True) if _is_whole(s) and s.rstrip(".") != same]


def _is_whole(sentence: str) -> bool:
    """Whether a sentence can be quoted: it is complete, neither too short nor too long, and has no markup,
    address, paper id or single quotation mark, and does not end with a quotation."""
    complete = sentence[:1].isupper() and sentence[-1:] in ".?!" and sentence[-2:-1] != "”"
    fits = len(sentence) <= _MOST_CHARACTERS and _SHORTEST <= len(sentence.split()) <= _LONGEST
    return (
        complete
        and fits
        and sentence.count("“") == sentence.count("”")
        and not (is_rubble(sentence) or plain.has_address(sentence) or plain.has_identifier(sentence))
    )


def marks_of(sentences: Sequence[str], title: str) -> Vector:
    """How well each sentence of a text can stand alone in quotation marks for what its paper did or found:
    about 0 for bad, 1 for acceptable, 2 or 3 for good. A linear model that was fitted to such marks of 2,267
    sentences (`benchmarks.writing.quotable`)."""
    weights = load_sentence_weights()
    return np.array(
        [
            sum(weights.get(name, 0.0) * value for name, value in each.items())
            for each in features(sentences, title)
        ],
        np.float32,
    )


def features(sentences: Sequence[str], title: str) -> list[dict[str, float]]:
    """For each sentence of a text, what the model sees: words, numbers and punctuation marks, and pairs of
    them, with "^" at the beginning; with "=", the form of the sentence and its place in the text."""
    name = title.partition(":")[0].lower() if ":" in title else ""
    of_title = set(words(title))
    reports = [is_report(sentence) for sentence in sentences]
    first = reports.index(True) if True in reports else -1
    return [
        dict.fromkeys(_tokens(sentence), 1.0)
        | {
            "=1": 1.0,
            "=place": _FORM * i / max(len(sentences) - 1, 1),
            "=report": _FORM * reports[i],
            "=first report": _FORM * (i == first),
            "=first person": _FORM * (not reports[i] and bool(OWN.search(sentence))),
            "=name": _FORM * bool(name and name in sentence.lower()),
            "=names": _FORM * (reports[i] and bool(_names_introduced(sentences, i))),
            "=title": _FORM * len(of_title.intersection(words(sentence))) / max(len(of_title), 1),
            "=pointing": _FORM * bool(POINTS.search(OWN.sub("", sentence))),
            "=back": _FORM * bool(BACK.search(" ".join(_shown(sentence).split()[:_SOON]))),
            "=few words": _FORM * max(0, 12 - len(sentence.split())) / 6,
            "=words": _FORM * len(sentence.split()) / 30,
            "=many words": _FORM * max(0, len(sentence.split()) - 30) / 10,
        }
        for i, sentence in enumerate(sentences)
    ]


def _shown(sentence: str) -> str:
    """The part of the sentence that is quoted."""
    parts = parts_of(sentence)
    return parts[2] if parts else OWN.sub("", sentence)


def _names_introduced(sentences: Sequence[str], place: int) -> set[str]:
    """The capitalised words of a sentence, without its first, that stand in a later but in no earlier sentence:
    among them the name of what is proposed."""
    found = _NAME.findall(sentences[place].partition(" ")[2])
    before, after = " ".join(sentences[:place]), " ".join(sentences[place + 1 :])
    return {name for name in found if name in after and name not in before}


def _tokens(sentence: str) -> Iterator[str]:
    found = ["0" if token.isdigit() else token for token in _TOKEN.findall(sentence.lower())]
    pairs = [f"{one} {other}" for one, other in pairwise(found)]
    yield from (*found, *pairs)
    yield from (f"^{token}" for token in (*found[:_BEGINNING], *pairs[:_BEGINNING]))
