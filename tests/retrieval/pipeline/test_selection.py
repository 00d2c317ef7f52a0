"""Equation 1, against the plain reading of it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from texgeist_retrieval.ranking.mmr import select


def unit(*rows: list[float]) -> np.ndarray:
    matrix = np.array(rows, dtype=np.float32)
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def equation_1(relevance: np.ndarray, vectors: np.ndarray, chosen: list[int], w: float) -> dict[int, float]:
    """The score of each item that is not in `chosen`, read off the equation; the first is the most similar."""
    if not chosen:
        return {i: float(each) for i, each in enumerate(relevance)}
    return {
        i: (1 - w) * float(relevance[i]) + w * (1 - max(float(vectors[i] @ vectors[j]) for j in chosen))
        for i in range(len(relevance))
        if i not in chosen
    }


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 25), st.integers(1, 30), st.floats(0, 1), st.integers(0, 2**31))
def test_it_is_equation_1_with_max(n: int, count: int, w: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = unit(*rng.normal(size=(n, 8)).tolist())
    relevance = rng.uniform(size=n).astype(np.float32)
    picks = select(relevance, vectors, count, w)
    assert len(picks) == min(n, count)
    chosen: list[int] = []
    for pick in picks:
        scores = equation_1(relevance, vectors, chosen, w)
        # float32 products may break a tie differently: the score decides, not the index
        assert scores[pick.index] == pytest.approx(max(scores.values()), abs=1e-6)
        assert pick.score == pytest.approx(scores[pick.index], abs=1e-6)
        chosen.append(pick.index)


def test_a_copy_of_a_chosen_paper_is_redundant_even_when_another_chosen_one_is_far() -> None:
    # rows 0 and 2 are the same paper, row 1 is far from both, row 3 is new
    vectors = unit([1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0.6, 0.8])
    relevance = np.array([0.9, 0.8, 0.7, 0.6], dtype=np.float32)
    picks = select(relevance, vectors, 3, 0.5)
    assert [pick.index for pick in picks] == [0, 1, 3]  # with `min` the copy, row 2, would come third
    assert picks[2].nearest == 1


@pytest.mark.parametrize(
    ("relevance", "rows", "w"),
    [([1.0], 2, 0.0), ([1.0, 1.0], 2, 1.5), ([1.0, float("nan")], 2, 0.5)],
)
def test_bad_input_is_an_error(relevance: list[float], rows: int, w: float) -> None:
    with pytest.raises(ValueError):
        select(np.array(relevance, dtype=np.float32), np.ones((rows, 3), dtype=np.float32), 1, w)
