"""Lexicon-enhanced retrieval against UR3WG's Equations 4-11 and Appendix A.1 written out entry by entry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from texgeist_retrieval.ranking.lexicon import Lexicon, keep_largest, sparse

WORDS = ["graph", "image", "light", "network", "noise", "query", "ranking"]


@pytest.fixture
def lexicon() -> Lexicon:
    random = np.random.default_rng(3)

    def draw(*shape: int) -> np.ndarray:
        return random.normal(size=shape).astype(np.float32)

    words = {w: i for i, w in enumerate(WORDS)}
    return Lexicon(words, draw(7, 5), draw(7, 5), draw(7), draw(7), draw(6, 4), 0.5, 3)


def naive_importance(lexicon: Lexicon, text: list[str]) -> list[float]:
    best = [0.0] * len(WORDS)
    for word in text:
        state = lexicon.states[WORDS.index(word)]
        logits = [float(np.dot(state, lexicon.output[v])) + float(lexicon.bias[v]) for v in range(len(WORDS))]
        logits[WORDS.index(word)] += float(lexicon.own[WORDS.index(word)])
        total = sum(math.exp(x) for x in logits)
        best = [max(b, math.exp(x) / total) for b, x in zip(best, logits, strict=True)]
    return best


def naive_score(query: list[float], document: list[float], group: int) -> float:
    score = 0.0
    for start in range(0, len(query), group):
        part = query[start : start + group]
        entry = start + part.index(max(part))
        score += query[entry] * document[entry]
    return score


def test_importance_is_the_largest_share_of_any_token(lexicon):
    found = lexicon.importance("Images of graphs, graph noise", lexicon.distributions())
    assert found == pytest.approx(naive_importance(lexicon, ["image", "graph", "noise"]), abs=1e-5)
    assert not lexicon.importance("nothing known here", lexicon.distributions()).any()


@pytest.mark.parametrize("group", [1, 2, 3, 7, 10])
def test_group_threshold_and_sparse_product_are_the_equations(group):
    random = np.random.default_rng(group)
    query, document = random.random((2, 11)).astype(np.float32)
    kept = keep_largest(query, group)
    assert np.count_nonzero(kept) == -(-11 // group)
    expected = naive_score(query.tolist(), document.tolist(), group)
    assert float(kept @ document) == pytest.approx(expected, abs=1e-5)
    weights, entries = sparse(kept), sparse(document)
    assert sum(weight * entries.get(place, 0.0) for place, weight in weights.items()) == pytest.approx(
        expected, abs=1e-5
    )


def test_equal_entries_keep_the_first_alone():
    assert keep_largest(np.array([0.5, 0.5, 0.1, 0.1], dtype=np.float32), 2).tolist() == pytest.approx(
        [0.5, 0, 0.1, 0]
    )


def test_training_uses_the_same_threshold_and_importance(lexicon):
    torch = pytest.importorskip("torch", reason="training needs the extra [torch]")
    from texgeist_retrieval.training.lexicon import LexiconModel, Start, largest_of_groups

    model = LexiconModel(torch, Start(lexicon.states, lexicon.own, lexicon.compress), 3, "cpu")
    with torch.no_grad():
        model.parameters["states"].copy_(torch.tensor(lexicon.states))
        model.parameters["output"].copy_(torch.tensor(lexicon.output))
        model.parameters["bias"].copy_(torch.tensor(lexicon.bias))
        found = model.importances([[0, 1, 4], []]).numpy()
        vectors = torch.tensor(np.random.default_rng(0).normal(size=(3, 6)).astype(np.float32))
        dense = model.dense(vectors[:1], vectors[1:]).numpy()
    expected = naive_importance(lexicon, ["graph", "image", "noise"])
    assert found[0] == pytest.approx(expected, abs=1e-5)
    assert not found[1].any()
    mask = largest_of_groups(torch, torch.tensor(found), 3).numpy()
    assert mask[0] * found[0] == pytest.approx(keep_largest(found[0], 3), abs=1e-6)
    exported = model.export(dict(lexicon.vocabulary))
    both = exported.compressed(vectors.numpy())
    lexical = model.lexical(torch.tensor(found[:1]), torch.tensor(found)).detach().numpy()
    expected = both[1:] @ both[0] + exported.weight * naive_score(found[0].tolist(), found[0].tolist(), 3)
    ratio = (dense[0] + lexical[0, 0]) / expected
    assert ratio == pytest.approx(np.full(2, ratio[0]), rel=1e-3), "the same order, whatever the scale"


def test_training_starts_where_rare_words_count_more():
    pytest.importorskip("torch", reason="training needs the extra [torch]")
    import torch
    from texgeist_retrieval.training.lexicon import LexiconModel, LexiconOptions, beginning

    random = np.random.default_rng(0)
    texts = [[0, *sorted({1 + int(i) for i in random.integers(6, size=2)})] for _ in range(40)] + [[0, 7]]
    vectors = random.normal(size=(41, 16)).astype(np.float32)
    start = beginning(texts, vectors, 8, LexiconOptions(hidden=4, small=8))
    model = LexiconModel(torch, start, 2, "cpu")
    with torch.no_grad():
        everywhere, often, once = model.importances([[0], [1], [7]]).numpy()
    frequency = sum(1 in text for text in texts)
    assert everywhere[0] == pytest.approx(0.01, abs=1e-4)
    assert often[1] == pytest.approx(math.log(41 / frequency) / math.log(41), abs=1e-4)
    assert once[7] == pytest.approx(0.98, abs=1e-4)
    assert everywhere.sum() == pytest.approx(1, abs=1e-4)
