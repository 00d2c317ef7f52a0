"""The order of passages for a query, without a model.

First, papers are ordered. Their scores use words (of the whole paper, the title, title and abstract, and the
three best passages), the vector of the abstract or closest passage, and the year in a citation mark. Then the
passages of each paper are ordered by words, vector, best sentence, and type of section. The weights for
papers were learned from citing sentences (a logistic regression, tested on unseen papers), the weights for
passages from sentences marked by annotators. `python -m benchmarks.evidence` measures each part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..index.snapshot import Snapshot
from ..ranking.bm25 import Bm25
from ..ranking.fusion import best, reciprocal_ranks, standardise
from ..text.words import query_words
from ..types import SectionType, Vector
from .methods import TEXGEIST
from .sentence_scores import best_sentence_scores, weights_of, without_marks, years_in

# Weights of standardised scores, in log odds; for words and vectors, the scores are reciprocal ranks.
# `BY_NAMES`: for the names in citation marks, because papers cite their own authors.
BY_WORDS, BY_NAMES, BY_TITLE, BY_ABSTRACT, BY_PASSAGES, BY_VECTOR = 0.84, 0.1, 0.15, 0.17, 0.25, 0.24
BY_COSINE = 0.6  # times the share of embedded papers, because abstracts' cosines say less
BY_YEAR, BY_LATER = 4.8, -2.0  # for the year in a citation mark; for papers later than all such years
# Log odds without any match: for a library of one paper; per log of the number of papers.
BASE_OF_ONE, BASE_BY_NUMBER = -2.5, -1.38
BASE_BY_COSINE = -0.25  # added to `BASE_BY_NUMBER`, times the share of embedded papers
WORDS_INSIDE, VECTOR_INSIDE, SENTENCE_INSIDE = 0.55, 0.35, 0.6  # weights for passages within a paper
INSIDE: Mapping[SectionType, float] = {"introduction": 0.3}
FIRST = 10.0  # added to the passages whose sentences are scored, so that they come first
LOOKED_INTO = 8  # passages of a paper whose sentences are scored: the best by words and vector
PAPERS_EACH = 2  # papers examined for each requested passage
AGAIN = 3.0  # log odds subtracted for each earlier passage of the same paper, for variety
# Least support of a passage. Support is the mean of two values: its cosine, and the share of the query's
# words, weighted by rarity, that it contains; without vectors, it is this share. The threshold rejects 1 % of
# the top passages for citing sentences, and 72 % if papers on language technology are searched with questions
# of medicine; without vectors, 0 % and 22 %.
FLOOR, FLOOR_OF_WORDS = 0.17, 0.1


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage of the snapshot, by its row; `score`, from 0 to 1: the probability that the paper is
    relevant, lower for its further passages."""

    row: int
    cosine: float
    score: float


@dataclass(frozen=True, slots=True)
class AskedWords:
    """The words of a query with their weights. `all`: all words except years; `bare`: the words outside
    citation marks; `names`: the words of the marks."""

    all: Mapping[str, float]
    bare: Mapping[str, float]
    names: Mapping[str, float]
    years: frozenset[int]

    @classmethod
    def of(cls, query: str) -> AskedWords:
        years = years_in(query)
        found = {word: weight for word, weight in query_words(query).items() if not _is_year(word, years)}
        bare = query_words(without_marks(query)) or found
        return cls(found, bare, {word: 1.0 for word in found if word not in bare}, years)


def _is_year(word: str, years: frozenset[int]) -> bool:
    return word[:4].isdecimal() and int(word[:4]) in years


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of all passages and of all abstracts to a query. `known`: True for passages that are
    embedded."""

    passages: Vector
    known: NDArray[np.bool_]
    abstracts: Vector

    @classmethod
    def of(cls, snapshot: Snapshot, model: str, vector: Vector | None) -> Nearness:
        """`vector`: the query's vector, made by `model`; None for a search by words alone."""
        passages, known = np.zeros(len(snapshot.paper), np.float32), np.zeros(len(snapshot.paper), bool)
        abstracts = np.zeros(len(snapshot.papers), np.float32)
        if vector is not None and (held := snapshot.vectors_by(model)) is not None:
            passages, known = np.asarray(held.rows @ vector), held.done.copy()
        if vector is not None and snapshot.model == model:
            abstracts = np.asarray(snapshot.abstracts @ vector)
        return cls(passages, known, abstracts)

    def embedded(self, starts: NDArray[np.int64]) -> NDArray[np.bool_]:
        """For each paper, whether any of its passages is embedded."""
        return np.asarray(np.logical_or.reduceat(self.known, starts))

    def of_papers(self, starts: NDArray[np.int64]) -> Vector:
        """For each paper, the cosine of its abstract or of its closest passage, whichever is greater. A paper
        without embedded passages gets the cosine of its abstract plus the mean gain by passages in the other
        papers, so that papers embedded first are not preferred."""
        closest = np.maximum.reduceat(np.where(self.known, self.passages, -1.0), starts)
        read = self.embedded(starts)
        closest = np.maximum(closest, self.abstracts)
        raised = (closest - self.abstracts)[read].mean() if read.any() else 0.0
        return np.asarray(np.where(read, closest, self.abstracts + raised), dtype=np.float32)


