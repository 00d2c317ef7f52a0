"""Strands are covered before one is deepened, and a number of papers follows from them."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.pipeline.selection import count_for_strands
from texgeist_retrieval.strands.searching import fused_order, wanted_of
from texgeist_retrieval.strands.selection import cover, fits
from texgeist_retrieval.types import Candidate, Paper, Strand, Work

A, B = Strand("a", "about a"), Strand("b", "about b")
ROWS = np.eye(2, 4, dtype=np.float32)  # strand a lies on the first axis, b on the second


def paper(id: str, *axes: float, named: bool = False, strands: tuple[str, ...] = ()) -> Candidate:
    vector = np.zeros(4, dtype=np.float32)
    vector[: len(axes)] = axes
    vector /= max(float(np.linalg.norm(vector)), 1e-9)
    return Candidate(Paper(id, id), 0.5, 1, vector=vector, named=named, strands=strands)


def vectors(pool: list[Candidate]) -> np.ndarray:
    return np.stack([c.vector for c in pool if c.vector is not None])


def taken(pool: list[Candidate], count: int, diversity: float = 0.0) -> list[str]:
    fit = fits(pool, [A, B], ROWS)
    return [pool[p.index].paper.id for p in cover(pool, fit, vectors(pool), count, diversity)]


POOL = [paper("a1", 1), paper("a2", 0.98, 0.0, 0.2), paper("a3", 0.97, 0, 0.24), paper("b1", 0.1, 1)]


def test_the_second_strand_comes_before_the_first_is_deepened() -> None:
    assert taken(POOL, 2) == ["a1", "b1"]
    assert sorted(taken(POOL, 9)) == ["a1", "a2", "a3", "b1"]


def test_what_fits_no_strand_is_left_out_even_if_fewer_remain() -> None:
    stranger = paper("x", 0.1, 0.1, 0, 1)
    assert taken([*POOL, stranger], 9) == taken(POOL, 9)
    assert taken([stranger], 9) == []


def test_a_named_work_fits_its_strand_wherever_it_lies() -> None:
    far = paper("x", 0, 0.2, 0, 1, named=True, strands=("b",))
    fit = fits([*POOL, far], [A, B], ROWS)
    assert fit[1, -1] == 1.0
    assert "x" in taken([*POOL, far], 3)


def test_diversity_takes_the_unlike_first() -> None:
    twin = [paper("a1", 1), paper("twin", 1), paper("b1", 0.1, 1)]
    assert taken(twin, 2, diversity=0.9) == ["a1", "b1"]


def test_without_strands_nothing_is_covered() -> None:
    empty = np.zeros((0, 1), dtype=np.float32)
    assert cover([POOL[0]], empty, vectors([POOL[0]]), 3, 0.0) == []


@pytest.mark.parametrize(
    ("strands", "papers", "picked", "number"),
    [
        (6, 10, 0, 24),  # four a strand
        (5, 10, 0, 20),
        (2, 10, 0, 15),  # never fewer where there is room
        (12, 10, 0, 30),  # nor more
        (6, 10, 3, 10),  # a model chose three: filled up to ten
        (6, 10, 40, 30),
    ],
)
def test_as_many_as_the_strands_need(strands: int, papers: int, picked: int, number: int) -> None:
    fit = np.kron(np.eye(strands), np.ones((1, papers))).astype(np.float32)
    assert count_for_strands(fit, picked) == number


def test_strands_share_in_the_order() -> None:
    table = np.array([[0.9, 0.1, 0.1, 0.95]], dtype=np.float32)
    order = fused_order(table)
    assert order.index(3) < order.index(2) and order[0] == 0


def test_works_are_looked_up_in_turns_and_once() -> None:
    one, two, three = Work("One title"), Work("Two titles"), Work("", "THREE")
    strands = [Strand("a", "q", works=(one, two)), Strand("b", "q", works=(three, one))]
    assert [(w.work, w.strand) for w in wanted_of(strands)] == [(one, "a"), (three, "b"), (two, "a")]
