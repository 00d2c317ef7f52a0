"""Orders the entries of a project by their relevance to the sentence at the cursor, without a model.

`Weights` lists the signs of relevance and what each of them counts.
"""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import attrgetter
from pathlib import Path

from ..bib.index import BibIndex, Terms, folded, stems
from ..types import Citation

_REACH = 10  # entries of the bibliography on either side of those cited near the cursor
_FAR = 3000  # characters after which a citation of the same entry tells little
_LEAD = 45  # characters before a citation: what is cited there is usually named in them
_BEFORE, _AFTER, _NEARBY, _NAME = 1500, 400, 600, 60  # characters around the cursor
_END = re.compile(r"[.!?][})]?\s+")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\r?\n")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*")
_COMMANDS = re.compile(
    r"\\[A-Za-z@]*cite[A-Za-z@]*\*?(?:\[[^\]]*\])*\{[^}]*(?:\}|\Z)|\\[A-Za-z@]+\*?|[{}$~\[\]]"
)
_SHOWN_WORDS = 4
_MOST_REASONS = 2
_LONGEST_SENTENCE = 300  # characters on either side
_MOST = 200  # entries of a bibliography
_MOST_CITED = 1500  # citations elsewhere whose sentences are compared; a thesis may have 5,000
_TELLING = 25  # rarest words of the sentence, which are compared with the sentences of other citations
_EXPLAINED = 20  # entries with an explanation: as many as a screen shows


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign of relevance counts, learned by `python -m benchmarks.completion --fit`. The exception is
    `used`: a citation that is hidden there seems to be unused, so that -2.4 is learned, at the cost of works
    that are cited again.

    `sentence`, `paragraph`, `lead`: BM25 of title and abstract with the sentence, the rest of the paragraph, and
    the words just before the cursor. `title`: the part of the title that the sentence contains. `key`: a word
    of the sentence is in the key alone. `named`: an author is named before the cursor. `beside`: closeness, in
    the bibliography, to the entries cited near the cursor, because authors add entries as they need them.
    For an entry that is cited elsewhere: `contexts`, the words of these sentences that are in the sentence
    at the cursor; `leads`, the same for the words just before the citations; `together`, the log of how often
    it is cited near the works that are cited near the cursor; `often`, the log of how often it is cited;
    `used`, that it is cited at all; `lately`, how close to the cursor."""

    sentence: float = 0.17
    paragraph: float = 0.15
    lead: float = 0.21
    title: float = 2.25
    key: float = 2.05
    named: float = 4.08
    beside: float = 2.13
    contexts: float = 0.27
    leads: float = 0.53
    together: float = 0.77
    often: float = 1.24
    used: float = -1.8
    lately: float = -0.53


LEARNED = Weights()
# Weights for the offers at the ends of sentences: most of these sentences need no citation.
FOR_OFFERS = Weights(0.46, 0.14, 0.0, 0.0, 4.0, 9.0, 2.0, 0.35, 0.0, 2.4, 0.0, -3.0, 0.0)


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation elsewhere: the words of its sentence, and the keys that are cited near it."""

    key: str
    file: Path
    start: int
    words: frozenset[str]
    lead: frozenset[str]  # the words just before the citation
    damping: float  # of BM25: a word counts less in a long sentence
    near: frozenset[str]


@dataclass(frozen=True, slots=True)
class Here:
    """The text at the cursor. `taken`: keys in the same command, which are not offered again."""

    sentence: dict[str, str]  # words, by their stems
    paragraph: tuple[str, ...]  # stems of the paragraph that are not in the sentence
    lead: tuple[str, ...]  # stems of the words just before the cursor
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
        before = text[max(0, start - _LONGEST_SENTENCE) : start]
        words = _words_around(before, text[end : end + _AFTER])
        damping = 2.2 / (1.6 + 0.05 * len(words))
        lead = _lead(before)
        found.append(Cited(citation.key, citation.span.file, start, words, lead, damping, frozenset(near)))
    return found


