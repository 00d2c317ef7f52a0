"""How much a passage matters, in one number, wherever passages are weighed: 0.4 times its cosine to what was asked
plus 0.6 times a model's relevance (PaperQA2's gathering of evidence). It orders, it drops, and it is shown."""

from __future__ import annotations

from collections.abc import Sequence

from .types import Evidence

VECTOR, MODEL = 0.4, 0.6
FLOOR = 0.3  # a passage that a model finds of no use (relevance 0.1) must be very close to stay
BESIDE_THE_POINT = 0.05  # relevance below which nothing else counts


def evidence_score(similarity: float, relevance: float) -> float:
    """From 0 to 1, for a cosine and a relevance from 0 to 1; what is beyond counts as the end."""
    return VECTOR * min(1.0, max(0.0, similarity)) + MODEL * min(1.0, max(0.0, relevance))


def by_score(evidence: Sequence[Evidence], least: float = FLOOR) -> tuple[Evidence, ...]:
    """Best first, those that were weighed and lie below the floor left out, and those of which the model says that
    they have nothing to do with it, however near their words are."""
    kept = [
        one
        for one in evidence
        if one.relevance is None or (one.score >= least and one.relevance >= BESIDE_THE_POINT)
    ]
    return tuple(sorted(kept, key=lambda one: -one.score))
