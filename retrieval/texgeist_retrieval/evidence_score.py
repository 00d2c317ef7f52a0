"""The evidence score of a passage: 0.4 times its cosine to the query plus 0.6 times a model's relevance
(PaperQA2's evidence gathering). It is used for ordering, for the threshold, and for display."""

from __future__ import annotations

from collections.abc import Sequence

from .types import Evidence

VECTOR, MODEL = 0.4, 0.6
FLOOR = 0.3  # a passage with relevance 0.1 must have a cosine of at least 0.6 to stay
BESIDE_THE_POINT = 0.05  # passages with a lower relevance are dropped, whatever their score


def evidence_score(similarity: float, relevance: float) -> float:
    """Returns a score from 0 to 1; both arguments are clipped to 0 to 1."""
    return VECTOR * min(1.0, max(0.0, similarity)) + MODEL * min(1.0, max(0.0, relevance))


def by_score(evidence: Sequence[Evidence], least: float = FLOOR) -> tuple[Evidence, ...]:
    """Returns the passages, best first. A rated passage is left out if its score is below `least`, or if the
    model finds it irrelevant, whatever its similarity. Unrated passages are kept."""
    kept = [
        one
        for one in evidence
        if one.relevance is None or (one.score >= least and one.relevance >= BESIDE_THE_POINT)
    ]
    return tuple(sorted(kept, key=lambda one: -one.score))
