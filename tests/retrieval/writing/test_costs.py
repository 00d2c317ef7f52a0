"""Tokens and money in words, and an estimate before any paper is known."""

from __future__ import annotations

from texgeist_retrieval.ports import LanguageModel
from texgeist_retrieval.writing import ModelWriter, OpenAIModel
from texgeist_retrieval.writing.model.estimates import typical

from .conftest import QUERY


def test_an_estimate_before_anything_is_found_grows_with_what_is_asked_for() -> None:
    model: LanguageModel = OpenAIModel("m", base_url="http://127.0.0.1:9/v1")
    writer = ModelWriter(model)
    abstracts, pages, many = (writer.estimate(QUERY, typical(*size)) for size in ((10, 0), (10, 2), (40, 2)))
    assert abstracts.calls == pages.calls == 11 and many.calls == 41
    assert abstracts.input_tokens * 2 < pages.input_tokens < many.input_tokens
