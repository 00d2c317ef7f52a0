"""The gate of sentences without a model: what a reader would call broken, and what is whole."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.extractive.english.quoting import copies, quoted, shortened
from texgeist_retrieval.writing.extractive.english.sentence_gate import fault


@pytest.mark.parametrize(
    "text",
    [
        "One papers stand closest to the setting of retrieval.",
        "ORFA is a in literature that employs WebAssembly.",
        "RIPOR is RIPOR- an optimization framework for ranking.",
        "For doing so, RIPOR ranks passages by their prefix.",
        "RIPOR ranks passages and methods is trained on the.",
        "RIPOR ranks passages by the likelihood of.",
        "RIPOR ranks passages, which.",
        "and ranks passages by their likelihood alone.",
        "RIPOR ranks both passages by their likelihood alone.",
        "RIPOR ranks “passages by their likelihood alone.",
        "RIPOR addresses these issues by ranking of passages.",
        "RIPOR is an entirely approach to ranking of passages.",
        "RIPOR is a framework for ranking of passages, which “incorporates”.",
        "RIPOR makes a significant progress on ranking of passages.",
        "Two method rank passages by their likelihood alone.",
        "RIPOR shows that learned measures of likeness are – to some degree.",
    ],
)
def test_broken_sentences_are_refused(text: str) -> None:
    assert fault(text, "", textual=False, several=True)


@pytest.mark.parametrize(
    "text",
    [
        "presents a algorithm for the ranking of passages.",
        "propose in an algorithm for the ranking of passages.",
        "propose an algorithm for the ranking of passages.",
        "shrubbery an algorithm for the ranking of passages.",
        "surveys “recent literature on ranking and assessed the evaluations of its papers”.",
    ],
)
def test_a_verb_fits_its_one_author(text: str) -> None:
    assert fault(text, "", textual=True, several=False)


@pytest.mark.parametrize("lead", ["For doing so,", "To this end,", "While ranking", "With these,"])
def test_a_lead_in_mid_air_is_refused(lead: str) -> None:
    assert fault("propose a retriever for long documents.", lead, textual=True, several=True)


@pytest.mark.parametrize(
    ("text", "several"),
    [
        ("propose a retriever “that encodes long questions and passages”.", True),
        ("studies the effect of negatives on retrieval.", False),
        ("shows that a reader – trained on lesions – agreed with others and missed the same scans.", False),
        ("show that “an MRI reader and a radiologist agree on both lesions and scans”.", True),
    ],
)
def test_whole_sentences_pass(text: str, several: bool) -> None:
    assert fault(text, "More recently,", textual=True, several=several) == ""


PASSAGE = (
    "We propose BERT4Rec (Representations from Transformers for Recommendation), a retriever that encodes long "
    "questions and passages. We show that our dense retrieval fails on rare names of entities in old texts."
)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("propose a retriever that ranks passages.", "propose a retriever that ranks passages."),
        (
            "show that dense retrieval fails on rare names of entities in old texts.",
            "show that dense retrieval fails “on rare names of entities in old texts”.",
        ),
        (
            "show that their dense retrieval fails on rare names of entities in old texts.",
            "show that their dense retrieval fails “on rare names of entities in old texts”.",
        ),
    ],
)
def test_long_runs_are_quoted_letter_for_letter(text: str, written: str) -> None:
    assert quoted(text, PASSAGE, plain=1) == written
    assert not copies(written, PASSAGE)
    assert written.partition("“")[2].partition("”")[0] in PASSAGE


def test_a_quotation_takes_its_closing_bracket_along() -> None:
    passage = "We propose attention for the long sequences of sequential recommender systems (LinRec)."
    text = "propose attention for the long sequences of sequential recommender systems (LinRec)."
    assert quoted(text, passage, plain=1).endswith("(LinRec)”.")


def test_a_long_sentence_is_cut_to_a_clause() -> None:
    start = "propose a retriever that encodes long questions and passages for rare names of entities"
    text = f"{start}, which are then compared by their inner products in the memory of one processor."
    assert shortened(text) == f"{start}."
    assert shortened(f"{start}.") == f"{start}."
