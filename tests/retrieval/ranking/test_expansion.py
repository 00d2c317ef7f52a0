"""Expansion by a model: the closed form, and what happens without an answer."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from texgeist_retrieval.errors import Cancelled, WriterUnavailable
from texgeist_retrieval.models.structured_call import text_schema
from texgeist_retrieval.monitor import Silent
from texgeist_retrieval.pipeline.expansion import ModelExpander, instruction, texts_of
from texgeist_retrieval.training.export import Example, _selected, export, lines
from texgeist_retrieval.types import Paper, Query, QueryPart, Usage
from texgeist_retrieval.writing import ModelWriter

QUERY = Query("abstract", (QueryPart("We search graphs.", "abstract"),), "We search graphs.", "Graph search")


class Answers:
    """A `LanguageModel` with one answer, or one failure."""

    name, local = "a test's model", True

    def __init__(self, answer: Any) -> None:
        self.answer, self.asked, self.system = answer, "", ""

    def prepare(self) -> None: ...

    def complete_json(self, system, user, schema, *, max_tokens, monitor, cached_prefix=""):
        self.asked, self.system = cached_prefix + user, system
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


ABSTRACTS = (
    "Kernels compare graphs by counting common walks. They need quadratic time.",
    "Hashing of nodes finds candidates in linear time. Collisions cost precision.",
)
SECTION = """**Kernels.** Early work compares graphs by their common walks [1], which costs quadratic time [1].

Hashing of nodes is faster [2], at the price of collisions. Others reach 97.3 % on a benchmark [1].
Index structures were studied before [3]."""


def cited(count: int) -> tuple[Paper, ...]:
    return tuple(Paper(f"p{n}", f"Paper {n}", ABSTRACTS[n % 2], ("Ada Chen",), 2020) for n in range(count))


def test_exported_lines_are_the_requests_of_the_product_and_answers_that_it_accepts(tmp_path):
    example = Example("Graph search", "We search graphs.", cited(10), SECTION)
    nothing = Example("Empty", "No references.", ())
    path = tmp_path / "training.jsonl"
    made = export([example, nothing], path)
    assert made.lines == 3, "two of expansion (8 + 2 papers), one of writing"
    chats = [json.loads(line)["messages"] for line in path.read_text().splitlines()]
    assert [m["role"] for m in chats[0]] == ["system", "user", "assistant"]
    assert chats[0][1]["content"] == instruction(QUERY, 8)
    assert texts_of(json.loads(chats[0][2]["content"]))[0] == f"Paper 0. {ABSTRACTS[0].split('. ')[0]}."
    assert len(made.refused) == 1 and "97.3" in made.refused[0]

    model = Answers(json.loads(chats[2][2]["content"]))
    jsonschema.validate(model.answer, dict(text_schema()))
    written = ModelWriter(model, summaries=False, second_reading=False).write(
        example.query, _selected(example.references), Silent()
    )
    assert chats[2][1]["content"] == model.asked and chats[2][0]["content"] == model.system
    assert not written.notes, "every sentence of the answer passes"
    sentences = [s.text for s in written.section.sentences]
    assert sentences[0] == "Kernels" and len(sentences) == 4 and not any("97.3" in text for text in sentences)
    assert list(lines([nothing], [])) == []


def test_a_section_that_the_product_would_refuse_is_no_example():
    example = Example(
        "Graph search", "We search graphs.", cited(2), "We thank the authors of LaTeX \\cite{x}."
    )
    assert len(list(lines([example], []))) == 1, "the expansion alone"
