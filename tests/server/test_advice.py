"""What an author is told of a result: papers that lie far off, and prose in another language."""

from __future__ import annotations

from dataclasses import replace

import pytest
from texgeist_retrieval.types import (
    Candidate,
    Paper,
    Query,
    QueryPart,
    Result,
    Section,
    Selected,
    Sentence,
)
from texgeist_server.sections.results import advice


def result(*similarities: float, writer: str = "extractive", model: str = "all-mpnet-base-v2") -> Result:
    selected = tuple(
        Selected(Candidate(Paper(f"p{n}", f"Paper {n}"), similarity, n), (), similarity)
        for n, similarity in enumerate(similarities, 1)
    )
    section = Section("", ((Sentence("Words."),),))
    query = Query("abstract", (QueryPart("Words.", "abstract"),))
    return Result(query, section, selected, writer=writer, index="your own library", model=model)


def test_what_stands_for_a_missing_abstract_is_told() -> None:
    found = result(0.7)
    by_pages = replace(found, query=replace(found.query, kind="draft"))
    introduced = replace(found, query=replace(found.query, parts=(QueryPart("Words.", "introduction"),)))
    assert advice(introduced)[0].startswith("Your draft has no abstract, so your introduction was used")
    assert advice(by_pages)[0].startswith("Your draft has no abstract, so your whole draft was used")
    assert not advice(replace(by_pages, query=replace(by_pages.query, abstract="We ask.")))


def test_papers_that_lie_far_off_are_named() -> None:
    (said,) = advice(result(0.7, 0.29, 0.2, 0.1, 0.1))
    assert said.startswith("4 papers are far from your abstract (similarity below 0.3)")
    assert said.endswith("“Paper 2”; “Paper 3”; “Paper 4” and 1 more.")
    (said,) = advice(result(0.7, 0.1))
    assert said.startswith("One paper is far")


def test_an_index_without_the_subject() -> None:
    (said,) = advice(result(0.25, 0.2))
    assert said.startswith(
        "Nothing close to your abstract was found in your own library: the most similar paper has similarity 0.25."
    )
    assert advice(result(0.25, model="another")) == ()  # its cosines mean something else


@pytest.mark.parametrize(("language", "words"), [("ru", "in another language (ru)"), ("en", "")])
def test_the_built_in_writer_writes_english(language: str, words: str) -> None:
    said = advice(result(0.7), language)
    assert words in said[0] if words else said == ()
    assert advice(result(0.7, writer="openai"), language) == ()
