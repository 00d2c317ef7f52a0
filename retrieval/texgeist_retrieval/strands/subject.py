"""Estimates whether an index holds papers on the draft's subject."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..types import Candidate, Vector

CALIBRATED = "all-mpnet-base-v2"  # the embedding model that the threshold was calibrated for
NEAREST = 10  # papers that are averaged
SMALL, AT_SMALL, A_DECADE, MOST = 300, 0.40, 0.08, 0.55


def threshold(papers: int) -> float:
    """If the mean cosine of the nearest papers to the draft is below this value, an index of `papers` papers
    has little on the draft's subject.

    In a larger index the nearest papers are nearer, whatever their subject. The threshold was calibrated with
    200 drafts in indexes of their field, and with 134 abstracts of mathematics and physics in the same
    indexes. For indexes of 300, 3,000 and 16,000 papers, it wrongly reports 1.5, 0 and 0 % of the drafts, and
    does not report 1.5, 1.5 and 3.0 % of the abstracts of other fields."""
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
