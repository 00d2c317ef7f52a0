"""Lexicon-enhanced retrieval against UR3WG's Equations 4-11 and Appendix A.1 written out entry by entry."""

from __future__ import annotations

import math

import numpy as np
import pytest
from texgeist_retrieval.ranking.lexicon import Lexicon, extremes, extremes_asked, keep_largest, sparse
from texgeist_retrieval.ranking.ranker import LexiconRanker
from texgeist_retrieval.types import Candidate, Paper, Query, QueryPart

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


@pytest.mark.parametrize("group", [2, 3, 5])
def test_extremes_are_exact_at_the_largest_and_low_elsewhere(group):
    """Appendix A.1."""
    random = np.random.default_rng(group)
    query, document = random.random((2, 13)).astype(np.float32)
    kept = keep_largest(query, group)
    expected = 0.0
    for start in range(0, 13, group):
        part = document[start : start + group].tolist()
        entry = start + int(np.argmax(query[start : start + group]))
        at_largest = entry - start == part.index(max(part))
        expected += float(query[entry]) * (max(part) if at_largest else min(part))
    held = extremes(document, group)
    assert np.count_nonzero(held) <= 2 * -(-13 // group)
    approximate = float(extremes_asked(kept, group) @ held)
    assert approximate == pytest.approx(expected, abs=1e-5)
    assert approximate <= float(kept @ document) + 1e-6


def test_the_order_is_the_sum_of_both_scores(lexicon):
    random = np.random.default_rng(1)
    vectors = random.normal(size=(5, 6)).astype(np.float32)
    asked, texts = vectors[4], ["graph noise", "query ranking", "light image network", "nothing"]
    found = [
        Candidate(Paper(str(n), "", text), 0.0, n + 1, vector=vectors[n]) for n, text in enumerate(texts)
    ]
    found.append(Candidate(Paper("bare", "graph"), 0.9, 5))
    text = "networks of light, queries and graphs"
    query = Query("question", (QueryPart(text, "the question"),), text=text)
    ranked = LexiconRanker(lexicon, lexicon.distributions()).rank(query, asked, found)
    wanted = naive_importance(lexicon, ["network", "light", "query", "graph"])
    scores = {}
    for n, document in enumerate(texts):
        known = [word for word in document.split() if word in WORDS]
        lexical = naive_score(wanted, naive_importance(lexicon, known), lexicon.group)
        scores[str(n)] = float(np.tanh(asked @ lexicon.compress) @ np.tanh(vectors[n] @ lexicon.compress)) + (
            lexicon.weight * lexical
        )
    assert [c.paper.id for c in ranked] == [*sorted(scores, key=lambda id: -scores[id]), "bare"]
    assert ranked[0].score == pytest.approx(max(scores.values()), abs=1e-4)


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
