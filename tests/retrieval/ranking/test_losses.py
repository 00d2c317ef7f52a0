"""The loss against its formula written out as sums over single papers."""

from __future__ import annotations

import math

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [torch]")

from texgeist_retrieval.training.query_adapter import each_loss  # noqa: E402


@pytest.fixture(params=range(5))
def batch(request: pytest.FixtureRequest):
    random = np.random.default_rng(request.param)
    scores = random.normal(0, 3, size=(4, 9))
    cited = random.random((4, 9)) < 0.3
    cited[:, 0], cited[:, 1] = True, False
    return scores, cited


def naive_each(scores, cited):
    losses = []
    for row, flags in zip(scores, cited, strict=True):
        others = [s for s, c in zip(row, flags, strict=True) if not c]
        losses += [
            math.log(1 + sum(math.exp(o - s) for o in others)) for s, c in zip(row, flags, strict=True) if c
        ]
    return sum(losses) / len(losses)


def test_the_loss_is_its_formula(batch):
    scores, cited = batch
    s, c = torch.tensor(scores), torch.tensor(cited)
    assert float(each_loss(s, c)) == pytest.approx(naive_each(scores, cited), abs=1e-5)


def test_large_scores_do_not_overflow():
    scores = torch.tensor([[1e4, -1e4, 5e3]])
    cited = torch.tensor([[False, True, False]])
    assert math.isfinite(float(each_loss(scores, cited)))
