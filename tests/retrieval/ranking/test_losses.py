"""The losses against their formulas: by hand for three papers, and written out as sums over single papers."""

from __future__ import annotations

import math

import numpy as np
import pytest


def loss_of(name, scores, cited):
    """Imported here: every test process would hold torch otherwise."""
    torch = pytest.importorskip("torch", reason="training needs the extra [torch]")
    from texgeist_retrieval.training.query_adapter import LOSSES

    return float(LOSSES[name](torch.tensor(scores), torch.tensor(cited)))


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


def naive_group(scores, cited):
    losses = []
    for row, flags in zip(scores, cited, strict=True):
        ours = sum(math.exp(s) for s, c in zip(row, flags, strict=True) if c)
        losses.append(-math.log(ours / sum(math.exp(s) for s in row)))
    return sum(losses) / len(losses)


def naive_pair(scores, cited):
    losses = []
    for row, flags in zip(scores, cited, strict=True):
        ours = [s for s, c in zip(row, flags, strict=True) if c]
        others = [s for s, c in zip(row, flags, strict=True) if not c]
        gaps = [max(0.0, 1 - p + n) for p in ours for n in others]
        losses.append(sum(gaps) / len(gaps))
    return sum(losses) / len(losses)


def naive_mixed(scores, cited):
    return 0.7 * naive_group(scores, cited) + 0.3 * naive_pair(scores, cited)


NAIVE = {"each": naive_each, "group": naive_group, "pair": naive_pair, "mixed": naive_mixed}


@pytest.mark.parametrize("name", list(NAIVE))
def test_a_loss_is_its_formula(batch, name):
    scores, cited = batch
    assert loss_of(name, scores, cited) == pytest.approx(NAIVE[name](scores, cited), abs=1e-5)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # the cited paper has 2, the others have 1 and 0: e^2 = 7.38906, e = 2.71828
        ("each", 0.407606),  # log(1 + e^-1 + e^-2)
        ("group", 0.407606),  # -log(e^2 / (e^2 + e + 1)), the same with one cited paper
        ("pair", 0.0),  # both are lower by the margin of 1
        ("mixed", 0.285324),  # 0.7 * 0.407606
    ],
)
def test_three_papers_by_hand(name, value):
    assert loss_of(name, [[2.0, 1.0, 0.0]], [[True, False, False]]) == pytest.approx(value, abs=1e-5)


def test_two_cited_papers_by_hand():
    """Cited: 1.0 and 0.5, other: 0.8. Pairs: 1 - 1.0 + 0.8 = 0.8 and 1 - 0.5 + 0.8 = 1.3, mean 1.05.
    Group: -log((2.71828 + 1.64872) / (2.71828 + 1.64872 + 2.22554)) = 0.411862."""
    scores, cited = [[1.0, 0.5, 0.8]], [[True, True, False]]
    assert loss_of("pair", scores, cited) == pytest.approx(1.05, abs=1e-5)
    assert loss_of("group", scores, cited) == pytest.approx(0.411862, abs=1e-5)
    assert loss_of("mixed", scores, cited) == pytest.approx(0.7 * 0.411862 + 0.3 * 1.05, abs=1e-5)


@pytest.mark.parametrize("name", list(NAIVE))
def test_large_scores_do_not_overflow(name):
    assert math.isfinite(loss_of(name, [[1e4, -1e4, 5e3]], [[False, True, False]]))
