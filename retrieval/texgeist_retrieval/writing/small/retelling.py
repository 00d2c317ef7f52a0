"""The request to a small model to retell a paper in one sentence, and the choice of the paper's sentences
that it sees.

The model sees two sentences: the sentence that the notes quote, and the next. When a model of 1.5 B
parameters saw whole abstracts, it reported claims that the authors argue against ("recent work claims that
…") as their results."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...models.structured_call import Prompt, Schema, object_of
from ...ports import Embedder
from ...text.sentences import clean, split_sentences
from ...text.words import STOP_WORDS, words
from ...types import Paper, Sentence
from ..extractive.key_sentences import BACK, DOING, MAKING, OWN, clause_ends
from ..model.belonging import COPIED
from ..model.checks import Material, sentence_faults

_LONGEST = 300  # characters of an answer: a longer one is cut, perhaps within a word
_TOKENS = 120  # of an answer; a sentence takes about half of this
_FINDING = ("show", "find", "demonstrate", "prove", "argue")  # followed by "that"
_NO_OBJECT = re.compile(r"(?:and|or|can|could|may|might|will|would|is|are|was|were|has|have)\b")
_SECOND = re.compile(r"[,;] (?:and )?we (?P<verb>[a-z]+) (?P<rest>.+)")
_NAMED = re.compile(r"(?P<name>[A-Z][\w-]*[A-Z0-9][\w-]*)(?: \([^)]*\))?, (?P<what>an? [^,]{20,})")
_SYSTEM = """\
You write a sentence about a paper, for the related-work section of another paper. You are given its title \
and one or two of its sentences. The names of the authors will stand before your sentence: "verb" follows \
them, and "rest" ends the sentence. Say in 12 to 25 words what the authors made or showed, and how it works. \
Use your own wording: never copy more than five words in a row. Keep names and technical terms. Add nothing \
that is not given, and no praise. Never write "we", "our" or "this paper".

Title: Dense Passage Retrieval for Open-Domain Question Answering
Sentences: In this work, we show that retrieval can be practically implemented using dense representations \
alone, where embeddings are learned from a small number of questions and passages by a simple dual-encoder \
framework.
{"verb": "show that", "rest": "dense representations suffice for retrieval, if a dual encoder learns them \
from a few questions and passages."}

Title: SciBERT: A Pretrained Language Model for Scientific Text
Sentences: We release SciBERT, a pretrained language model based on BERT (Devlin et al., 2018) to address \
the lack of high-quality, large-scale labeled scientific data. SciBERT leverages unsupervised pretraining on \
a large multi-domain corpus of scientific publications to improve performance on downstream scientific NLP \
tasks.
{"verb": "release", "rest": "SciBERT, a variant of BERT for scientific text, where labeled data are scarce; \
its unsupervised pretraining uses publications of many domains."}

Title: A Multi-State Constraint Kalman Filter for Vision-aided Inertial Navigation
Sentences: In this paper, we present an Extended Kalman Filter (EKF)-based algorithm for real-time \
vision-aided inertial navigation. The primary contribution of this work is the derivation of a measurement \
model that is able to express the geometric constraints that arise when a static feature is observed from \
multiple camera poses.
{"verb": "present", "rest": "an algorithm for real-time vision-aided inertial navigation, in which a Kalman \
filter uses the geometric constraints of a static feature that multiple camera poses observe."}

