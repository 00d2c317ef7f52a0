"""What an agent's searches found: one passage found by several keeps the best that is known of it."""

from __future__ import annotations

from dataclasses import replace

from texgeist_retrieval.evidence.pool import Pool
from texgeist_retrieval.ports import EvidenceResults
from texgeist_retrieval.types import Evidence, Paper, Passage

PASSAGE = Passage("p", 1, "Sleep improves recall.")
FIRST = Evidence("1", PASSAGE, 0.9)
WEIGHED = replace(FIRST, score=0.6, relevance=0.7, summary="Supports it.")


def found(one: Evidence) -> EvidenceResults:
    return EvidenceResults((one,), {"p": Paper("p", "Sleep")})


def test_a_first_look_never_takes_the_place_of_a_weighing() -> None:
    for order in ((FIRST, WEIGHED), (WEIGHED, FIRST)):
        pool = Pool()
        for one in order:
            pool.take("sleep", found(one))
        (kept,) = pool.best()
        assert (kept.score, kept.relevance, kept.summary) == (0.6, 0.7, "Supports it.")


def test_the_better_of_two_of_a_kind_stays() -> None:
    for kind in (FIRST, WEIGHED):
        pool = Pool()
        for score in (0.3, 0.8, 0.5):
            pool.take("sleep", found(replace(kind, score=score)))
        assert [one.score for one in pool.best()] == [0.8]