def here_at(text: str, file: Path, start: int, end: int, citations: Sequence[Citation]) -> Here:
    """The surroundings of the key between `start` and `end`."""
    low = max(0, start - _BEFORE)
    breaks = list(_PARAGRAPH_END.finditer(text, low, start))
    low = breaks[-1].end() if breaks else low
    before, after = sentence_at(text, start, end)
    sentence = {stem: word for word in folded(_plain(f"{before} {after}")).split() for stem in stems(word)}
    near, taken = set(), set()
    for citation in citations:
        span = citation.command_span
        if span.start <= start <= span.end:
            taken.add(citation.key)
        elif abs(span.start - start) < _NEARBY:
            near.add(citation.key)
    return Here(
        sentence,
        tuple(_stems(text[low:start]) - sentence.keys()),
        tuple(_lead(before)),
        capitalised(before[-_NAME:]),
        frozenset(near | taken),
        frozenset(taken),
        file,
        start,
    )


def relevance(
    index: BibIndex, here: Here, cited: Sequence[Cited], weights: Weights = LEARNED
) -> dict[int, Relevant]:
    """The relevance of the entries that have any sign of it, by their number in `index.sorted`."""
    elsewhere = elsewhere_of(here, cited, index.terms)
    scores, named = scored(index, here, elsewhere, weights), index.terms.named(here.before)
    best = heapq.nlargest(_MOST, [(score, -number) for number, score in scores.items()])
    free = [(-least, score) for score, least in best if index.sorted[-least].key not in here.taken]
    return {
        number: Relevant(
            score, _why(index, number, here, elsewhere, number in named) if at < _EXPLAINED else ""
        )
        for at, (number, score) in enumerate(free)
    }


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the citations elsewhere tell about each key (see `Weights`). `counts`: how often it is cited;
    `words`: the stems that count in `contexts` and `leads`."""

    counts: Counter[str]
    contexts: Mapping[str, float]
    words: Mapping[str, frozenset[str]]
    leads: Mapping[str, float]
    together: Mapping[str, int]
    distance: Mapping[str, int]  # characters to the nearest citation in the same file


def scored(index: BibIndex, here: Here, elsewhere: Elsewhere, weights: Weights = LEARNED) -> dict[int, float]:
    """The score of each entry that has any sign of relevance, by its number in `index.sorted`."""
    terms = index.terms
    words = dict.fromkeys(here.paragraph, weights.paragraph) | dict.fromkeys(here.sentence, weights.sentence)
    for word in here.lead:
        words[word] = words.get(word, 0.0) + weights.lead
    scores = terms.scores(words)
    for number, part in terms.covered(here.sentence).items():
        scores[number] += weights.title * part
    for number in terms.with_key_word(here.sentence):
        scores[number] += weights.key
    for number in terms.named(here.before):
        scores[number] += weights.named
    for number, closeness in _beside(index, here.near).items():
        scores[number] += weights.beside * closeness
    for key, count in elsewhere.counts.items():
        if (place := terms.number_of.get(key)) is not None:
            scores[place] += (
                weights.contexts * elsewhere.contexts.get(key, 0.0) / (1 + count)
                + weights.leads * elsewhere.leads.get(key, 0.0) / (1 + count)
                + weights.together * math.log1p(elsewhere.together.get(key, 0))
                + weights.often * math.log1p(count)
                + weights.used
            )
            if key in elsewhere.distance:
                scores[place] += weights.lately * math.exp(-elsewhere.distance[key] / _FAR)
    return scores


def _beside(index: BibIndex, keys: frozenset[str]) -> dict[int, float]:
    """The entries near the entries with these keys, each with its closeness, 1 / distance."""
    entries, found = index.bibliography.entries, dict[int, float]()
    for place in (index.places[key] for key in keys if key in index.places):
        for other in range(max(0, place - _REACH), min(len(entries), place + _REACH + 1)):
            if (key := entries[other].key) not in keys:
                number = index.terms.number_of[key]
                found[number] = max(found.get(number, 0.0), 1 / max(1, abs(other - place)))
    return found


def elsewhere_of(here: Here, cited: Sequence[Cited], terms: Terms) -> Elsewhere:
    """Compares the citations elsewhere with the text at the cursor."""
    contexts: defaultdict[str, float] = defaultdict(float)
    words: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    leads: defaultdict[str, float] = defaultdict(float)
    together: Counter[str] = Counter()
    distance: dict[str, int] = {}
    known = [(terms.idf(word), word) for word in here.sentence if not terms.is_common(word)]
    weights = {word: weight for weight, word in heapq.nlargest(_TELLING, known)}
    telling, lead = frozenset(weights), frozenset(here.lead) & weights.keys()
    for one in cited[:_MOST_CITED]:
        if one.file == here.file:
            away = abs(one.start - here.start)
            distance[one.key] = min(away, distance.get(one.key, away))
            if away < _NEARBY:
                continue
        if not telling.isdisjoint(one.words):
            shared = telling & one.words
            contexts[one.key] += one.damping * sum([weights[word] for word in shared])
            words[one.key] |= shared
        if not lead.isdisjoint(one.lead):
            shared = lead & one.lead  # also words of the sentence before, which are not in `words`
            leads[one.key] += sum([weights[word] for word in shared])
            words[one.key] |= shared
        if not here.near.isdisjoint(one.near):
            together[one.key] += 1
    return Elsewhere(Counter(map(attrgetter("key"), cited)), contexts, words, leads, together, distance)


def _why(index: BibIndex, number: int, here: Here, elsewhere: Elsewhere, named: bool) -> str:
    """The signs that count most for the entry."""
    terms, weights, entry = index.terms, LEARNED, index.sorted[number]
    count = elsewhere.counts[entry.key]
    shared = [word for word in here.sentence if terms.contains(number, word)]
    title = set(stems(folded(entry.fields.get("title", ""))))
    part = len(title & here.sentence.keys()) / max(1, len(title))
    together = elsewhere.together.get(entry.key, 0)
    places = "1 place" if together == 1 else f"{together} places"
    place = index.places[entry.key]
    distances = {key: abs(index.places[key] - place) for key in here.near if key in index.places}
    neighbour = min(distances, key=lambda key: distances[key], default="")
    away = distances.get(neighbour, 0)
    beside = 1 / away if 0 < away <= _REACH else 0.0
    contexts = weights.contexts * elsewhere.contexts.get(entry.key, 0.0) / (1 + count)
    reasons = [
        (weights.named * named, "an author is named before the cursor"),
        (
            weights.sentence * sum(map(terms.idf, shared)) + weights.title * part,
            f"{'your words' if part else 'in its abstract'}: {_shown(shared, here, terms)}",
        ),
        (
            contexts + weights.leads * elsewhere.leads.get(entry.key, 0.0) / (1 + count),
            f"you cite it with: {_shown(elsewhere.words.get(entry.key, ()), here, terms)}",
        ),
        (weights.together * math.log1p(together), f"cited near the same works in {places}"),
        (weights.beside * beside, f"beside {neighbour} in the bibliography"),
        (weights.often * math.log1p(count) + weights.used, f"cited {count} times"),
    ]
    best = heapq.nlargest(_MOST_REASONS, reasons, key=lambda reason: reason[0])
    return "; ".join(text for value, text in best if value > 0)


def _shown(words: Collection[str], here: Here, terms: Terms) -> str:
    """The rarest of the words, as they are written in the sentence at the cursor."""
    rare = set(heapq.nlargest(_SHOWN_WORDS, words, key=terms.idf))
    return ", ".join(word for stem, word in here.sentence.items() if stem in rare)


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


def _lead(before: str) -> frozenset[str]:
    """The stems of the last words of the text."""
    return frozenset(stems(folded(_plain(before).rstrip()[-_LEAD:])))


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