"""


@dataclass(frozen=True, slots=True)
class Source:
    """The part of a paper that the model sees. `authors`: the number of authors, 0 if unknown."""

    evidence: str  # id of the evidence
    title: str
    sentences: tuple[str, ...]  # the quoted sentence, and the next
    authors: int

    @property
    def text(self) -> str:
        return " ".join((f"{self.title}.", *self.sentences))


def source_of(evidence: str, paper: Paper, text: str, quoted: str) -> Source:
    """The source for a paper: the sentence of `text` with the words `quoted`, and the next sentence, which
    usually says how."""
    sentences = split_sentences(clean(text))
    at = next((i for i, sentence in enumerate(sentences) if quoted in sentence), -1)
    shown = tuple(sentences[at : at + 2]) if at >= 0 else (quoted,)
    return Source(evidence, paper.title, shown, len(paper.authors))


def retelling_prompt(source: Source) -> Prompt:
    """The request for one paper. It begins with the same text for all papers, which the program that runs the
    model then reads only once."""
    shown = f"Title: {clean(source.title)}\nSentences: {' '.join(source.sentences)}"
    return Prompt(_SYSTEM.rstrip(), "", shown, _TOKENS)


def retelling_schema(source: Source) -> Schema:
    rest = {"type": "string", "minLength": 40, "maxLength": _LONGEST}
    return object_of({"verb": {"type": "string", "enum": _verbs(source)}, "rest": rest})


def _verbs(source: Source) -> list[str]:
    said = " ".join(source.sentences).lower()
    found = [f"{verb} that" for verb in _FINDING if verb in said]
    # Verbs of `MAKING` are allowed for any paper, others only if the source contains them.
    return [*MAKING, *(verb for verb in DOING if verb[:-1] in said), *found]


def sentences_of(answer: Any, source: Source) -> list[Sentence]:
    """The sentences that can be made from an answer: the whole sentence, and shorter versions without the
    last clauses, where a model of 1.5 B parameters adds invented claims (", improving …"). Empty if the answer
    has another form."""
    verb, rest = (answer.get("verb"), answer.get("rest")) if isinstance(answer, dict) else (None, None)
    if verb not in _verbs(source) or not isinstance(rest, str) or _NO_OBJECT.match(rest):
        return []
    if verb in MAKING and not _is_made(rest, source):
        return []
    is_cut = len(rest) >= _LONGEST
    rest = re.sub(r"\s+", " ", rest).strip()
    rest = re.split(r"(?<=[a-z)]{2})\. (?=[A-Z])", rest)[0].rstrip(".")  # only the first sentence
    if (second := _SECOND.search(rest)) and second["verb"] in _verbs(source):
        verb, rest = second["verb"], second["rest"]  # papers lead up to what they made
    versions = (
        list(clause_ends(rest))[::-1] if not verb.endswith(" that") else []
    )  # conditions of claims stay
    if not is_cut:
        versions.insert(0, rest)
    return [_sentence(verb, text, source) for text in versions]


def _is_made(rest: str, source: Source) -> bool:
    """Whether the authors made what `rest` names first: a sentence of the source has this word after a verb of
    `MAKING`, or before one in the passive voice, or the title begins with it and has an indefinite article or a colon.
    Otherwise a model wrote "present open-vocabulary detection" for authors who improve it."""
    first, title = next(iter(words(rest)), ""), words(source.title)
    if re.match(r"An? |.*:", source.title) and title[:1] == [first]:
        return True
    made, word = "|".join(verb[:-1] for verb in MAKING), re.escape(first[:4])
    by_authors = re.compile(rf"\b(?:{made}).*{word}|{word}.*\b(?:{made})\w*ed\b", re.IGNORECASE)
    return any(map(by_authors.search, source.sentences))


def _sentence(verb: str, rest: str, source: Source) -> Sentence:
    """The sentence with its subject: the system if `rest` has the form "GOLD, an algorithm that …", which
    becomes "GOLD is an algorithm that …", else the authors."""
    if named := _NAMED.fullmatch(rest):
        return Sentence(f"{named['name']} is {named['what']}.", (source.evidence,))
    verb = singular_of(verb) if source.authors == 1 else verb
    return Sentence(f"{verb} {rest}.", (source.evidence,), textual=True)


def singular_of(verb: str) -> str:
    """The verb for a single author: "studies", "addresses", "shows that"."""
    verb, *that = verb.split()
    ending = "es" if verb.endswith(("s", "x", "ch", "sh")) else "s"
    return " ".join([f"{verb[:-1]}ies" if verb.endswith("y") else f"{verb}{ending}", *that])


_ALIKE = 0.4  # least cosine of the sentence and the most similar sentence of the source
_FEWEST, _MOST = 6, 45  # words
_IN_ORDER = 0.8  # least share of the words that are in the order of the source, see `order_kept`
_STEM = 5  # long words with the same first five letters are regarded as forms of the same word
_ENDING = 4  # greatest difference in length of such forms: "stoch" is no form of "stochastic"
_LONG_STEM = 7  # with so many equal letters, the lengths may differ more: "classify" and "classification"
_COPIED = 8  # so many words in a row of the source need quotation marks
_EXACT = 5  # least number of these words to be put in quotation marks
_OWN = 3  # so many of them must be neither stop words nor words of the title, which have no other words
_WORD = re.compile(r"\w+(?:-\w+)*")
_TURNS = re.compile(r"\b(?:not|no|without|never|cannot|less|fewer|unlike|than)\b")


def agrees(sentence: Sentence, source: Source, material: Material, embedder: Embedder) -> bool:
    """Whether the sentence says only what its source says."""
    text, said = sentence.text, source.text
    if any(fault != COPIED for fault in sentence_faults(sentence, material)):
        return False
    if not _FEWEST <= len(text.split()) <= _MOST or OWN.search(text):
        return False
    if BACK.search(text):  # to what is left out
        return False
    if "that" in text.split()[:2] and not _is_whole_claim(text, source):
        return False
    if new_words(text, f"{said} {' '.join(MAKING)}") or order_kept(text, said) < _IN_ORDER:
        return False
    if {*_TURNS.findall(text.lower())} - {*_TURNS.findall(said.lower())}:
        return False
    rows = embedder.embed_documents([text, *source.sentences])
    return float((rows[1:] @ rows[0]).max()) >= _ALIKE


def _is_whole_claim(text: str, source: Source) -> bool:
    """Whether the text has all words of a claim of the source, of which each may be a condition ("with high
    probability"). Quotation marks are refused: the words before them were no clause ("show that improved “…”")."""
    claims = [said.partition(" that ")[2] for said in source.sentences]
    return "“" not in text and any(claim and not new_words(claim, text) for claim in claims)


def with_marks(sentence: Sentence, source: Source) -> Sentence | None:
    """The sentence with quotation marks around each run of `_COPIED` or more words that a sentence of the source
    contains; the verb after the authors' names stays outside. Words at the ends of the run that differ in
    punctuation or capitals stay outside too. Returns None if less than `_EXACT` words are the same, or if the model
    has written quotation marks."""
    text, marked, at = sentence.text, "", 0
    if re.search('[“”"]', text):
        return None
    spans = [match.span() for match in _WORD.finditer(text)]
    names = {*_WORD.findall(source.title.lower()), *STOP_WORDS}
    texts = [f" {' '.join(_WORD.findall(said.lower()))} " for said in source.sentences]
    start = len(text.split()[:2]) - ("that" not in text.split()[:2]) if sentence.textual else 0
    while start + _COPIED <= len(spans):
        end = start
        while end < len(spans) and any(_run(text, spans[start : end + 1]) in said for said in texts):
            end += 1
        run = [text[first:last].lower() for first, last in spans[start:end]]
        if len(run) < _COPIED or sum(word not in names for word in run) < _OWN:
            start += 1
            continue
        first, last = _exact(text, spans[start:end], source.sentences)
        if len(text[first:last].split()) < _EXACT:
            return None
        marked, at = f"{marked}{text[at:first]}“{text[first:last]}”", last
        start = sum(place < last for place, _ in spans)  # the rest of the run may be as long
    return replace(sentence, text=marked + text[at:])


def _exact(text: str, run: Sequence[tuple[int, int]], sentences: Sequence[str]) -> tuple[int, int]:
    """The place of the first part of the run with `_COPIED` words, or of its longest part, that a sentence contains
    in exactly this form and that ends with no stop word; (0, 0) if there is none."""
    best = (0, 0)
    for i, (first, _) in enumerate(run):
        for _, last in run[i:]:
            last += text[last : last + 1] == ")" and "(" in text[first:last].rpartition(")")[2]
            exact = last - first > best[1] - best[0] and any(text[first:last] in said for said in sentences)
            if exact and text[first:last].split()[-1].lower() not in STOP_WORDS:
                best = (first, last)
        if len(text[slice(*best)].split()) >= _COPIED:
            break
    return best


def _run(text: str, spans: Sequence[tuple[int, int]]) -> str:
    return f" {' '.join(text[first:last].lower() for first, last in spans)} "


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
    near = abs(len(one) - len(other)) <= _ENDING or (one[:_LONG_STEM] == other[:_LONG_STEM])
    return one[:first] == other[:first] and near
