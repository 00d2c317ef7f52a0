"""Expansion by a model: the closed form, and what happens without an answer."""

from __future__ import annotations

import json
from typing import Any

import pytest
from texgeist_retrieval.errors import Cancelled, WriterUnavailable
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.expansion import ModelExpander, instruction, texts_of
from texgeist_retrieval.training.export import Example, export, lines, without_abstract
from texgeist_retrieval.types import Query, QueryPart, Usage

QUERY = Query("abstract", (QueryPart("We search graphs.", "abstract"),), "We search graphs.", "Graph search")


class Answers:
    """A `LanguageModel` with one answer, or one failure."""

    name, local = "a test's model", True

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, ""

    def prepare(self) -> None: ...

    def complete_json(self, system, user, schema, *, max_tokens, monitor, cached_prefix=""):
        self.asked = user
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer, Usage(calls=1)


def paper(title: str) -> dict[str, str]:
    return {"title": title, "abstract": "One sentence about it."}


def test_made_up_papers_become_texts_to_search_with():
    model = Answers({"papers": [paper("Graph kernels"), paper("Graph kernels"), paper("Subgraph matching")]})
    texts = ModelExpander(model).expand(QUERY, Silent())
    assert texts == ("Graph kernels. One sentence about it.", "Subgraph matching. One sentence about it.")
    assert "Graph search" in model.asked and "We search graphs." in model.asked


@pytest.mark.parametrize(
    "answer",
    [
        {}, [], {"papers": "x"}, {"papers": [{"title": "x"}]}, {"papers": [1]},
        WriterUnavailable("Overloaded."),
    ],
)  # fmt: skip
def test_a_failing_model_costs_the_expansion_alone(answer):
    assert ModelExpander(Answers(answer)).expand(QUERY, Silent()) == ()


def test_a_cancel_is_not_swallowed():
    with pytest.raises(Cancelled):
        ModelExpander(Answers(Cancelled())).expand(QUERY, Silent())


def test_exported_lines_are_chats_with_the_prompts_of_the_product(tmp_path):
    references = tuple((f"Paper {i}", "First sentence. Second one.") for i in range(10))
    written = Example("Graph search", "We search graphs.", references, "Others search graphs [1].")
    nothing = Example("Empty", "No references.", ())
    path = tmp_path / "training.jsonl"
    assert export([written, nothing], path) == 3  # two of expansion (8 + 2 papers), one of writing
    chats = [json.loads(line)["messages"] for line in path.read_text().splitlines()]
    assert [m["role"] for m in chats[0]] == ["system", "user", "assistant"]
    assert chats[0][1]["content"] == instruction(QUERY, 8)
    assert texts_of(json.loads(chats[0][2]["content"]))[0] == "Paper 0. First sentence."
    assert chats[2][2]["content"] == "Others search graphs [1]."
    assert chats[2][1]["content"].endswith("[10] Paper 9. First sentence.")
    assert list(lines([nothing])) == []


def test_expansion_is_learned_from_papers_with_an_abstract():
    references = (("Graph kernels", ""), ("Why graphs?", "They are many. And large."))
    example = Example("Graph search", "We search graphs.", references, "Others search [1, 2].")
    expansion, writing = lines([example])
    answer = json.loads(expansion["messages"][2]["content"])
    assert answer == {"papers": [{"title": "Why graphs?", "abstract": "They are many."}]}
    assert "Now 1 papers" in expansion["messages"][1]["content"]
    user = writing["messages"][1]["content"]
    assert user.endswith("[1] Graph kernels.\n[2] Why graphs? They are many.")
    assert without_abstract([example]) == (1, 2)
