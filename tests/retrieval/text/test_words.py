"""BM25 and the fusion against their formulas, word by word and rank by rank."""

from __future__ import annotations

import math

import numpy as np
import pytest
from texgeist_retrieval.ranking.bm25 import Bm25, WordStatistics
from texgeist_retrieval.ranking.fusion import best, reciprocal_rank_fusion, reciprocal_ranks, softmax_pool
from texgeist_retrieval.text.words import query_words, singular, words

TEXTS = [
    "Retrieval of graphs with queries", "Graph networks, graph kernels and graphs", "Low-light images", "",
]  # fmt: skip


def naive(query: dict[str, float], number: int) -> float:
    found = [words(text) for text in TEXTS]
    average = sum(map(len, found)) / len(found)
    score = 0.0
    for word, weight in query.items():
        holders = sum(word in text for text in found)
        idf = math.log(1 + (len(found) - holders + 0.5) / (holders + 0.5))
        times = found[number].count(word)
        score += weight * idf * times * 2.2 / (times + 1.2 * (0.25 + 0.75 * len(found[number]) / average))
    return score


@pytest.mark.parametrize("query", ["graphs", "graph graph kernel", "light image retrieval", "unknown word"])
def test_bm25_is_its_formula(query):
    asked = query_words(query)
    expected = [naive(asked, i) for i in range(len(TEXTS))]
    assert Bm25.build(TEXTS).score(asked) == pytest.approx(expected, abs=1e-5)
    counts: dict[str, int] = {}
    for text in TEXTS:
        for word in set(words(text)):
            counts[word] = counts.get(word, 0) + 1
    length = sum(len(words(text)) for text in TEXTS) / len(TEXTS)
    assert WordStatistics(counts, len(TEXTS), length).score(asked, TEXTS) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize(
    ("plural", "one"),
    [("queries", "query"), ("graphs", "graph"), ("boxes", "box"), ("loss", "loss"), ("corpus", "corpus")],
)
def test_plurals_meet_their_singular(plural, one):
    assert singular(plural) == one == singular(one)


def test_names_with_and_without_hyphens_meet():
    assert set(words("KLUCB or UNet")) <= set(words("Multi-Armed KL-UCB and U-Net"))
    assert "multiarmed" not in words("Multi-Armed KL-UCB")


def test_query_words_drop_stop_words_and_damp_repeats():
    assert query_words("the graph of graphs and the graph") == {"graph": pytest.approx(3**0.5)}


def test_fusion_is_by_ranks_alone():
    first, second = np.array([3.0, 2.0, 1.0]), np.array([0.1, 900.0, 0.2])
    assert reciprocal_ranks(first) == pytest.approx([1 / 61, 1 / 62, 1 / 63])
    fused = reciprocal_ranks(first) + reciprocal_ranks(second)
    assert fused == pytest.approx([1 / 61 + 1 / 63, 1 / 62 + 1 / 61, 1 / 63 + 1 / 62])
    assert best(fused, 2) == [1, 0]
    ranks = np.array([1.0, 2.0]), np.array([2.0, 1.0])
    assert reciprocal_rank_fusion(ranks, 20, (1, 0.4)) == pytest.approx(
        [1 / 21 + 0.4 / 22, 1 / 22 + 0.4 / 21]
    )


def test_equal_scores_keep_their_order():
    assert best(np.array([1.0, 2.0, 2.0, 2.0, 0.0], dtype=np.float32), 2) == [1, 2]
    assert best(np.zeros(3, dtype=np.float32), 9) == [0, 1, 2]


def test_softmax_pool_does_not_overflow():
    rows = np.array([[900.0, 1.0], [900.0, 2.0]], dtype=np.float32)
    assert softmax_pool(rows) == pytest.approx([900 + math.log(2), math.log(math.e + math.e**2)], abs=1e-4)
