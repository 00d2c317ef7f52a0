"""Selects papers so that every strand of the draft is covered: an alternative to Equation 1.

The selection repeatedly takes the paper i that maximises

    (1 - c) * r_i  +  c * sum_s  w_s * f_is / (1 + h_s)

where `r_i` decreases with the paper's rank in the search, `f_is` (0 to 1) is its fit to strand s, `w_s` is
the weight of the strand, `h_s` the sum of `f_js` over the papers j already chosen, and `c` the weight of
coverage. This is the aspect model of xQuAD (Santos et al., 2010), except for the discount 1 / (1 + h_s): the
product that xQuAD uses vanishes after one good paper. If the diversity w is not 0, the value is mixed with
the second term of Equation 1.

Also here: whether an index holds papers on the draft's subject at all (`has_little`)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..ranking.mmr import Pick, choose
from ..types import Candidate, Matrix, Strand, Vector
from .searching import FIT, similarities

SHARE = 0.5  # c
RANKS = 20.0  # the rank at which r is one half
LEAST = 0.30  # a paper with a lower cosine to a strand has another subject
WANES = 0.15  # the higher, the faster the weights of the strands decrease
NAMED = 0.25  # added to r for a named work


def fits(pool: Sequence[Candidate], strands: Sequence[Strand], rows: Matrix) -> Matrix:
    """f, shape [strands, papers]: the fit of each paper to each strand. It is 1 for the paper closest to the
    strand, and for works that were named or picked for the strand. It is 0 if the paper's cosine is below
    `LEAST`, or lower than the highest cosine by `FIT` or more."""
    table = similarities(pool, rows)
    if not table.size:
        return table
    best = table.max(axis=1, keepdims=True)
    fit = np.where(table >= LEAST, np.clip(1 - (best - table) / FIT, 0.0, 1.0), 0.0).astype(np.float32)
    place = {strand.name: number for number, strand in enumerate(strands)}
    for column, candidate in enumerate(pool):
        if (candidate.named or candidate.picked) and candidate.strands and candidate.strands[0] in place:
            fit[place[candidate.strands[0]], column] = 1.0
    return fit


def cover(
    pool: Sequence[Candidate],
    fit: Matrix,
    vectors: Matrix,
    count: int,
    diversity: float,
) -> list[Pick]:
    """Returns at most `count` papers in the order of selection, picked papers first; papers that fit no
    strand are never chosen.

    `fit`: shape [strands, papers], see `fits`; `vectors`: shape [papers, dimension], unit rows."""
    relevance, weights = relevance_of(pool), weights_of(len(fit))
    fitting = fit.max(axis=0) > 0 if len(fit) else np.zeros(len(pool), dtype=bool)
    first = fitting & np.array([c.picked for c in pool], dtype=bool)

    def gains(picks: Sequence[Pick]) -> Vector:
        chosen = [pick.index for pick in picks]
        covered = fit[:, chosen].sum(axis=1)
        gain = (1 - SHARE) * relevance + SHARE * (weights / (1 + covered)) @ fit
        allowed = fitting if set(np.flatnonzero(first)) <= set(chosen) else first
        return np.where(allowed, gain, np.float32(-np.inf))

    similarity = np.array([c.similarity for c in pool])
    return choose(similarity, gains, vectors, count, diversity)


def relevance_of(pool: Sequence[Candidate]) -> Vector:
    """r, shape [papers]: the relevance, which decreases from 1 with the place in the pool. For named works,
    `NAMED` is added."""
    ranks = np.arange(len(pool), dtype=np.float32)
    named = np.array([c.named for c in pool], dtype=np.float32)
    return np.asarray(RANKS / (RANKS + ranks) + NAMED * named, dtype=np.float32)


def weights_of(strands: int) -> Vector:
    """w, shape [strands]: the weights of the strands, which decrease and have the mean 1."""
    raw = 1.0 / (1.0 + WANES * np.arange(strands, dtype=np.float32))
    return np.asarray(raw / max(float(raw.mean()), 1e-9), dtype=np.float32) if strands else raw


CALIBRATED = "all-mpnet-base-v2"  # the embedding model that the threshold was calibrated for
NEAREST = 10  # papers that are averaged
SMALL, AT_SMALL, A_DECADE, MOST = 300, 0.40, 0.08, 0.55


def threshold(papers: int) -> float:
    """If the mean cosine of the nearest papers to the draft is below this value, an index of `papers` papers
    has little on the draft's subject.

    In a larger index the nearest papers are nearer, whatever their subject. The threshold was calibrated with
    200 drafts in indexes of their field, and with 134 abstracts of mathematics and physics in the same
    indexes. In indexes of 300, 3,000 and 16,000 papers, 1.5, 0 and 0 % of the drafts are below it, and 1.5,
    1.5 and 3.0 % of the abstracts of other fields are above it."""
    if papers <= SMALL:
        return AT_SMALL
    return float(min(AT_SMALL + A_DECADE * np.log10(papers / SMALL), MOST))


def closeness(similarities: Vector) -> float:
    """The mean of the `NEAREST` largest similarities; 0 if there are no similarities."""
    if not similarities.size:
        return 0.0
    return float(np.sort(similarities)[-NEAREST:].mean())


def has_little(candidates: Sequence[Candidate], papers: int) -> bool:
    """Whether the best results of an index of `papers` papers are below the threshold. Returns False if the
    index returns no vectors."""
    known = [c.similarity for c in candidates if c.vector is not None]
    return bool(known) and closeness(np.array(known, dtype=np.float32)) < threshold(papers)
