"""The request to a small model to retell a paper in one sentence, and the choice of the paper's sentences
that it sees.

The model sees at most two sentences, among them the sentence that the notes quote. When a model of 1.5 B
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
from ..extractive.key_sentences import key_sentence_of
from ..model.belonging import COPIED
from ..model.checks import Material, sentence_faults

_TOKENS = 120  # of an answer; a sentence takes about half of this
MAKING = ("propose", "introduce", "present", "develop", "design", "describe")  # allowed for any paper
_DOING = (  # verbs that are allowed only if the source contains them
    "address analyze apply build combine compare construct define evaluate examine explore extend formulate investigate"
    " provide release study train"
).split()
_FINDING = ("show", "find", "demonstrate", "prove", "argue")  # the same, followed by "that"
_WHOLE = 7  # a sentence without its last clause has at least so many words
_SOON = 7  # greatest distance in words between the verb and its object in the source
_NO_OBJECT = re.compile(r"(?:and|or|can|could|may|might|will|would|is|are|was|were|has|have)\b")
_COMMA = re.compile(r"(?<!i\.e\.)(?<!e\.g\.)(?<!namely), (?!(?:and|or)\b)")
_NAMED = re.compile(r"(?P<name>[A-Z][\w-]*[A-Z0-9][\w-]*)(?: \([^)]*\))?, (?P<what>an? [^,]{20,})")
_SYSTEM = """\
You retell a paper for the related-work section of another paper, in one sentence of 12 to 28 words. You are given the \
paper's title and one or two of its sentences. The names of the authors will stand before your sentence: "verb" follows \
them, and "rest" ends the sentence. Say what the authors made or showed, and how it works. Use only words that stand \
in the given sentences, but fewer: shorten them and leave out what is secondary. Never write "we", "our" or "this paper". \
No praise, and do not say that anything is improved.

Title: Dense Passage Retrieval for Open-Domain Question Answering
Sentences: In this work, we show that retrieval can be practically implemented using dense representations alone, where \
embeddings are learned from a small number of questions and passages by a simple dual-encoder framework.
{"verb": "show that", "rest": "retrieval can be implemented with dense representations alone, which a dual-encoder learns from \
a small number of questions and passages."}

Title: SciBERT: A Pretrained Language Model for Scientific Text
Sentences: We release SciBERT, a pretrained language model based on BERT (Devlin et al., 2018) to address the lack of \
high-quality, large-scale labeled scientific data. SciBERT leverages unsupervised pretraining on a large multi-domain \
corpus of scientific publications to improve performance on downstream scientific NLP tasks.
{"verb": "release", "rest": "SciBERT, a language model based on BERT that is pretrained, unsupervised, on a large \
multi-domain corpus of scientific publications."}

