"""Which order of papers the settings and the embedding model give."""

from __future__ import annotations

import pytest
from texgeist_retrieval.errors import RetrievalError
from texgeist_retrieval.ranking.ranker import HybridRanker, LearnedRanker, LexiconRanker
from texgeist_server.adapters import RANKED_MODEL, ranker_for
from texgeist_server.config.settings import Settings


class Named:
    dimension = 768

    def __init__(self, name: str) -> None:
        self.name = name


def kind(order: str, model: str, notes: list[str]) -> type:
    settings = Settings.model_validate({"relatedWork": {"order": order}})
    return type(ranker_for(settings, Named(model), notes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("order", "model", "expected"),
    [
        ("learned", RANKED_MODEL, LearnedRanker),
        ("learned", "another-model", HybridRanker),
        ("hybrid", RANKED_MODEL, HybridRanker),
        ("lexicon", RANKED_MODEL, LexiconRanker),
        ("lexicon", "another-model", HybridRanker),
        ("similarity", RANKED_MODEL, type(None)),
        ("similarity", "another-model", type(None)),
    ],
)
def test_the_order_is_the_users_choice_where_the_model_allows_it(order, model, expected):
    notes: list[str] = []
    assert kind(order, model, notes) == expected and notes == []


def test_torn_weights_leave_similarity_and_a_note(monkeypatch):
    def torn(*_):
        raise RetrievalError("The weights are torn.", "Mend them.")

    monkeypatch.setattr(LearnedRanker, "load", torn)
    notes: list[str] = []
    assert kind("learned", RANKED_MODEL, notes) is type(None)
    assert notes == ["The weights are torn. Mend them. Papers were ordered by similarity alone."]
