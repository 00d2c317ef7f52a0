"""A sentence in few of its own words in a row: what is turned, what is cut off, and what never is."""

from __future__ import annotations

import pytest
from texgeist_retrieval.text.sentences import clean
from texgeist_retrieval.writing.extractive.english.compressing import compressed, ends_whole
from texgeist_retrieval.writing.extractive.english.naming import as_name
from texgeist_retrieval.writing.extractive.english.retelling import retell
from texgeist_retrieval.writing.extractive.english.rewording import RUN, long_run, reworded
from texgeist_retrieval.writing.extractive.english.standalone import Told


def short(sentence: str, title: str = "") -> str:
    sentence = clean(sentence)
    told = retell(sentence, True)
    assert told is not None
    found = compressed(told, sentence, title, True)
    return found.told.text if found else ""


@pytest.mark.parametrize(
    ("text", "turned"),
    [
        ("propose a model that encodes long questions using many notes.",
         "propose a model encoding long questions using many notes."),
        ("propose a model that encodes long questions and then ranks notes.",
         "propose a model encoding long questions and then ranking notes."),
        ("present a method to detect and correct errors of old drafts.",
         "present a method for detecting and correcting errors of old drafts."),
        ("describe an algorithm for verification of names written on many very old drafts.",
         "describe an algorithm for verifying names that are written on many very old drafts."),
        ("train planners due to the lack of long drafts.",
         "train planners because of the lack of long drafts."),
        ("propose a model that ranks readers and authors of all long drafts.",
         "propose a model ranking readers as well as authors of all long drafts."),
    ],
)  # fmt: skip
def test_small_words_are_turned_until_no_long_run_is_left(text: str, turned: str) -> None:
    found = reworded(text, text)
    assert found and found.text == turned and found.cost > 0
    assert long_run(found.text, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "show that planners that read notes fail and loses drafts of all kinds.",  # whose verb is "loses"?
        "map long Greek names old drafts notes chapters outlines.",
        "do not read old names or notes of drafts.",
    ],
)
def test_where_nothing_can_be_turned_nothing_is(text: str) -> None:
    found = reworded(text, text)
    assert found is None or "loses" in found.text


def test_terms_negations_hedges_and_numbers_stay() -> None:
    text = "propose a planner that does not read drafts using three notes and may fail on long names."
    found = reworded(text, text)
    for word in ("not", "three", "may", "planner", "drafts", "notes", "names"):
        assert found is None or word in found.text.split() or f"{word}." in found.text


def test_what_the_paper_is_called_is_no_run() -> None:
    title = "Planning Long Drafts by Short Notes of Many Readers"
    text, source = f"study {title[0].lower()}{title[1:]}.", f"Readers like {title}."
    assert long_run(text, source) is not None
    assert long_run(text, source, title) is None


@pytest.mark.parametrize(
    ("sentence", "start", "without"),
    [
        ("We propose a recurrent planner of drafts for shortening chapters in libraries of old towns by hand.",
         "propose a recurrent planner", ""),
        ("We propose a planner of long drafts, outperforming every baseline on the chapters of all authors.",
         "propose a planner of long drafts.", "outperforming"),
    ],
)  # fmt: skip
def test_phrases_go_at_their_boundaries(sentence: str, start: str, without: str) -> None:
    text = short(sentence)
    assert text.replace("introduce", "propose").startswith(start) or not text
    assert not without or without not in text
    assert long_run(text, sentence) is None


@pytest.mark.parametrize(
    ("sentence", "kept"),
    [
        ("We propose a planner that shortens drafts only when all of their readers agree.", "only when"),
        ("We present a parser for drafts that works without labels of human readers at all.", "without"),
        ("We study planners in drafts under the assumption that no reader is ever absent.", "under"),
        ("We use planners of long drafts rather than parsers of the short notes of readers.", "rather than"),
        ("We propose a planner of drafts that may fail if the notes of readers are lost.", "may"),
    ],
)
def test_what_conditions_restricts_or_negates_is_never_cut_off(sentence: str, kept: str) -> None:
    text = short(sentence)
    assert not text or kept in text


@pytest.mark.parametrize(
    "text",
    [
        "address the planning of drafts through specialized and efficient.",
        "propose the notion of signatures, a representation.",
        "learn the parameters and the number.",
        "show that singular values lead to algorithms.",
        "propose a planner that reads drafts further.",
        "plan drafts by notes of several.",
        "propose planners, achieving shorter drafts.",
    ],
)
def test_an_end_that_hangs_is_none(text: str) -> None:
    assert not ends_whole(text, True)


@pytest.mark.parametrize(
    "text", ["propose a planner of drafts.", "study federated learning.", "read old work."]
)
def test_a_whole_end_is_one(text: str) -> None:
    assert ends_whole(text, True)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("propose PlanTree, a planner of drafts.", "PlanTree is a planner of drafts."),
        ("introduces PlanTree, the first planner of drafts.", "PlanTree is a planner of drafts."),
        ("propose Notes of Readers (NoR), an outline of drafts.", "NoR is an outline of drafts."),
        (
            "present a planner called PlanTree that shortens drafts.",
            "PlanTree is a planner that shortens drafts.",
        ),
    ],
)
def test_what_is_offered_by_name_is_told_by_its_name(text: str, named: str) -> None:
    told = as_name(Told(text, True, "offer", text, verb="propose"))
    assert told and (told.text, told.textual, told.kind) == (named, False, "name")


@pytest.mark.parametrize(
    "text",
    ["propose a planner of drafts.", "propose PlanTree, a planner of their drafts.", "propose PlanTree."],
)
def test_what_has_no_name_or_speaks_of_the_authors_keeps_them(text: str) -> None:
    assert as_name(Told(text, True, "offer", text, verb="propose")) is None


def test_the_longest_run_allowed_is_what_the_measure_allows() -> None:
    words = "one two three four five six seven"
    assert RUN == 7 and long_run(f"{words}.", words) and not long_run("one two three four five six.", words)
