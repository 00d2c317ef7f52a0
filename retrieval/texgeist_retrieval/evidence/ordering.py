"""The order of passages for a query, without a model.

First papers are ordered: by the words of the whole paper, of its title and abstract, by the vector of its
closest passage, and by the year in a citation mark. Then the passages of each paper: by words, vector, best
sentence, and type of section. The weights for papers were learned from citing sentences (a logistic
regression, tested on unseen papers), those for passages from sentences marked by annotators. `python -m
benchmarks.evidence` measures each part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ..index.snapshot import Snapshot
from ..ranking.bm25 import Bm25
from ..ranking.fusion import best, standardise
from ..text.words import query_words
from ..types import SectionType, Vector
from .sentence_scores import told_by, weights_of, years_in

BY_WORDS, BY_ABSTRACT, BY_VECTOR = 0.7, 0.25, 1.2  # weights of standardised scores, in log odds
BY_YEAR, BY_LATER = 4.8, -2.0  # for the year in a mark; for papers later than all marked years
BASE = -11.0  # least log odds of a paper without any match; for smaller libraries see `_base`
BASE_OF_ONE, BASE_BY_NUMBER = -0.75, -1.45  # for one paper, and per log of their number
WORDS_INSIDE, VECTOR_INSIDE, SENTENCE_INSIDE = 0.55, 0.35, 0.6  # weights for passages within a paper
INSIDE: Mapping[SectionType, float] = {"introduction": 0.3}
FIRST = 10.0  # added so that these passages come first
LOOKED_INTO = 8  # passages of a paper, best by words and vector, whose sentences are scored
PAPERS_EACH = 2  # papers examined for each passage that is wanted
MOST_INSIDE = 3  # passages of one paper, each from another type of section
AGAIN = 3.0  # log odds subtracted from each further passage of a paper, in favour of more papers
# Least support of a passage: the mean of its cosine and of the share of the query's words, weighted by
# rarity, that it contains. Of the top passages for citing sentences 2 % are below, of the top passages of
# language technology for questions of medicine 40 %.
FLOOR = 0.25


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage of the snapshot, by its row; `score`, from 0 to 1, is its rank score."""

    row: int
    cosine: float
    score: float


def order(
    snapshot: Snapshot, query: str, vector: Vector, top: int, leave_out: frozenset[str] = frozenset()
) -> list[RankedPassage]:
    """Returns at most `top` passages above the threshold, best first, at most one for each paper and type of
    section."""
    asked = query_words(query)
    if not len(snapshot.paper) or not asked:
        return []
    words = snapshot.by_passage.score(asked)
    cosines = np.asarray(snapshot.vectors @ vector, dtype=np.float32)
    support = (cosines + shared(snapshot.by_passage, asked)) / 2
    papers = _papers(snapshot, query, asked, cosines)
    papers[[row for row, paper in enumerate(snapshot.papers) if paper.id in leave_out]] = -np.inf
    found: list[tuple[float, int]] = []
    weights = weights_of(query, snapshot.by_passage)
    for paper in best(papers, PAPERS_EACH * top + 8):
        if sum(odds >= papers[paper] for odds, _ in found) >= top:
            break  # neither this paper nor the following ones can precede the passages found
        begin, _ = snapshot.rows_of(paper)
        inside = inside_of(snapshot, paper, words, cosines, weights)
        seen: set[int] = set()
        for row in begin + np.argsort(-inside, kind="stable"):
            section = int(snapshot.section[row])
            if support[row] < FLOOR or section in seen or len(seen) == MOST_INSIDE:
                continue
            found.append((float(papers[paper]) - AGAIN * len(seen), int(row)))
            seen.add(section)
    found = [one for one in found if np.isfinite(one[0])]
    found.sort(key=lambda one: -one[0])
    return [RankedPassage(row, float(cosines[row]), _chance(odds)) for odds, row in found[:top]]


def inside_of(
    snapshot: Snapshot, paper: int, words: Vector, cosines: Vector, weights: Mapping[str, float]
) -> Vector:
    """Scores of the passages of one paper. `words`, `cosines`: of all passages; `weights`: of the query's
    words."""
    begin, end = snapshot.rows_of(paper)
    priors = np.array([INSIDE.get(kind, 0.0) for kind in snapshot.kinds], np.float32)
    scores = np.asarray(
        WORDS_INSIDE * standardise(words[begin:end])
        + VECTOR_INSIDE * standardise(cosines[begin:end])
        + priors[snapshot.section[begin:end]]
    )
    near = np.argsort(-scores, kind="stable")[:LOOKED_INTO]
    told = told_by([snapshot.texts[begin + int(row)] for row in near], weights)
    scores[near] += SENTENCE_INSIDE * standardise(told) + FIRST
    return scores


def _papers(snapshot: Snapshot, query: str, asked: Mapping[str, float], cosines: Vector) -> Vector:
    """Log odds of each paper."""
    closest = np.maximum.reduceat(cosines, snapshot.starts)
    odds = (
        _base(len(snapshot.papers))
        + BY_WORDS * standardise(snapshot.by_paper.score(asked))
        + BY_ABSTRACT * standardise(snapshot.by_abstract.score(asked))
        + BY_VECTOR * standardise(closest)
    )
    if years := years_in(query):
        odds += BY_YEAR * np.isin(snapshot.years, list(years)) + BY_LATER * (snapshot.years > max(years))
    return np.asarray(odds, dtype=np.float32)


def _base(papers: int) -> float:
    """Log odds of a paper without any match, by the size of the library: in a small library no paper can
    stand out by as many standard deviations as in a large one. It calibrates the first paper's score to the
    rate at which that paper is the right one, if half of the libraries contain it (the score is too high
    beyond fifty papers). It does not change the order."""
    return max(BASE, BASE_OF_ONE + BASE_BY_NUMBER * float(np.log(papers)))


def shared(words: Bm25, asked: Mapping[str, float]) -> Vector:
    """For each text, the share of the query's words that it contains, weighted by rarity; a word that no text
    contains counts as the rarest."""
    found = np.zeros(words.texts, np.float32)
    total = 0.0
    for word in asked:
        number = words.vocabulary.get(word)
        part = slice(0, 0) if number is None else slice(words.starts[number], words.starts[number + 1])
        rows = words.rows[part]
        rarity = float(np.log(1 + (words.texts - len(rows) + 0.5) / (len(rows) + 0.5)))
        total += rarity
        found[rows] += rarity
    return found / max(total, 1e-9)


def _chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))
