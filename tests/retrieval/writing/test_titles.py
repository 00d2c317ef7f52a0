"""A title as the subject of a sentence, where it is one and its small letters are known."""

from __future__ import annotations

import pytest
from texgeist_retrieval.writing.extractive.english.titles import system, titled

SPELLED = frozenset(
    "document expansion by query prediction planning long drafts for readers a language model science of notes the".split()
)


@pytest.mark.parametrize(
    ("title", "name", "subject"),
    [
        ("Document Expansion by Query Prediction", "", "document expansion by query prediction"),
        ("PlanTree: Planning Long Drafts", "PlanTree", "planning long drafts"),
        ("Galactica: A Large Language Model for Science", "Galactica", "a large language model for science"),
        ("On Planning Drafts for Readers", "", "planning drafts for readers"),
        ("Planning Drafts of Amharic Readers", "", "planning drafts of Amharic readers"),
        ("Planning Drafts by Swin Readers", "", "planning drafts by Swin readers"),  # others have "swin"
    ],
)
def test_a_title_reads_as_it_does_in_a_sentence(title: str, name: str, subject: str) -> None:
    abstract = "We show PlanTree, Galactica and how Amharic drafts are read by a large group of Swin readers."
    found = titled(title, abstract, SPELLED | {"large", "swin"})
    assert found and (found.name, found.subject) == (name, subject)


@pytest.mark.parametrize(
    "title",
    [
        "Are Long Drafts Planned?",
        "Language Models Can Plan Long Drafts",
        "Rethinking Long Drafts for Readers",
        "From Notes to Long Drafts",
        "Better & Faster Planning of Drafts",
        "Quantized Drafts for Readers",  # no text has the first word
        "Planning Drafts - Notes for Readers",
        "Planning Drafts",
        "Long Language Model for Science",  # no article
        "A Survey of Long Drafts for Readers",
    ],
)
def test_what_is_a_sentence_or_of_unknown_spelling_is_no_subject(title: str) -> None:
    assert titled(title, "We plan.", SPELLED) is None


def test_a_name_inside_a_longer_name_is_no_word() -> None:
    abstract = "We present the Elastic Boundary Projection of drafts."
    assert titled("Elastic Planning for Readers", abstract, SPELLED) is None


def test_a_title_with_a_verb_of_its_own_is_a_sentence() -> None:
    spelled = frozenset("language agents achieve synthesis of notes to search models".split())
    assert titled("Language Agents Achieve Synthesis of Notes", "We plan.", spelled) is None
    assert titled("Language Agents to Search Notes of Models", "We plan.", spelled) is not None


@pytest.mark.parametrize(
    "title",
    [
        "Reading Drafts at evil.com for Readers",
        "Planning Drafts at https://evil.example for Readers",
        "Planning Drafts after Smith 2021 for Readers",
        r"Planning \\input{drafts} of Notes for Readers",
    ],
)
def test_a_strangers_title_leads_nowhere(title: str) -> None:
    spelled = SPELLED | {"evil", "com", "reading", "at", "example", "smith", "after", "https", "input"}
    assert titled(title, "We show evil.com and https evil example, smith and Smith of 2021.", spelled) is None


@pytest.mark.parametrize(
    ("title", "abstract", "name"),
    [
        (
            "BirdNet: Ears for Forests",
            "Forests are loud. We introduce BirdNet, which hears birds.",
            "BirdNet",
        ),
        ("BirdNet: Ears for Forests", "BirdNet is an ear.", "BirdNet"),
        ("BirdNet: Ears for Forests", "We test BirdNet in a forest.", ""),  # perhaps another's
        ("LLMs: A View of Forests", "We introduce a view of LLMs that hear birds.", ""),
        ("Old Forests: Ears for Birds", "We introduce Old Forests.", ""),
        ("Ears for BirdNet", "We introduce BirdNet.", ""),
    ],
)
def test_a_title_names_a_system_that_the_abstract_introduces(title: str, abstract: str, name: str) -> None:
    assert system(title, abstract) == name
