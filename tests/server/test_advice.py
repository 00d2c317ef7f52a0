"""What an author is told of a result: papers that lie far off, and prose in another language."""

from __future__ import annotations

import pytest
from texgeist_latex.types import ProseSection, ProseSentence, Reference
from texgeist_server.sections.advice import advice
from texgeist_server.sections.outcome import Ask, Chosen, Outcome


def outcome(*similarities: float, writer: str = "extractive", model: str = "all-mpnet-base-v2") -> Outcome:
    chosen = tuple(
        Chosen(Reference(f"p{n}", f"Paper {n}", (), None), similarity, n, similarity, "")
        for n, similarity in enumerate(similarities, 1)
    )
    section = ProseSection("", ((ProseSentence("Words."),),))
    ask = Ask("abstract", (("Words.", "abstract"),))
    return Outcome(ask, section, ((),), chosen, writer=writer, index="your own library", model=model)


def test_a_good_result_in_english_needs_no_words() -> None:
    assert advice(outcome(0.7, 0.4, 0.3)) == ()
    assert advice(outcome()) == ()


def test_papers_that_lie_far_off_are_named() -> None:
    (said,) = advice(outcome(0.7, 0.29, 0.2, 0.1, 0.1))
    assert said.startswith("4 papers lie far from your abstract (similarity below 0.3)")
    assert said.endswith("“Paper 2”; “Paper 3”; “Paper 4” and 1 more.")
    (said,) = advice(outcome(0.7, 0.1))
    assert said.startswith("One paper lies far")


def test_an_index_without_the_subject() -> None:
    (said,) = advice(outcome(0.25, 0.2))
    assert said.startswith(
        "Nothing in your own library lies close to your abstract (the nearest has similarity 0.25)"
    )
    assert advice(outcome(0.25, model="another")) == ()  # its cosines mean something else


@pytest.mark.parametrize(
    ("language", "words"), [("ru", "in Russian"), ("ca", "in another language"), ("en", "")]
)
def test_the_built_in_writer_writes_english(language: str, words: str) -> None:
    said = advice(outcome(0.7), language)
    assert words in said[0] if words else said == ()
    assert advice(outcome(0.7, writer="openai"), language) == ()
