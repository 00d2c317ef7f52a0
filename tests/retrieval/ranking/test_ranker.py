"""The ranker as the pipeline calls it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from texgeist_retrieval.ranking.citation_table import Memory, title_key
from texgeist_retrieval.ranking.cited_works import LIKE_CITED
from texgeist_retrieval.ranking.features import FEATURES
from texgeist_retrieval.ranking.phrases import WEIGHTS
from texgeist_retrieval.ranking.query_adapter import words_asked
from texgeist_retrieval.ranking.ranker import (
    POOL,
    HybridRanker,
    LearnedRanker,
)
from texgeist_retrieval.ranking.storage import BadWeights, load_adapter
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart


def unit(*shape: int, seed: int = 0) -> np.ndarray:
    rows = np.random.default_rng(seed).normal(size=shape).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


def candidates(count: int, size: int = 768) -> list[Candidate]:
    rows = unit(count, size)
    return [
        Candidate(
            Paper(f"2401.{i:05}", f"Graph retrieval {i}", "Graphs are searched.", year=2000 + i),
            similarity=0.5,
            rank=i + 1,
            vector=rows[i],
        )
        for i in range(count)
    ]


QUERY = Query("abstract", (QueryPart("We search graphs by queries.", "abstract"),), title="Graph search")


@pytest.fixture(scope="module")
def ranker() -> LearnedRanker:
    return LearnedRanker.load()


def test_scores_are_the_sum_of_named_parts(ranker):
    ranked = ranker.rank(QUERY, unit(768, seed=1), candidates(30))
    assert sorted(c.paper.id for c in ranked) == sorted(c.paper.id for c in candidates(30))
    assert [c.score for c in ranked] == sorted((c.score for c in ranked), reverse=True)
    for candidate in ranked:
        assert set(candidate.scores) == {*FEATURES, *WEIGHTS}
        assert sum(candidate.scores.values()) == pytest.approx(candidate.score, abs=1e-2)


def test_candidates_without_a_vector_stay_behind(ranker):
    given = candidates(5)
    given[0] = replace(given[0], vector=None)
    ranked = ranker.rank(QUERY, unit(768, seed=1), given)
    assert ranked[-1] == given[0]


def test_far_candidates_follow_in_their_first_order(ranker):
    ranked = ranker.rank(QUERY, unit(768, seed=1), candidates(POOL + 30))
    assert len({c.paper.id for c in ranked}) == POOL + 30
    assert all(c.scores for c in ranked[:POOL]) and not any(c.scores for c in ranked[POOL:])


@pytest.mark.parametrize("size", [384, 1024])
def test_another_models_vectors_are_left_alone(ranker, size):
    given = [replace(c, vector=unit(size)) for c in candidates(4)]
    assert ranker.rank(QUERY, unit(size), given) == given


def test_what_the_draft_cites_lifts_its_like(ranker):
    given = candidates(30)
    given[0] = replace(given[0], already_cited=True)
    near = unit(30, 768)[0] + 0.3 * unit(768, seed=5)
    given[7] = replace(given[7], vector=(near / np.linalg.norm(near)).astype(np.float32))
    with_it = {c.paper.id: c for c in ranker.rank(QUERY, unit(768, seed=1), given)}
    part = with_it[given[7].paper.id].scores[LIKE_CITED]
    assert part == max(c.scores[LIKE_CITED] for i, c in with_it.items() if i != given[0].paper.id)
    assert part > 0


def test_facets_are_unit_rows_of_the_adapter():
    adapter = load_adapter()
    query, papers = unit(768, seed=2), unit(9, 768, seed=3)
    facets = adapter.facets(query)
    assert np.linalg.norm(facets, axis=1) == pytest.approx(np.ones(len(facets)), abs=1e-5)
    naive = []
    for paper in papers:
        total = 0.0
        for j in range(len(facets)):
            weights = adapter.maps[j].astype(np.float64) * adapter.scales[j]
            mapped = query + query @ weights + adapter.offsets[j]
            cosine = float(mapped @ paper / np.linalg.norm(mapped))
            total += np.exp(adapter.sharpness * cosine + adapter.gates[j])
        naive.append(np.log(total))
    assert adapter.score(query, papers) == pytest.approx(naive, abs=1e-3)


def test_memory_knows_titles_by_their_letters_and_nothing_else():
    key = title_key("Attention Is All You Need")
    assert key == title_key("attention is all you need.") != title_key("Attention is not all you need")
    memory = Memory(
        unit(2, 8),
        np.ones(2, dtype=np.float32),
        np.array([key], dtype=np.uint64),
        np.array([0, 1]),
        np.array([0], dtype=np.int32),
        np.ones(1, dtype=np.float32),
        np.array([0, 7]),
        np.arange(7, dtype=np.int32),
    )
    recall = memory.recall(memory.centres[0], memory.find(["ATTENTION is all you need", "Another paper"]))
    assert recall.known.tolist() == [1, 0]
    assert recall.count == pytest.approx([np.log(8), 0])
    assert recall.share.tolist() == [0, 0], "one known paper has nothing to be compared with"


def test_papers_cited_together_lift_each_other():
    citers = [[0, 1, 2], [0, 1, 2], [3], [4], [5, 6], [2]]
    titles = [f"Paper {i}" for i in range(len(citers))]
    keys = sorted((title_key(title), i) for i, title in enumerate(titles))
    lists = [citers[i] for _, i in keys]
    memory = Memory(
        unit(1, 8),
        np.ones(1, dtype=np.float32),
        np.array([key for key, _ in keys], dtype=np.uint64),
        np.zeros(len(keys) + 1, dtype=np.int64),
        np.empty(0, dtype=np.int32),
        np.empty(0, dtype=np.float32),
        np.concatenate([[0], np.cumsum([len(rows) for rows in lists])]),
        np.concatenate(lists).astype(np.int32),
    )
    scores = np.array([3.0, 0.0, 1.0, 1.0, 1.0, -1.0, 2.0], dtype=np.float32)
    got = memory.together(memory.find([*titles, "Unknown"]), scores)
    assert got[-1] == 0, "nothing is said of a paper outside the table"
    weights = np.exp(scores[:-1]) / np.exp(scores[:-1]).sum()
    naive = []
    for i, mine in enumerate(citers):
        total = 0.0
        for j, theirs in enumerate(citers):
            if i != j:
                common = len(set(mine) & set(theirs))
                total += weights[j] * common / (np.sqrt(len(mine) * len(theirs)) + 2.0)
        naive.append(np.log(total + 1e-4))
    middle = np.percentile(naive, 60)
    assert got[:-1] == pytest.approx((np.array(naive) - middle) / np.std(naive), abs=1e-4)
    assert got[1] == got[:-1].max(), "cited three times beside the best candidate"


def test_missing_weights_say_what_to_do(tmp_path):
    with pytest.raises(BadWeights, match="cannot be read") as error:
        load_adapter(tmp_path)
    assert "texgeist train" in error.value.help


QUESTION = "Which papers study quaternion wavelets?"


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


def test_a_sentences_words_are_its_own_not_its_papers():
    parts = (
        QueryPart("It is fast.", "the selected sentence"),
        QueryPart("Long. It is fast.", "its paragraph"),
    )
    assert words_asked(Query("sentence", parts, title="A title", text="It is fast.")) == "It is fast."
    assert words_asked(Query("sentence", parts, title="A title")) == "It is fast."
    assert words_asked(Query("abstract", parts[:1], title="A title")) == "A title It is fast."
    assert words_asked(Query("draft", parts, abstract="About it.", title="A title")) == "A title About it."
