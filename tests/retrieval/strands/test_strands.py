"""Strands are covered before one is deepened; named works are recognised; an index with little on the subject says so."""

from __future__ import annotations

import numpy as np
import pytest
from texgeist_retrieval.pipeline.selection import count_for_strands
from texgeist_retrieval.strands.searching import wanted_of
from texgeist_retrieval.strands.selection import cover, fits, has_little
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


def test_works_are_looked_up_in_turns_and_once() -> None:
    one, two, three = Work("One title"), Work("Two titles"), Work("", "THREE")
    strands = [Strand("a", "q", works=(one, two)), Strand("b", "q", works=(three, one))]
    assert [(w.work, w.strand) for w in wanted_of(strands)] == [(one, "a"), (three, "b"), (two, "a")]


def found(*similarities: float, vectors: bool = True) -> list[Candidate]:
    vector = np.ones(3, dtype=np.float32) if vectors else None
    return [Candidate(Paper(str(n), "t"), s, n, vector=vector) for n, s in enumerate(similarities)]


@pytest.mark.parametrize(
    ("similarities", "papers", "little"),
    [
        ([0.45] * 20, 300, False),  # a small library of the field
        ([0.45] * 20, 16_000, True),  # so many papers, and none nearer
        ([0.6] * 20, 1_000_000, False),
        ([0.9] + [0.1] * 20, 300, True),  # one neighbour is no field
        ([0.6] * 3, 3, False),
    ],
)
def test_by_the_nearest_and_the_size(similarities: list[float], papers: int, little: bool) -> None:
    assert has_little(found(*similarities), papers) == little
