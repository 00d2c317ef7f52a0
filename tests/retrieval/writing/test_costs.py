"""Tokens and money in words, and an estimate before any paper is known."""

from __future__ import annotations

import pytest
from texgeist_retrieval.costs import in_words, money
from texgeist_retrieval.ports import LanguageModel
from texgeist_retrieval.types import Query
from texgeist_retrieval.writing import ModelWriter, OpenAIModel, Price
from texgeist_retrieval.writing.model.estimates import typical


@pytest.mark.parametrize(
    ("dollars", "words"),
    [
        (0.0, "less than $0.001"),
        (0.0123, "about $0.012"),
        (0.5, "about $0.50"),
        (1234.5, "about $1,234.50"),
    ],
)
def test_money_is_told_as_finely_as_it_matters(dollars: float, words: str) -> None:
    assert money(dollars) == words


def test_no_price_no_money_and_no_count_no_tokens() -> None:
    assert in_words(1, 1500, 20, None) == "one call, about 1,500 tokens sent and 20 written"
    assert in_words(3, 0, 0, None) == "3 calls"


def test_an_estimate_before_anything_is_found_grows_with_what_is_asked_for(query: Query) -> None:
    model: LanguageModel = OpenAIModel("m", base_url="http://127.0.0.1:9/v1", price=Price(1.0, 5.0))
    writer = ModelWriter(model)
    abstracts, pages, many = (writer.estimate(query, typical(*size)) for size in ((10, 0), (10, 2), (40, 2)))
    assert abstracts.calls == pages.calls == 11 and many.calls > 41
    assert abstracts.input_tokens * 2 < pages.input_tokens < many.input_tokens
    assert pages.price == pytest.approx((pages.input_tokens + 5 * pages.output_tokens) / 1e6)
