"""How likely it is that a paper fits a sentence or answers a question. Papers are listed in this order.

A search always returns papers, and in a library on the author's subject all of them are near. The chance is a logistic
regression on four numbers. Their weights within a library were fitted to citing sentences of LaTeX projects and of
related-work sections; then a reader's judgements of 248 (sentence, paper) pairs of 15 projects, whose libraries had
discovered papers too, fixed bias and scale (`python -m benchmarks.fitting`). The words of the abstract count only by
their rarity: their share of the sentence's words did not tell accepted papers from others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..ranking.features import SHARE
from ..ranking.storage import load_words
from ..text.words import STOP_WORDS, counted, words
from ..types import Candidate, Matrix, Query, Vector

_FREQUENT = 0.15  # of the papers
NEAREST = 3  # papers that are named if none fits
# Weights of: the sum over the shared words, each weighted by its rarity among the papers found; the learned ranker's
# score; the cosine of sentence and abstract; whether the paper was discovered, and is not from the user's index (authors
# rarely cite these for a sentence; of a question this says nothing).
WEIGHTS, BIAS = (0.129, 0.159, 2.247, -1.86), -3.65
_USUAL = 0.45  # the cosine if the vectors are of another model
_NEAR = 0.4  # similarity of a paper that is named although it is unlikely to fit
_OTHERS = 20  # papers without these words that are added to those found, so that few papers can be compared
MEANING = "In a test on real papers, a reader accepted two of three likely papers, and one of three possible papers."


def by_chance(query: Query, vector: Vector | None, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with their `chance`, the highest first. `vector`: of the sentence or question; None if it is
    not of the embedding model `CALIBRATED`."""
    weights = (*WEIGHTS[:-1], 0.0) if query.kind == "question" else WEIGHTS
    odds = numbers_of(query.text or query.parts[0].text, vector, found) @ weights + BIAS
    chances = (1 / (1 + np.exp(-odds))).tolist()
    rated = (replace(c, chance=round(chance, 2)) for c, chance in zip(found, chances, strict=True))
    return sorted(rated, key=lambda c: -(c.chance or 0.0))


def numbers_of(text: str, vector: Vector | None, found: Sequence[Candidate]) -> Matrix:
    """The numbers of `WEIGHTS`, a row for each candidate. The cost is linear in the number of candidates."""
    statistics, asked = load_words(), frozenset(words(text))
    texts = [asked & counted(f"{c.paper.title} {c.paper.abstract}").keys() for c in found]
    papers = Counter(word for shared in texts for word in shared)
    most = len(found) + _OTHERS + 1
    rare = {w: statistics.idf(w) * np.log(most / (n + 0.5)) / np.log(most / 0.5) for w, n in papers.items()}
    numbers = [
        (
            sum(rare[word] for word in shared),
            c.score if SHARE in c.scores else 0.0,
            _USUAL if vector is None or c.vector is None else float(c.vector @ vector),
            bool(c.discovered),
        )
        for c, shared in zip(found, texts, strict=True)
    ]
    return np.array(numbers).reshape(-1, len(WEIGHTS))


def frequent_words() -> frozenset[str]:
    """The words, with their plurals, that are in so many papers that they are no reason to cite one of them."""
    known = load_words()
    often = [word for word, count in known.counts.items() if count > _FREQUENT * known.documents]
    return STOP_WORDS.union(often, (f"{word}s" for word in often))


def nearest_in_words(candidates: Sequence[Candidate]) -> str:
    """A sentence that names the first papers that may fit or are near, with year and chance, for the user; "" if there
    are none: titles on other subjects help nobody."""
    first = [c for c in candidates if c.chance is not None][:NEAREST]
    nearest = [c for c in first if c.possible] or [c for c in first if c.similarity >= _NEAR]
    named = ", ".join(f"“{c.paper.title}” ({c.paper.year or 'no year'}, {c.fit})" for c in nearest)
    return f"Nearest: {named}." if named else ""
