"""How likely it is that a paper fits a sentence or answers a question. Papers are listed in this order; those below
`LEAST_CHANCE` are shown as the nearest papers, but they are neither cited nor quoted.

A search always returns papers, and their similarity alone hardly tells whether a right paper is among them: papers
on the same subject are similar to every sentence of a draft. Words tell more, above all words that few of the
papers found contain. The chance is a logistic regression on five numbers, fitted to citing sentences of related-work
sections and of LaTeX projects, with and without the cited paper in the library (`python -m benchmarks.fitting`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ..defaults import TITLES_ONLY
from ..ranking.features import SHARE
from ..ranking.storage import load_words
from ..text.words import counted, words
from ..types import Candidate, Matrix, Query, Vector

NEAREST = 3  # papers that are named if none fits
# Weights of: the share of the sentence's words that the paper has; the sum over these words, each weighted by its
# rarity among the papers found; the share of the title's words that the sentence has; the learned ranker's score; the
# cosine of sentence and abstract. The bias is such that of the right papers of related-work sections, 10 % do not fit.
WEIGHTS, BIAS = (1.58, 0.166, 0.54, 0.345, 2.01), -3.86
# Added for a paper without abstract, which can share few words: in LaTeX projects, 27 instead of 36 % are lost.
_TITLE_ALONE = 0.4
_USUAL = 0.45  # the cosine if the vectors are of another model
_OTHERS = 20  # papers without these words that are added to those found, so that few papers can be compared


def by_chance(query: Query, vector: Vector | None, found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates with their `chance`, the highest first. `vector`: of the sentence or question; None if it is
    not of the embedding model `CALIBRATED`."""
    rated = zip(found, chances(query.text or query.parts[0].text, vector, found), strict=True)
    return sorted((replace(c, chance=chance) for c, chance in rated), key=lambda c: -(c.chance or 0.0))


def chances(text: str, vector: Vector | None, found: Sequence[Candidate]) -> list[float]:
    """One chance for each candidate. The cost is linear in the number of candidates."""
    odds = numbers_of(text, vector, found) @ WEIGHTS + BIAS
    odds += np.array([0.0 if c.paper.abstract else _TITLE_ALONE for c in found])
    return [round(float(chance), 2) for chance in 1 / (1 + np.exp(-odds))]


def numbers_of(text: str, vector: Vector | None, found: Sequence[Candidate]) -> Matrix:
    """The numbers of `WEIGHTS`, a row for each candidate."""
    statistics, asked = load_words(), frozenset(words(text))
    texts = [asked & counted(f"{c.paper.title} {c.paper.abstract}").keys() for c in found]
    papers = Counter(word for shared in texts for word in shared)
    most = len(found) + _OTHERS + 1
    rare = {w: statistics.idf(w) * np.log(most / (n + 0.5)) / np.log(most / 0.5) for w, n in papers.items()}
    numbers = [
        (
            statistics.share(asked, shared),
            sum(rare[word] for word in shared),
            statistics.share(words(c.paper.title), asked),
            c.score if SHARE in c.scores else 0.0,
            _USUAL if vector is None or c.vector is None else float(c.vector @ vector),
        )
        for c, shared in zip(found, texts, strict=True)
    ]
    return np.array(numbers).reshape(-1, len(WEIGHTS))


def none_fits(claim: str, found: Sequence[Candidate]) -> str:
    """`claim`, that no paper fits; or `TITLES_ONLY` if only the titles of most papers are known."""
    return TITLES_ONLY if _mostly_titles(found) else claim


def nearest_in_words(candidates: Sequence[Candidate]) -> str:
    """A sentence that names the first papers, with their chances, for the user; "" without papers."""
    nearest = [c for c in candidates if c.chance is not None][:NEAREST]
    named = ", ".join(f"“{c.paper.title}” ({c.chance:.0%})" for c in nearest)
    judged = not (any(c.fits for c in nearest) or _mostly_titles(nearest))
    return f"Nearest{', but probably not about this' if judged else ''}: {named}." if named else ""


def _mostly_titles(found: Sequence[Candidate]) -> bool:
    return 2 * sum(c.paper.title_only for c in found) > len(found)
