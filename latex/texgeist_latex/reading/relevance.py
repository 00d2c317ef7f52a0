"""Orders the entries of a project by their relevance to the sentence at the cursor, without a model.

An entry is more relevant if its title, abstract or key shares words with the sentence and the paragraph; if
one of its authors is named before the cursor; if it is cited elsewhere in similar sentences; if it is cited
elsewhere near the works that are cited near the cursor; if it stands beside their entries in the bibliography,
because authors add entries as they need them; and if it is not cited yet.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from ..bib.index import BibIndex, Terms, folded, stems
from ..tex.wordlists import FUNCTION_WORDS
from ..types import Citation

# Learned from the citations of 20 real documents (`python -m benchmarks.completion`).
_SENTENCE, _PARAGRAPH, _KEY, _NAMED, _CITED, _NEAR, _UNUSED, _HERE = 0.46, 0.14, 4.0, 9.0, 0.35, 2.4, 3.0, 1.5
_BESIDE, _REACH = 2.0, 10  # weight and distance of an entry that stands beside those cited near the cursor
_BEFORE, _AFTER, _NEARBY, _NAME = 1500, 400, 600, 60  # characters around the cursor
_END = re.compile(r"[.!?][})]?\s+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\r?\n")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_COMMANDS = re.compile(r"\\[A-Za-z@]*cite[A-Za-z@]*\*?(?:\[[^\]]*\])*\{[^}]*\}|\\[A-Za-z@]+\*?|[{}$~\[\]]")
_SHOWN_WORDS = 4
_LONGEST_SENTENCE = 300  # characters on either side
_MOST = 200  # entries of a bibliography
_MOST_CITED = 1500  # citations elsewhere whose sentences are compared; a thesis may have 5,000
_TELLING = 25  # rarest words of the sentence, which are compared with the sentences of other citations
_EXPLAINED = 20  # entries with an explanation: as many as a screen shows


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation elsewhere: the words of its sentence, and the keys that are cited near it."""

    key: str
    file: Path
    start: int
    words: frozenset[str]
    damping: float  # of BM25: a word counts less in a long sentence
    near: frozenset[str]


@dataclass(frozen=True, slots=True)
class Here:
    """The text at the cursor. `taken`: keys in the same command, which are not offered again."""

    sentence: tuple[str, ...]  # stems
    paragraph: tuple[str, ...]  # stems of the paragraph that are not in the sentence
    before: tuple[str, ...]  # capitalised words before the cursor, which may name an author
    near: frozenset[str]
    taken: frozenset[str]
    file: Path
    start: int


@dataclass(frozen=True, slots=True)
class Relevant:
    score: float
    why: str  # for the author; "" if there is nothing to say


NOT_RELEVANT = Relevant(0.0, "")


def cited_in(text: str, citations: Sequence[Citation]) -> list[Cited]:
    """The citations of a file with their surroundings."""
    found = []
    for place, citation in enumerate(citations):
        start, end = citation.command_span.start, citation.command_span.end
        low, high = max(0, place - 12), place + 13
        near = {
            other.key
            for other in citations[low:high]
            if other is not citation and abs(other.command_span.start - start) < _NEARBY
        }
        words = _words_around(text[max(0, start - _LONGEST_SENTENCE) : start], text[end : end + _AFTER])
        damping = 2.2 / (1.6 + 0.05 * len(words))
        found.append(Cited(citation.key, citation.span.file, start, words, damping, frozenset(near)))
    return found


def here_at(text: str, file: Path, start: int, end: int, citations: Sequence[Citation]) -> Here:
    """The surroundings of the key between `start` and `end`."""
    low = max(0, start - _BEFORE)
    breaks = list(_PARAGRAPH_END.finditer(text, low, start))
    low = breaks[-1].end() if breaks else low
    before, after = sentence_at(text, start, end)
    sentence = _stems(before) | _stems(after)
    near, taken = set(), set()
    for citation in citations:
        span = citation.command_span
        if span.start <= start <= span.end:
            taken.add(citation.key)
        elif abs(span.start - start) < _NEARBY:
            near.add(citation.key)
    paragraph = _stems(text[low:start]) - sentence
    return Here(
        tuple(sentence),
        tuple(paragraph),
        capitalised(before[-_NAME:]),
        frozenset(near | taken),
        frozenset(taken),
        file,
        start,
    )


