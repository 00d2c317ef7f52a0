"""Sentences and questions put in order: by what was learned, and by rank fusion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from texgeist_retrieval.ranking.fusion import RRF_K
from texgeist_retrieval.ranking.query_adapter import words_asked
from texgeist_retrieval.ranking.ranker import BY_VECTOR, BY_WORDS, HybridRanker, LearnedRanker
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart

QUESTION = "Which papers study quaternion wavelets?"


def unit(*shape: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def candidates(count: int, size: int = 768) -> list[Candidate]:
    rows = unit(count, size)
    papers = [Paper(f"2401.{i:05}", f"Graph retrieval {i}", "Graphs are searched.") for i in range(count)]
    return [Candidate(p, 0.5, i + 1, vector=rows[i]) for i, p in enumerate(papers)]


def question(text: str = QUESTION) -> Query:
    return Query("question", (QueryPart(text, "the question"),), text=text)


@pytest.mark.parametrize("make", [LearnedRanker.load, HybridRanker.load])
def test_a_paper_that_says_the_words_comes_before_those_as_near(make):
    given = candidates(40)
    said = Paper("2402.00001", "Wavelets over quaternions", "We study quaternion wavelets.")
    given[25] = replace(given[25], paper=said)
    rows = unit(40, 768)
    asked = (rows[25] + rows.sum(axis=0)).astype(np.float32)
    ranked = make().rank(question(), asked / np.linalg.norm(asked), given)
    assert ranked[0].paper == said


@pytest.mark.parametrize("text", ["", "???", "the of and", "É" * 500, "zzzz qqqq"])
@pytest.mark.parametrize("make", [LearnedRanker.load, HybridRanker.load])
def test_words_that_say_nothing_leave_finite_scores(make, text):
    ranked = make().rank(question(text), unit(768, seed=1), candidates(12))
    assert len(ranked) == 12 and np.isfinite([c.score for c in ranked]).all()


def test_the_fusion_takes_any_models_vectors():
    given = candidates(4, 384)
    ranked = HybridRanker.load().rank(question(), unit(4, 384)[2], given)
    assert ranked[0].paper == given[2].paper
    assert ranked[0].scores[BY_VECTOR] == pytest.approx(1 / (RRF_K + 1), abs=1e-4)
    assert not any(c.scores[BY_WORDS] for c in ranked), "no word is found: no rank"


def test_a_sentences_words_are_its_own_not_its_papers():
    parts = (
        QueryPart("It is fast.", "the selected sentence"),
        QueryPart("Long. It is fast.", "its paragraph"),
    )
    assert words_asked(Query("sentence", parts, title="A title", text="It is fast.")) == "It is fast."
    assert words_asked(Query("sentence", parts, title="A title")) == "It is fast."
    assert words_asked(Query("abstract", parts[:1], title="A title")) == "A title It is fast."
    assert words_asked(Query("draft", parts, abstract="About it.", title="A title")) == "A title About it."