"""


@dataclass(frozen=True, slots=True)
class Source:
    """The part of a paper that the model sees. `authors`: the number of authors, 0 if unknown."""

    evidence: str  # id of the evidence
    title: str
    sentences: tuple[str, ...]  # in the order of the text
    main: str  # the sentence that says what the paper does
    authors: int

    @property
    def text(self) -> str:
        return " ".join((f"{self.title}.", *self.sentences))


def source_of(evidence: str, paper: Paper, text: str, quoted: str) -> Source:
    """The source for a paper. It contains the sentence of `text` with the words `quoted`, which is near to
    the draft, and the sentence that says what the paper does. If these are the same sentence, it also
    contains the next, which usually says how."""
    sentences = split_sentences(clean(text))
    at = next((i for i, sentence in enumerate(sentences) if quoted in sentence), -1)
    if at < 0:
        return Source(evidence, paper.title, (quoted,), quoted, len(paper.authors))
    main = key_sentence_of(replace(paper, abstract=text))
    main = main if main in sentences else sentences[at]
    places = {at, sentences.index(main)}
    if len(places) == 1 and at + 1 < len(sentences):
        places.add(at + 1)
    shown = tuple(sentences[i] for i in sorted(places))
    return Source(evidence, paper.title, shown, main, len(paper.authors))


def retelling_prompt(source: Source, problems: Sequence[str] = ()) -> Prompt:
    """The request for one paper. It begins with the same text for all papers, which the program that runs the
    model then reads only once. `problems`: the faults of a first answer; with these, the model sees only the
    main sentence, which is easier."""
    shown = source.main if problems else " ".join(source.sentences)
    wrong = "".join(f"\nWrong in a first answer: {problem}" for problem in problems)
    return Prompt(_SYSTEM.rstrip(), "", f"Title: {clean(source.title)}\nSentences: {shown}{wrong}", _TOKENS)


def retelling_schema(source: Source) -> Schema:
    rest = {"type": "string", "minLength": 60, "maxLength": 300}
    return object_of({"verb": {"type": "string", "enum": _verbs(source)}, "rest": rest})


def _verbs(source: Source) -> list[str]:
    said = " ".join(source.sentences).lower()
    found = [f"{verb} that" for verb in _FINDING if verb in said]
    return [*MAKING, *(verb for verb in _DOING if verb[:-1] in said), *found]


def sentences_of(answer: Any, source: Source) -> list[Sentence]:
    """The sentences that can be made from an answer: the whole sentence, and shorter versions without the
    last clauses, where a model of 1.5 B parameters adds invented claims (", improving …"). Empty if the answer
    has another form."""
    verb, rest = (answer.get("verb"), answer.get("rest")) if isinstance(answer, dict) else (None, None)
    if verb not in _verbs(source) or not isinstance(rest, str) or _NO_OBJECT.match(rest):
        return []
    if verb in MAKING and not _is_made(rest, source):
        return []
    rest = re.sub(r"\s+", " ", rest).strip().rstrip(".")
    beginning = re.escape(" ".join(rest.split()[:2]))
    if article := re.search(rf"\b(?:an?|the) (?={beginning})", " ".join(source.sentences)):
        rest = article[0] + rest  # the model leaves out the article after the verb
    return [_sentence(verb, text, source) for text in [rest, *_shortened(rest)]]


def _is_made(rest: str, source: Source) -> bool:
    """Whether the first word of `rest` occurs in the source soon after a verb of `MAKING`. Otherwise the
    authors may not have made it: a model wrote "present open-vocabulary detection" for authors who improve
    it."""
    first = next(iter(words(rest)), "")
    made = "|".join(verb[:-1] for verb in MAKING)
    soon = rf"(?:{made})\w*(?:\W+\w+){{0,{_SOON}}}?\W+{re.escape(first[:4])}"
    return bool(re.search(soon, " ".join(source.sentences).lower()))


def _shortened(rest: str) -> list[str]:
    """The sentence without the clauses after a comma, the longest version first. It is not cut within
    parentheses, before the last item of a list, or after "i.e."."""
    commas = [match.start() for match in _COMMA.finditer(rest)]
    shorter = [rest[:comma] for comma in reversed(commas)]
    whole = [text for text in shorter if text.count("(") == text.count(")") and ":" not in text]
    return [text for text in whole if len(text.split()) >= _WHOLE]


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
_SHOWN = re.compile(r'^"[^"]*" ')  # the quoted beginning of a sentence in a fault; the model would copy it
_COPIED = 8  # so many words in a row of the source need quotation marks
_WORD = re.compile(r"\w+")
_LEANS = re.compile(r"\b(?:this|these|those|such(?! (?:as|that))|former|latter)\b")  # on what is left out
_FIRST_PERSON = re.compile(r"\b(?:we|our|ours|us|this (?:paper|work|study))\b", re.IGNORECASE)
_TURNS = re.compile(r"\b(?:not|no|without|never|cannot|less|fewer|unlike|than)\b")


def disagreements(sentence: Sentence, source: Source, material: Material, embedder: Embedder) -> list[str]:
    """The faults of the sentence, in words for the model. Empty if the sentence agrees with its source."""
    text = sentence.text
    found = [_SHOWN.sub("It ", f) for f in sentence_faults(sentence, material) if f != COPIED]
    if not _FEWEST <= len(text.split()) <= _MOST:
        found.append(f"It has {len(text.split())} words; write {_FEWEST} to {_MOST}.")
    if _FIRST_PERSON.search(text):
        found.append('It says "we", "our" or "this paper".')
    if leans := _LEANS.search(text):
        found.append(f"It says “{leans[0]}”, which refers to a sentence that is not given.")
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


def with_marks(sentence: Sentence, source: Source) -> Sentence | None:
    """The sentence with quotation marks around each run of `_COPIED` or more words that a sentence of the source
    contains; the verb after the authors' names stays outside. Returns None if such a run differs from the source
    in its punctuation or capitals, or if the model has written quotation marks."""
    text, marked, at = sentence.text, "", 0
    if re.search('[“”"]', text):
        return None
    spans = [match.span() for match in _WORD.finditer(text)]
    texts = [f" {' '.join(_WORD.findall(said.lower()))} " for said in source.sentences]
    start = len(text.split()[:2]) - ("that" not in text.split()[:2]) if sentence.textual else 0
    while start + _COPIED <= len(spans):
        end = start
        while end < len(spans) and any(_run(text, spans[start : end + 1]) in said for said in texts):
            end += 1
        if end - start < _COPIED:
            start += 1
            continue
        first, last = spans[start][0], spans[end - 1][1]
        last += text[last] == ")" and "(" in text[first:last].rpartition(")")[2]
        if not any(text[first:last] in said for said in source.sentences):
            return None
        marked, at, start = f"{marked}{text[at:first]}“{text[first:last]}”", last, end
    return replace(sentence, text=marked + text[at:])


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
    return one[:first] == other[:first] and abs(len(one) - len(other)) <= _ENDING
