"""Orders the entries of a project by their relevance to the sentence at the cursor, without a model.

`Weights` lists the signs of relevance and what each of them counts.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter

from ..bib.index import BibIndex, Terms, folded, stems
from .surroundings import NEARBY, Cited, Here

_REACH = 10  # entries of the bibliography on either side of those cited near the cursor
_FAR = 3000  # characters after which a citation of the same entry tells little
_SHOWN_WORDS = 4
_MOST_REASONS = 2
_MOST = 200  # entries of a bibliography
_MOST_CITED = 1500  # citations elsewhere whose sentences are compared; a thesis may have 5,000
_TELLING = 25  # rarest words of the sentence, which are compared with the sentences of other citations
_USUAL = 0.04  # of the citing sentences
_EXPLAINED = 20  # entries with an explanation: as many as a screen shows


@dataclass(frozen=True, slots=True)
class Weights:
    """What each sign of relevance counts, learned by `python -m benchmarks.completion --fit`. The exception is
    `used`: a citation that is hidden there seems to be unused, so that -2.4 is learned, at the cost of works
    that are cited again.

    `sentence`, `lead`: BM25 of title and abstract with the sentence, and the words just before the cursor. `title`: the part of the title that the sentence contains. `key`: a word
    of the sentence is in the key alone. `named`: an author is named before the cursor. `beside`: closeness, in
    the bibliography, to the entries cited near the cursor, because authors add entries as they need them.
    For an entry that is cited elsewhere: `contexts`, the words of these sentences that are in the sentence
    at the cursor; `leads`, the same for the words just before the citations; `together`, the log of how often
    it is cited near the works that are cited near the cursor; `often`, the log of how often it is cited;
    `name`, that it is cited directly after a name, like UCBV, that is in the sentence at the cursor (set by hand);
    `used`, that it is cited at all; `lately`, how close to the cursor."""

    sentence: float = 0.17
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
    name: float = 1.5


LEARNED = Weights()
# Weights for the offers at the ends of sentences: most of these sentences need no citation. With the weights
# above, of the best 50 offers 64 % are right instead of 80 % (`python -m benchmarks.offers`).
FOR_OFFERS = Weights(
    sentence=0.46,
    lead=0.0,
    title=0.0,
    key=4.0,
    named=9.0,
    beside=2.0,
    contexts=0.35,
    leads=0.0,
    together=2.4,
    often=0.0,
    used=-3.0,
    lately=0.0,
    name=0.0,
)


@dataclass(frozen=True, slots=True)
class Relevant:
    """`why`: for the author; `own`: whether a part of it is in the sentence itself, and not only near it."""

    score: float = 0.0
    why: str = ""
    own: bool = False


def relevance(
    index: BibIndex, here: Here, cited: Sequence[Cited], weights: Weights = LEARNED
) -> dict[int, Relevant]:
    """The relevance of the entries that have any sign of it, by their number in `index.sorted`."""
    elsewhere = elsewhere_of(here, cited, index.terms)
    scores, named = scored(index, here, elsewhere, weights), index.terms.named(here.before)
    best = sorted(sorted(scores), key=scores.__getitem__, reverse=True)[:_MOST]
    free = [number for number in best if index.sorted[number].key not in here.taken]
    return {
        number: Relevant(
            scores[number],
            *(_why(index, number, here, elsewhere, number in named) if at < _EXPLAINED else ()),
        )
        for at, number in enumerate(free)
    }


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """What the citations elsewhere tell about each key (see `Weights`). `counts`: how often it is cited;
    `words`: the stems that count in `contexts` and `leads`; `usual`: those of them that are in so many citing
    sentences that they explain nothing to the author, such as `has` and `proposed`."""

    counts: Counter[str]
    contexts: Mapping[str, float]
    words: Mapping[str, Sequence[frozenset[str]]]
    usual: frozenset[str]
    leads: Mapping[str, float]
    together: Mapping[str, float]
    lately: Mapping[str, float]
    names: Mapping[str, str]


def scored(index: BibIndex, here: Here, elsewhere: Elsewhere, weights: Weights = LEARNED) -> dict[int, float]:
    """The score of each entry that has any sign of relevance, by its number in `index.sorted`."""
    terms = index.terms
    words = dict.fromkeys(here.sentence, weights.sentence)
    for word in here.lead:
        words[word] = words.get(word, 0.0) + weights.lead
    counts, number_of = elsewhere.counts, terms.number_of
    worth = {count: weights.often * math.log1p(count) + weights.used for count in set(counts.values())}
    scores = defaultdict(
        float, [(number_of[key], worth[count]) for key, count in counts.items() if key in number_of]
    )
    for number, score in terms.scores(words).items():
        scores[number] += score
    for number, part in terms.covered(here.sentence).items():
        scores[number] += weights.title * part
    for number in terms.with_key_word(here.sentence):
        scores[number] += weights.key
    for number in terms.named(here.before):
        scores[number] += weights.named
    for number, closeness in _beside(index, here.near).items():
        scores[number] += weights.beside * closeness
    for key in elsewhere.names.keys() & number_of.keys():
        scores[number_of[key]] += weights.name
    for weight, signs in (
        (weights.contexts, elsewhere.contexts),
        (weights.leads, elsewhere.leads),
        (weights.together, elsewhere.together),
        (weights.lately, elsewhere.lately),
    ):
        for key, sign in signs.items():
            if (number := number_of.get(key, -1)) >= 0:
                scores[number] += weight * sign
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
    words: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    leads: defaultdict[str, float] = defaultdict(float)
    together: Counter[str] = Counter()
    distance: dict[str, int] = {}
    names: dict[str, str] = {}
    counts, often = Counter(map(attrgetter("key"), cited)), Counter[str]()
    known = [(terms.idf(word), word) for word in here.sentence if not terms.is_common(word)]
    weights = {word: weight for weight, word in heapq.nlargest(_TELLING, known)}
    telling, lead, weight_of = frozenset(weights), frozenset(here.lead) & weights.keys(), weights.__getitem__
    for one in cited[:_MOST_CITED]:
        key = one.key
        if one.name in here.names:
            names[key] = one.name
        if one.file is here.file:  # comparing paths takes longer than all the rest
            away = abs(one.start - here.start)
            distance[key] = min(away, distance.get(key, away))
            if away < NEARBY:
                continue
        if shared := telling & one.words:
            contexts[key] += one.damping * sum(map(weight_of, shared)) / (1 + counts[key])
            words[key].append(shared)
            often.update(shared)
        if shared := lead & one.lead:  # also words of the sentence before, which are not in `words`
            leads[key] += sum(map(weight_of, shared)) / (1 + counts[key])
            words[key].append(shared)
        if not here.near.isdisjoint(one.near):
            together[key] += 1
    return Elsewhere(
        counts,
        contexts,
        words,
        frozenset(word for word, count in often.items() if count > max(2, _USUAL * len(cited))),
        leads,
        {key: math.log1p(count) for key, count in together.items()},
        {key: math.exp(-away / _FAR) for key, away in distance.items()},
        names,
    )


def _why(index: BibIndex, number: int, here: Here, elsewhere: Elsewhere, named: bool) -> tuple[str, bool]:
    """The signs that count most for the entry, those in the sentence itself first, and whether there are such signs."""
    terms, weights, entry = index.terms, LEARNED, index.sorted[number]
    count = elsewhere.counts[entry.key]
    shared = [word for word in here.sentence if terms.contains(number, word)]
    title = set(stems(folded(entry.fields.get("title") or entry.fields.get("text", ""))))  # as in `BibIndex`
    part = len(title & here.sentence.keys()) / max(1, len(title))
    together = elsewhere.together.get(entry.key, 0.0)
    times = round(math.expm1(together))
    places = "1 place" if times == 1 else f"{times} places"
    contexts = weights.contexts * elsewhere.contexts.get(entry.key, 0.0)
    said = frozenset().union(*elsewhere.words.get(entry.key, ())) - elsewhere.usual
    own = [
        (1e9 * (entry.key in elsewhere.names), f"you cite it for {elsewhere.names.get(entry.key)}"),
        (weights.named * named, "its author is named"),
        (
            weights.sentence * sum(map(terms.idf, shared)) + weights.title * part,
            f"{'your words' if part else 'in its abstract'}: {_shown(shared, here, terms)}",
        ),
        (
            (contexts + weights.leads * elsewhere.leads.get(entry.key, 0.0)) * bool(said),
            f"you cite it with: {_shown(said, here, terms)}",
        ),
    ]
    near = [
        (weights.together * together, f"cited near the same works in {places}"),
        (weights.often * math.log1p(count) + weights.used, f"cited {count} times"),
    ]
    ordered = [text for of in (own, near) for value, text in sorted(of, reverse=True) if value > 0]
    return "; ".join(ordered[:_MOST_REASONS]), max(own)[0] > 0


def _shown(words: Collection[str], here: Here, terms: Terms) -> str:
    """The rarest of the words, as they are written in the sentence at the cursor."""
    rare = set(heapq.nlargest(_SHOWN_WORDS, words, key=terms.idf))
    return ", ".join(word for stem, word in here.sentence.items() if stem in rare)