def order(
    snapshot: Snapshot,
    query: str,
    near: Nearness,
    top: int,
    leave_out: frozenset[str] = frozenset(),
    per_paper: int = TEXGEIST.per_paper,
) -> list[RankedPassage]:
    """Returns at most `top` passages above the threshold, best first. Of each paper, at most `per_paper`
    passages are returned, each from a different type of section."""
    asked = AskedWords.of(query)
    if not len(snapshot.paper) or not asked.all:
        return []
    words = snapshot.by_passage.score(asked.all)
    cosines = np.where(near.known, near.passages, near.abstracts[snapshot.paper])
    support, least = shared(snapshot.by_passage, asked.bare), FLOOR_OF_WORDS
    if cosines.any():
        support, least = np.asarray((cosines + support) / 2, dtype=np.float32), FLOOR
    papers = _papers(snapshot, asked, near)
    papers[[snapshot.rows_by_id[id_] for id_ in leave_out if id_ in snapshot.rows_by_id]] = -np.inf
    found: list[tuple[float, int]] = []
    weights = weights_of(query, snapshot.by_passage)
    for paper in best(papers, PAPERS_EACH * top + 8):
        if sum(odds >= papers[paper] for odds, _ in found) >= top:
            break  # no passage of this or a later paper can precede these
        begin, _ = snapshot.rows_of(paper)
        inside = inside_of(snapshot, paper, words, near, weights)
        seen: set[int] = set()
        for row in begin + np.argsort(-inside, kind="stable"):
            section = int(snapshot.section[row])
            if support[row] < least or section in seen or len(seen) == per_paper:
                continue
            found.append((float(papers[paper]) - AGAIN * len(seen), int(row)))
            seen.add(section)
    found = [one for one in found if np.isfinite(one[0])]
    found.sort(key=lambda one: -one[0])
    return [RankedPassage(row, float(cosines[row]), _chance(odds)) for odds, row in found[:top]]


def inside_of(
    snapshot: Snapshot, paper: int, words: Vector, near: Nearness, weights: Mapping[str, float]
) -> Vector:
    """Scores of the passages of one paper. `words`: word scores of all passages; `weights`: weights of the
    query's words. A passage that is not embedded gets the average score for the vector."""
    begin, end = snapshot.rows_of(paper)
    priors = np.array([INSIDE.get(kind, 0.0) for kind in snapshot.kinds], np.float32)
    scores = np.asarray(
        WORDS_INSIDE * standardise(words[begin:end])
        + VECTOR_INSIDE * _standardised(near.passages[begin:end], near.known[begin:end])
        + priors[snapshot.section[begin:end]]
    )
    likely = np.argsort(-scores, kind="stable")[:LOOKED_INTO]
    scored = best_sentence_scores([snapshot.texts[begin + int(row)] for row in likely], weights)
    scores[likely] += SENTENCE_INSIDE * standardise(scored) + FIRST
    return scores


def _standardised(scores: Vector, known: NDArray[np.bool_]) -> Vector:
    made = np.zeros(scores.size, np.float32)
    made[known] = standardise(scores[known])
    return made


def _papers(snapshot: Snapshot, asked: AskedWords, near: Nearness) -> Vector:
    """Log odds of each paper."""
    closest = near.of_papers(snapshot.starts)
    embedded = float(near.embedded(snapshot.starts).mean())
    odds = (
        _base(len(snapshot.papers), embedded)
        + BY_WORDS * standardise(reciprocal_ranks(snapshot.by_paper.score(asked.all)))
        + BY_NAMES * standardise(snapshot.by_paper.score(asked.names))
        + BY_TITLE * standardise(snapshot.by_title.score(asked.bare))
        + BY_ABSTRACT * standardise(snapshot.by_abstract.score(asked.bare))
        + BY_PASSAGES * standardise(_best_three(snapshot, snapshot.by_passage.score(asked.bare)))
        + BY_VECTOR * standardise(reciprocal_ranks(closest))
        + BY_COSINE * embedded * standardise(closest)
    )
    if years := asked.years:
        odds += BY_YEAR * np.isin(snapshot.years, list(years)) + BY_LATER * (snapshot.years > max(years))
    return np.asarray(odds, dtype=np.float32)


def _best_three(snapshot: Snapshot, words: Vector) -> Vector:
    """For each paper, the sum of the scores of its three best passages."""
    left, summed = words.copy(), np.zeros(len(snapshot.papers), np.float32)
    for _ in range(3):
        most = np.maximum.reduceat(left, snapshot.starts)
        summed += most
        left[left == most[snapshot.paper]] = 0.0
    return summed


def _base(papers: int, embedded: float) -> float:
    """Log odds of a paper without any match, by the size of the library and the share of embedded papers: in
    a small library, a paper stands out by fewer standard deviations. With this term, the score of the first
    paper is the rate at which it is the right paper, if half of the libraries contain the right paper. The
    order does not change."""
    return BASE_OF_ONE + (BASE_BY_NUMBER + BASE_BY_COSINE * embedded) * float(np.log(papers))


def shared(words: Bm25, asked: Mapping[str, float]) -> Vector:
    """For each text, the share of the query's words that it contains, weighted by rarity; a word that no text
    contains counts as the rarest."""
    found = np.zeros(words.texts, np.float32)
    total = 0.0
    for word in asked:
        rarity = words.idf(word)
        total += rarity
        found[words.rows[words.part(word)]] += rarity
    return found / max(total, 1e-9)


def _chance(odds: float) -> float:
    return float(1 / (1 + np.exp(-odds)))
