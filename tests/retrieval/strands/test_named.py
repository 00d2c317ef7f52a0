"""A paper is the work that a model named if the titles agree; papers with similar titles or the same short name are others."""

from __future__ import annotations

import pytest
from texgeist_retrieval.strands.searching import Wanted, believed
from texgeist_retrieval.types import Candidate, Paper, Work

TITLES = (
    "Direct Preference Optimization: Your Language Model is Secretly a Reward Model",
    "ProphetNet: Predicting Future N-gram for Sequence-to-SequencePre-training",
    "Deep Interest Evolution Network for Click-Through Rate Prediction",
    "DCN+: Mixed Objective for Question Answering",
    "",  # as in a hosted index
)


@pytest.mark.parametrize(
    ("work", "found"),
    [
        (Work("Direct preference optimization: your language model is secretly a reward model."), ["0"]),
        (Work("ProphetNet: Predicting Future N-gram for Sequence-to-Sequence Pre-training"), ["1"]),
        (Work("Deep Interest Network for Click-Through Rate Prediction", "DIN", 2018), []),
        (Work("Deep & Cross Network for Ad Click Predictions", "DCN", 2017), []),
        (Work("", "DCN", 2017), []),
        (Work("—"), []),
    ],
)
def test_titles_decide(work: Work, found: list[str]) -> None:
    candidates = [Candidate(Paper(str(n), title), 0.9) for n, title in enumerate(TITLES)]
    assert list(believed(candidates, [Wanted(work, "s"), Wanted(work, "t")])) == found
    assert set(believed(candidates, [Wanted(work, "s"), Wanted(work, "t")]).values()) <= {"s"}