def relevance(index: BibIndex, here: Here, cited: Sequence[Cited]) -> dict[int, Relevant]:
    """The relevance of the entries that have any sign of it, by their number in `index.sorted`."""
    terms = index.terms
    weights = dict.fromkeys(here.paragraph, _PARAGRAPH) | dict.fromkeys(here.sentence, _SENTENCE)
    scores = terms.scores(weights)
    for number in terms.with_key_word(here.sentence):
        scores[number] += _KEY
    named = terms.named(here.before)
    for number in named:
        scores[number] += _NAMED
    for number, closeness in _beside(index, here.near).items():
        scores[number] += _BESIDE * closeness
    contexts, together, counts = _from_citations(here, cited, terms)
    for number in scores:
        if index.sorted[number].key not in counts:
            scores[number] += _UNUSED
    for key in contexts.keys() | together.keys() | here.near:
        place = terms.number_of.get(key)
        if place is not None and key in counts:
            scores[place] += _CITED * contexts[key] / (1 + counts[key]) + _NEAR * math.log1p(together[key])
            scores[place] += _HERE * (key in here.near)
    best = heapq.nlargest(_MOST, [(score, -number) for number, score in scores.items()])
    free = [(-least, score) for score, least in best if index.sorted[-least].key not in here.taken]
    return {
        number: Relevant(
            score, _why(index, number, here, number in named, together) if at < _EXPLAINED else ""
        )
        for at, (number, score) in enumerate(free)
    }


def _beside(index: BibIndex, keys: frozenset[str]) -> dict[int, float]:
    """The entries near the entries with these keys, each with its closeness, 1 / distance."""
    entries, found = index.bibliography.entries, dict[int, float]()
    for place in (index.places[key] for key in keys if key in index.places):
        for other in range(max(0, place - _REACH), min(len(entries), place + _REACH + 1)):
            if (key := entries[other].key) not in keys:
                number = index.terms.number_of[key]
                found[number] = max(found.get(number, 0.0), 1 / max(1, abs(other - place)))
    return found


def _from_citations(
    here: Here, cited: Sequence[Cited], terms: Terms
) -> tuple[dict[str, float], Counter[str], Counter[str]]:
    """Three values for each cited key: how much of the sentence at the cursor occurs in other sentences that
    cite the key; how often the key is cited near works that are also cited near the cursor; and how often it
    is cited."""
    contexts: defaultdict[str, float] = defaultdict(float)
    together: Counter[str] = Counter()
    counts = Counter(map(attrgetter("key"), cited))
    known = [(terms.idf(word), word) for word in here.sentence if not terms.is_common(word)]
    weights = {word: weight for weight, word in heapq.nlargest(_TELLING, known)}
    telling = frozenset(weights)
    for one in cited[:_MOST_CITED]:
        if abs(one.start - here.start) < _NEARBY and one.file == here.file:
            continue
        if not telling.isdisjoint(one.words):
            contexts[one.key] += one.damping * sum([weights[word] for word in telling & one.words])
        if not here.near.isdisjoint(one.near):
            together[one.key] += 1
    return contexts, together, counts


def _why(index: BibIndex, number: int, here: Here, named: bool, counts: Mapping[str, int]) -> str:
    parts, together = [], counts.get(index.sorted[number].key, 0)
    if named:
        parts.append("an author is named before the cursor")
    telling = set(here.sentence) - FUNCTION_WORDS
    shared = [word for word in telling if index.terms.contains(number, word)]
    if shared:
        rare = sorted(shared, key=index.terms.idf, reverse=True)[:_SHOWN_WORDS]
        title = folded(index.sorted[number].fields.get("title", "")).split()
        shown = [word for word in title if not set(rare).isdisjoint(stems(word))]
        if shown:
            parts.append(f"your words: {', '.join(dict.fromkeys(shown))}")
    if together:
        parts.append(f"cited near the same works in {together} {'place' if together == 1 else 'places'}")
    return "; ".join(parts)


def sentence_at(text: str, start: int, end: int) -> tuple[str, str]:
    """The text of the sentence before and after the place. If the place is at the beginning of a sentence,
    the previous sentence is included, because a citation may follow its full stop."""
    before = text[max(0, start - _LONGEST_SENTENCE) : start]
    if breaks := list(_PARAGRAPH_END.finditer(before)):
        before = before[breaks[-1].end() :]
    ends = [match.end() for match in _END.finditer(before)]
    if ends and len(before) - ends[-1] < 40:
        ends.pop()
    after = text[end : end + _AFTER]
    stop = _END.search(_PARAGRAPH_END.split(after, maxsplit=1)[0])
    return before[ends[-1] if ends else 0 :], after[: stop.end()] if stop else after.partition("\n\n")[0]


@lru_cache(maxsize=20_000)
def _words_around(before: str, after: str) -> frozenset[str]:
    """The stems of the sentence between these texts."""
    before, after = sentence_at(before + after, len(before), len(before))
    return _stems(before) | _stems(after)


def _stems(text: str) -> frozenset[str]:
    return frozenset(stems(folded(_plain(text))))


def plain_words(text: str) -> list[str]:
    """The words of LaTeX text, without commands, citations and comments."""
    return _plain(text).split()


def capitalised(text: str) -> tuple[str, ...]:
    """The words with a capital letter, folded."""
    return tuple(part for word in plain_words(text) if word != word.lower() for part in folded(word).split())


def _plain(text: str) -> str:
    return _COMMANDS.sub(" ", _COMMENT.sub("", text))
